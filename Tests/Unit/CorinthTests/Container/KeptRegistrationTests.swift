// SPDX-License-Identifier: MIT

import Corinth
import TestSupport
import XCTest

/// Registrations that leave what is there, `onDuplicate: .keep`.
final class KeptRegistrationTests: ContainerTestCase {
  func testAnAbsentKeyIsRegistered() throws {
    XCTAssertTrue(try container.register(Int.self, onDuplicate: .keep) { _ in 1 }.isCurrent)
    XCTAssertEqual(try container.resolve(Int.self), 1)
  }

  func testWhatIsThereStaysWithItsInstance() throws {
    let tracker = LifetimeTracker()
    try container.register(Tracked.self) { _ in tracker.make() }.as(.singleton)
    let kept = try container.resolve(Tracked.self)
    XCTAssertFalse(
      try container.register(Tracked.self, onDuplicate: .keep) { _ in tracker.make() }.isCurrent)
    XCTAssertTrue(try container.resolve(Tracked.self) === kept)
    XCTAssertEqual(tracker.created, 1)
  }

  func testEachFormRegistersOnce() async throws {
    for expected in [true, false] {
      let container = container
      XCTAssertEqual(
        try container.register(Int.self, onDuplicate: .keep) { _ in 1 }.isCurrent, expected)
      XCTAssertEqual(
        try container.register(Int.self, onDuplicate: .keep) { (_, text: String, more: Int) in
          text.count + more
        }.isCurrent, expected)
      XCTAssertEqual(
        try container.registerAsync(Int.self, name: "async", onDuplicate: .keep) { _ in 3 }
          .isCurrent,
        expected)
      XCTAssertEqual(
        try container.registerAsync(Int.self, onDuplicate: .keep) { (_, text: String) in text.count
        }
        .isCurrent, expected)
    }
    XCTAssertEqual(try container.resolve(Int.self), 1)
    XCTAssertEqual(try container.resolve(Int.self, arguments: "four", 1), 5)
    let named = try await container.resolveAsync(Int.self, name: "async")
    XCTAssertEqual(named, 3)
    let withArgument = try await container.resolveAsync(Int.self, arguments: "four")
    XCTAssertEqual(withArgument, 4)
  }

  func testAScopeOfArgumentsIsKept() throws {
    let tracker = LifetimeTracker()
    try container.register(Tracked.self, scope: .singleton, onDuplicate: .keep) { (_, _: Int) in
      tracker.make()
    }
    XCTAssertTrue(
      try container.resolve(Tracked.self, arguments: 1)
        === container.resolve(Tracked.self, arguments: 1))
    XCTAssertEqual(tracker.created, 1)
  }

  func testAParentsRegistrationIsShadowed() throws {
    try container.register(Int.self) { _ in 1 }
    let child = Container(parent: container)
    XCTAssertTrue(try child.register(Int.self, onDuplicate: .keep) { _ in 2 }.isCurrent)
    XCTAssertEqual(try child.resolve(Int.self), 2)
    XCTAssertEqual(try container.resolve(Int.self), 1)
  }

  func testAFinalRegistrationIsLeftWithoutAnError() throws {
    try container.register(Int.self, onDuplicate: .refuse) { _ in 1 }
    XCTAssertFalse(try container.register(Int.self, onDuplicate: .keep) { _ in 2 }.isCurrent)
    let strict = Container(duplicates: .refuse)
    XCTAssertTrue(try strict.register(Int.self, onDuplicate: .refuse) { _ in 1 }.isCurrent)
    XCTAssertFalse(try strict.register(Int.self, onDuplicate: .keep) { _ in 2 }.isCurrent)
    XCTAssertThrowsError(try strict.register(Int.self) { _ in 3 })
  }

  /// It served the other type by the registration that had been there before.
  func testARegistrationThatIsNotMadeServesNoOtherTypes() throws {
    let tracker = LifetimeTracker()
    try container.register(Tracked.self) { _ in tracker.make() }
    try container.register(Tracked.self, onDuplicate: .keep) { _ in tracker.make() }
      .implements(AnyObject.self)
    XCTAssertFalse(container.contains(AnyObject.self))
    try container.register(Tracked.self) { _ in tracker.make() }
      .implements(AnyObject.self)
    XCTAssertTrue(container.contains(AnyObject.self))
  }

  func testAScopeThatTheProductCannotHaveIsRefused() {
    XCTAssertThrowsError(
      try container.register(Int.self, scope: .weak, onDuplicate: .keep) { _ in 1 }
    ) {
      XCTAssertTrue($0.is(RegistrationError.weakRequiresClass))
    }
    XCTAssertFalse(container.contains(Int.self))
  }

  func testAClosedContainerRegistersNothing() throws {
    let scope = container.makeScope()
    try scope.syncClose()
    XCTAssertThrowsError(try scope.register(Int.self, onDuplicate: .keep) { _ in 1 }) {
      XCTAssertTrue($0.is(RegistrationError.containerClosed))
    }
  }

  func testOneOfEightThreadsRegisters() throws {
    for _ in 0..<200 {
      let container = Container()
      let won = try onThreads(8) { thread in
        try container.register(Int.self, onDuplicate: .keep) { _ in thread }.isCurrent
      }
      XCTAssertEqual(won.filter { $0 }.count, 1)
      XCTAssertEqual(try container.resolve(Int.self), won.firstIndex(of: true))
    }
  }
}
