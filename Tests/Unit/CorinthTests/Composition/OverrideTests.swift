// SPDX-License-Identifier: MIT

import Corinth
import TestSupport
import XCTest

/// Overrides that can be undone.
final class OverrideTests: ContainerTestCase {
  func testWhatWasOverriddenComesBackWithItsInstance() throws {
    try container.register(Motor.self) { _ in Motor(power: 1) }.as(.unchecked(.singleton))
    let motor = try container.resolve(Motor.self)
    let token = try container.register(Motor.self, onDuplicate: .require) { _ in Motor(power: 2) }
    XCTAssertEqual(try container.resolve(Motor.self).power, 2)
    // The scope is that of what was overridden.
    XCTAssertTrue(try container.resolve(Motor.self) === (try container.resolve(Motor.self)))
    XCTAssertTrue(token.restore())
    XCTAssertTrue(try container.resolve(Motor.self) === motor)
    XCTAssertFalse(token.restore())
  }

  func testAllFormsOfFactoriesOverride() async throws {
    try container.register(Int.self, name: "x") { _ in 1 }
    try container.register(Int.self) { (_, argument: Int) in argument }
    try container.register(String.self) { _ in "a" }
    try container.register(value: 0.5, as: Double.self)
    let restorations = [
      try container.register(Int.self, name: "x", onDuplicate: .require) { _ in 2 }.restore,
      try container.register(Int.self, onDuplicate: .require) { (_, argument: Int) in argument * 10
      }
      .restore,
      try container.registerAsync(String.self, onDuplicate: .require) { _ in "b" }.restore,
      try container.register(value: 1.5, as: Double.self, onDuplicate: .require).restore,
    ]
    let text = try await container.resolveAsync(String.self)
    XCTAssertEqual(text, "b")
    XCTAssertEqual(try container.resolve(Int.self, name: "x"), 2)
    XCTAssertEqual(try container.resolve(Int.self, arguments: 3), 30)
    XCTAssertEqual(try container.resolve(Double.self), 1.5)
    for restore in restorations { XCTAssertTrue(restore()) }
    XCTAssertEqual(try container.resolve(Int.self, name: "x"), 1)
    XCTAssertEqual(try container.resolve(Int.self, arguments: 3), 3)
    XCTAssertEqual(try container.resolve(String.self), "a")
    XCTAssertEqual(try container.resolve(Double.self), 0.5)
  }

  func testAForwardedKeyIsOverriddenWithTheScopeOfItsInstances() throws {
    try container.register(Motor.self) { _ in Motor() }.as(.unchecked(.singleton))
    try container.forward((any Engine).self, to: Motor.self)
    try container.register((any Engine).self, onDuplicate: .require) { _ in Motor(power: 2) }
    let engine = try container.resolve((any Engine).self)
    XCTAssertEqual(engine.power, 2)
    XCTAssertTrue(try container.resolve((any Engine).self) === engine)
  }

  func testThereMustBeSomethingToOverride() throws {
    try container.register(Int.self, name: "here") { _ in 1 }
    XCTAssertThrowsError(
      try container.register(Int.self, name: "hree", onDuplicate: .require) { _ in 2 }
    ) { error in
      XCTAssertEqual(error as? ResolutionError, .noRegistrationFound)
      XCTAssertTrue("\(error)".contains("\"here\""), "\(error)")
    }
    XCTAssertFalse(container.contains(Int.self, name: "hree"))
    try container.register(String.self, onDuplicate: .refuse) { _ in "" }
    XCTAssertThrowsError(try container.register(String.self, onDuplicate: .require) { _ in "" }) {
      error in
      XCTAssertEqual(error as? RegistrationError, .alreadyRegistered)
    }
  }

  func testOverridesOfOneKeyMayBeUndoneInAnyOrder() throws {
    for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
      let container = Container()
      try container.register(Int.self) { _ in -1 }
      let tokens = try (0..<3).map { number in
        try container.register(Int.self, onDuplicate: .require) { _ in number }
      }
      var left = [0, 1, 2]
      for number in order {
        XCTAssertEqual(try container.resolve(Int.self), left.last ?? -1)
        tokens[number].restore()
        left.removeAll { $0 == number }
      }
      XCTAssertEqual(try container.resolve(Int.self), -1)
    }
  }

  func testARegistrationInBetweenStays() throws {
    try container.register(Int.self) { _ in 1 }
    let token = try container.register(Int.self, onDuplicate: .require) { _ in 2 }
    try container.register(Int.self) { _ in 3 }
    XCTAssertFalse(token.restore())
    XCTAssertEqual(try container.resolve(Int.self), 3)
  }

  func testWhatAnOverrideHasKeptIsLetGoOfWithNoLockHeld() throws {
    let container = Container()
    let ended = AtomicCounter()
    let endings = { @Sendable (_: Resolver) in
      AtEnd {
        // Hangs if the caller holds the lock.
        _ = try? container.register(Int.self) { _ in 1 }
        ended.add()
      }
    }
    try container.register(AtEnd.self, factory: endings).as(.singleton)
    _ = try container.resolve(AtEnd.self)
    let below = try container.register(AtEnd.self, onDuplicate: .require, factory: endings)
    _ = try container.resolve(AtEnd.self)
    var above: Registration<AtEnd>? = try container.register(
      AtEnd.self, onDuplicate: .require, factory: endings)
    _ = try container.resolve(AtEnd.self)
    // That of the middle ends.
    XCTAssertTrue(below.restore())
    try container.register(AtEnd.self, factory: endings)
    XCTAssertEqual(above?.restore(), false)
    // And that of the bottom, which nobody can restore any more.
    above = nil
    container.removeAll()
    settleReclamation()
    XCTAssertEqual(ended.value, 3)
  }

  private final class AtEnd: Sendable {
    private let action: @Sendable () -> Void
    init(_ action: @escaping @Sendable () -> Void) { self.action = action }
    deinit { action() }
  }

  func testWhatIsFrozenIsRestoredAfterItHasThawed() throws {
    try container.register(Int.self) { _ in 1 }
    let token = try container.register(Int.self, onDuplicate: .require) { _ in 2 }
    try container.freeze()
    XCTAssertFalse(token.restore())
    XCTAssertEqual(try container.resolve(Int.self), 2)
    container.thaw()
    XCTAssertTrue(token.restore())
    XCTAssertEqual(try container.resolve(Int.self), 1)
  }

  func testATokenThatIsDroppedLeavesTheOverride() async throws {
    let tracker = LifetimeTracker()
    try container.register(Tracked.self) { _ in tracker.make() }.as(.singleton)
    _ = try container.resolve(Tracked.self)
    try container.register(Tracked.self, onDuplicate: .require) { _ in tracker.make() }
    await tracker.waitUntilNoneIsLeft()
    XCTAssertEqual(tracker.alive, 0)
    XCTAssertEqual(try container.resolve(Tracked.self).serial, 2)
  }

  func testAForkOverridesWhatItsBaseHas() throws {
    try container.register(Int.self) { _ in 1 }
    try container.register(String.self) { "\(try $0.resolve(Int.self))" }.as(.singleton)
    let fork = container.fork()
    let token = try fork.register(Int.self, onDuplicate: .require) { _ in 2 }
    XCTAssertEqual(try fork.resolve(String.self), "2")
    XCTAssertEqual(try container.resolve(String.self), "1")
    token.restore()
    XCTAssertEqual(try fork.resolve(Int.self), 1)
  }

  func testOverridesMayComeAndGoUnderResolves() throws {
    let container = Container()
    try container.register(Int.self) { _ in 0 }.as(.singleton)
    let rounds = StressSize.scaled(2_000)
    try onThreads(4) { thread in
      for _ in 0..<rounds {
        if thread < 2 {
          let token = try container.register(Int.self, onDuplicate: .require) { _ in thread + 1 }
          XCTAssertTrue((1...2).contains(try container.resolve(Int.self)))
          token.restore()
        } else {
          XCTAssertTrue((0...2).contains(try container.resolve(Int.self)))
        }
      }
    }
    XCTAssertEqual(try container.resolve(Int.self), 0)
  }
}
