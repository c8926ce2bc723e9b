// SPDX-License-Identifier: MIT

import Corinth
import TestSupport
import XCTest

/// Forks that have copied all registrations of their base.
final class DetachTests: XCTestCase {
  @PerTest private var base = Container()

  private func detached(_ container: Container) -> Container {
    let fork = container.fork()
    fork.detach()
    return fork
  }

  func testItHasTheRegistrationsOfTheMomentAtWhichItWasForked() throws {
    try base.register(value: 1)
    try base.register(String.self) { "\(try $0.resolve(Int.self))" }.as(.singleton)
    try base.register(Double.self) { (_, number: Int) in Double(number) }
    let fork = base.fork()
    try base.register(value: 2)
    try base.register(value: Float(1))
    fork.detach()
    base.removeAll()
    XCTAssertEqual(try fork.resolve(Int.self), 1)
    XCTAssertEqual(try fork.resolve(String.self), "1")
    XCTAssertEqual(try fork.resolve(Double.self, arguments: 3), 3)
    XCTAssertNil(try fork.resolveIfRegistered(Float.self))
    XCTAssertThrowsError(try fork.resolve(Float.self)) {
      XCTAssertEqual($0 as? ResolutionError, .noRegistrationFound)
    }
    XCTAssertEqual(fork.registrations.count, 3)
  }

  func testItHasTheRegistrationsOfTheAncestorsToo() throws {
    try base.register(value: 1)
    let fork = detached(Container(parent: base))
    base.removeAll()
    XCTAssertEqual(try fork.resolve(Int.self), 1)
  }

  func testItNeedsItsBaseOpenNoMore() async throws {
    try base.register(Int.self) { _ in 1 }
    let fork = detached(base)
    try await base.shutdown()
    XCTAssertEqual(try fork.resolve(Int.self), 1)
    XCTAssertNil(try fork.resolveIfRegistered(String.self))
    // These asked the base.
    let missing = try await fork.resolveAsyncIfRegistered(String.self)
    XCTAssertNil(missing)
    XCTAssertThrowsError(try fork.resolve(String.self)) {
      XCTAssertTrue($0.is(.noRegistrationFound), "\($0)")
    }
  }

  func testWhatAForkHasRemovedNeedsItsBaseOpenNoMore() async throws {
    try base.register(Int.self) { _ in 1 }
    let fork = base.fork()
    fork.unregister(Int.self)
    try await base.shutdown()
    XCTAssertNil(try fork.resolveIfRegistered(Int.self))
    XCTAssertThrowsError(try fork.resolve(Int.self)) { XCTAssertTrue($0.is(.noRegistrationFound)) }
  }

  /// A key that the closed base might have had was called missing.
  func testOneThatIsNotDetachedNeedsItsBaseOpen() async throws {
    let fork = base.fork()
    try await base.shutdown()
    XCTAssertThrowsError(try fork.resolve(String.self)) { XCTAssertTrue($0.is(.containerClosed)) }
    XCTAssertThrowsError(try fork.resolveIfRegistered(String.self)) {
      XCTAssertTrue($0.is(.containerClosed))
    }
    do {
      _ = try await fork.resolveAsyncIfRegistered(String.self)
      XCTFail("the base is closed")
    } catch { XCTAssertTrue(error.is(.containerClosed)) }
  }

  func testAForkOfAForkThatHasRemovedAllLaterNeedsTheBaseOpen() async throws {
    try base.register(Int.self) { _ in 1 }
    let fork = base.fork()
    let before = fork.fork()
    fork.removeAll()
    try await base.shutdown()
    XCTAssertThrowsError(try before.resolve(Int.self)) { XCTAssertTrue($0.is(.containerClosed)) }
    XCTAssertThrowsError(try fork.fork().resolve(Int.self)) {
      XCTAssertTrue($0.is(.noRegistrationFound))
    }
  }

  func testWhatAForkHasOfItsOwnStays() throws {
    try base.register(value: 1)
    try base.register(value: "base")
    let fork = base.fork()
    try fork.register(value: 2)
    fork.unregister(String.self)
    fork.detach()
    XCTAssertEqual(try fork.resolve(Int.self), 2)
    XCTAssertNil(try fork.resolveIfRegistered(String.self))
    try fork.register(value: "fork")
    XCTAssertEqual(try fork.resolve(String.self), "fork")
    XCTAssertEqual(try base.resolve(String.self), "base")
  }

  func testItMayBeFrozenForkedAndDetachedAgain() throws {
    try base.register(value: 1)
    let fork = detached(base)
    fork.detach()
    try fork.freeze()
    XCTAssertEqual(try detached(fork).resolve(Int.self), 1)
    XCTAssertNil(try detached(fork).resolveIfRegistered(String.self))
  }

  func testNothingHappensToWhatIsNoFork() throws {
    try base.register(value: 1)
    let child = Container(parent: base)
    child.detach()
    base.detach()
    XCTAssertEqual(try child.resolve(Int.self), 1)
    XCTAssertEqual(try base.resolve(Int.self), 1)
  }

  func testThreadsDetachAndResolveWhileTheBaseChanges() throws {
    for _ in 0..<StressSize.scaled(100) {
      let base = Container()
      try base.register(Int.self, name: "a") { _ in 1 }
      try base.register(Int.self, name: "b") { _ in 1 }
      let fork = base.fork()
      try onThreads(4) { thread in
        switch thread {
        case 0: fork.detach()
        case 1:
          try base.register(Int.self, name: "a") { _ in 2 }
          base.unregister(Int.self, name: "b")
        default:
          XCTAssertEqual(try fork.resolve(Int.self, name: "a"), 1)
          XCTAssertEqual(try fork.resolve(Int.self, name: "b"), 1)
        }
      }
      XCTAssertEqual(fork.registrations.count, 2)
    }
  }

  /// Whether the base has to be asked is read before the fork's own table: what is registered was
  /// missing otherwise.
  func testNothingIsMissedWhileAForkIsDetached() throws {
    try base.register(value: 1)
    for _ in 0..<500 {
      let fork = base.fork()
      let found = try onThreads(2) { index in
        if index == 0 { fork.detach() }
        return try fork.resolveIfRegistered(Int.self)
      }
      XCTAssertEqual(found, [1, 1])
    }
  }
}
