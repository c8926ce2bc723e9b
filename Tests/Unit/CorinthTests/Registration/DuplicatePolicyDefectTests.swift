// SPDX-License-Identifier: MIT

import Corinth
import TestSupport
import XCTest

/// Cases in which a registration did not do what its policy, or the value that it is of, promises.
final class DuplicatePolicyDefectTests: ContainerTestCase {
  private final class Counter: Sendable {}

  // MARK: - Values in other scopes

  /// The box of the weak instance was taken for that of the value.
  func testAWeakValueThatIsRegisteredAnewIsServed() async throws {
    let value = Counter()
    try container.register(value: value).as(.weak)
    XCTAssertIdentical(try container.resolve(Counter.self), value)
    try await container.validate(building: true)
    let other = try container.register(Counter.self, onDuplicate: .require) { _ in Counter() }
    XCTAssertTrue(other.restore())
    XCTAssertIdentical(try container.resolve(Counter.self), value)
    container.recordDependencies().stop()
    XCTAssertIdentical(try container.resolve(Counter.self), value)
  }

  /// It was served without an end from then on, and its action never ran again.
  func testACachedValueExpiresAfterItIsRestored() throws {
    let runs = AtomicCounter()
    try container.register(
      value: Counter(), with: .afterInit { _, _ in runs.add() }
    ).as(.cached(for: .nanoseconds(1)))
    _ = try container.resolve(Counter.self)
    try container.register(Counter.self, onDuplicate: .require) { _ in Counter() }.restore()
    let before = runs.value
    _ = try container.resolve(Counter.self)
    _ = try container.resolve(Counter.self)
    XCTAssertGreaterThan(runs.value, before)
  }

  // MARK: - What has to be there

  /// The policy of the container refused the second type, and nobody was told.
  func testARegistrationThatHasToOverrideServesItsOtherTypes() throws {
    let base = Container(duplicates: .require)
    try base.register(Counter.self, onDuplicate: .override) { _ in Counter() }
    let fork = base.fork()
    try fork.register(Counter.self) { _ in Counter() }.implements(AnyObject.self)
    XCTAssertTrue(fork.contains(AnyObject.self))
  }

  func testAnExpressionTakesOverTheScope() throws {
    try container.register(Counter.self, scope: .singleton) { _ in Counter() }
    try container.register(evaluating: Counter(), onDuplicate: .require)
    XCTAssertIdentical(
      try container.resolve(Counter.self), try container.resolve(Counter.self))
  }

  /// `validate()` said that it had been made transient.
  func testAnExpressionMayBeShared() throws {
    try container.register(evaluating: Counter()).as(.singleton)
    try container.validate()
    let other = Container(defaultScope: .singleton)
    try other.register(evaluating: Counter())
    XCTAssertNotIdentical(try other.resolve(Counter.self), try other.resolve(Counter.self))
  }

  // MARK: - Restoring

  /// It claimed to have restored what was below another override that was not in use any more.
  func testNothingIsRestoredBelowWhatWasRegisteredSince() throws {
    for removes in [true, false] {
      let container = Container()
      try container.register(Int.self) { _ in 1 }
      let second = try container.register(Int.self, onDuplicate: .require) { _ in 2 }
      let third = try container.register(Int.self, onDuplicate: .require) { _ in 3 }
      if removes {
        container.unregister(Int.self)
      } else {
        try container.register(Int.self) { _ in 4 }
      }
      XCTAssertFalse(second.restore())
      XCTAssertFalse(third.restore())
      XCTAssertEqual(try container.resolveIfRegistered(Int.self), removes ? nil : 4)
    }
  }

  /// It was reported as overridden, and not disposed of.
  func testWhatCannotBeRestoredIsDisposedOfAtTheEnd() async throws {
    let disposed = AtomicCounter()
    try container.register(
      Counter.self, scope: .singleton, with: .onDispose { _ in disposed.add() }
    ) {
      _ in Counter()
    }
    _ = try container.resolve(Counter.self)
    let second = try container.register(Counter.self, onDuplicate: .require) { _ in Counter() }
    try container.register(Counter.self) { _ in Counter() }
    XCTAssertFalse(second.restore())
    try await container.shutdown()
    XCTAssertEqual(disposed.value, 1)
  }

  // MARK: - Forks

  /// It said that the key was registered already, though a fork may register any key again.
  func testAForkReplacesWhatItsBaseProtects() async throws {
    try container.register(Int.self, onDuplicate: .refuse) { _ in 1 }
    let fork = container.fork()
    try await fork.replace(Int.self) { _ in 2 }
    XCTAssertEqual(try fork.resolve(Int.self), 2)
    XCTAssertEqual(try container.resolve(Int.self), 1)
  }
}
