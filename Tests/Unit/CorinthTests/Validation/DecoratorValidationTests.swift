// SPDX-License-Identifier: MIT

import Corinth
import TestSupport
import XCTest

private protocol Clock: AnyObject, Sendable {}
private final class WallClock: Clock {}
private final class Missing: Sendable {}
private final class Ticker: Sendable {
  init(clock: any Clock) {}
}

/// Decorators resolve dependencies too, also those of registrations without a factory.
final class DecoratorValidationTests: ContainerTestCase {
  private func decorateClocks() throws {
    try container.wire(WallClock.self, using: WallClock.init).as(.singleton)
      .implements((any Clock).self)
    try container.decorate((any Clock).self) { clock, resolver in
      _ = try resolver.resolve(Missing.self)
      return clock
    }
  }

  func testTheDependenciesOfAForwardAreThoseOfItsDecorators() throws {
    try decorateClocks()
    XCTAssertEqual(try container.validate().unknown, [RegistrationKey((any Clock).self)])
    container.recordDependencies()
    XCTAssertThrowsError(try container.resolve((any Clock).self))
    let found = findings { try container.validate() }
    XCTAssertEqual(found.map(\.kind), [.missing])
    XCTAssertEqual(found.first?.places.map(\.key), [RegistrationKey((any Clock).self)])
    try container.wire(Missing.self, using: Missing.init)
    _ = try container.resolve((any Clock).self)
    XCTAssertEqual(try container.validate(roots: [(any Clock).self]).unknown, [])
  }

  func testNothingIsCalledUnusedBehindADecoratedForward() throws {
    try decorateClocks()
    try container.wire(Missing.self, using: Missing.init)
    XCTAssertNoThrow(try container.validate(roots: [(any Clock).self]))
    container.recordDependencies()
    _ = try container.resolve((any Clock).self)
    XCTAssertNoThrow(try container.validate(roots: [(any Clock).self]))
  }

  func testADecoratorOfAForwardIsPartOfACycle() throws {
    try container.wire(WallClock.self, using: WallClock.init).implements((any Clock).self)
    try container.wire(Ticker.self, using: Ticker.init(clock:))
    try container.decorate((any Clock).self) { clock, resolver in
      _ = try resolver.resolve(Ticker.self)
      return clock
    }
    container.recordDependencies()
    XCTAssertThrowsError(try container.resolve(Ticker.self))
    XCTAssertEqual(findings { try container.validate() }.map(\.kind), [.cyclic])
  }

  func testAForwardThatServesWhatIsDecoratedAlreadyIsKnown() throws {
    try container.register((any Clock).self, name: "wall") { _ in WallClock() }.dependsOn()
    try container.forward((any Clock).self, to: (any Clock).self, targetName: "wall")
    try container.decorate((any Clock).self) { clock, _ in clock }
    XCTAssertEqual(try container.validate().unknown, [])
  }

  func testADecoratorOfAChildIsNotThatOfTheParentsSingletons() throws {
    try container.register((any Clock).self) { _ in WallClock() }
    try container.wire(Ticker.self, using: Ticker.init(clock:)).as(.singleton)
    let child = Container(parent: container)
    try child.wire(Missing.self, using: Missing.init)
    child.recordDependencies()
    _ = try container.resolve((any Clock).self)
    try child.decorate((any Clock).self) { clock, resolver in
      _ = try resolver.resolve(Missing.self)
      return clock
    }
    XCTAssertEqual(try child.validate().unknown, [RegistrationKey((any Clock).self)])
    XCTAssertEqual(try container.validate().unknown, [])
    _ = try (child.resolve((any Clock).self), child.resolve(Ticker.self))
    XCTAssertEqual(try child.validate().unknown, [])
    XCTAssertEqual(try container.validate().unknown, [])
    XCTAssertNoThrow(try child.syncValidate(building: true))
    child.unregister(Missing.self)
    XCTAssertEqual(findings { try child.validate() }.map(\.kind), [.missing])
    XCTAssertNoThrow(try container.validate())
  }

  func testARecordingKeepsNoDecoratorsOfChildren() throws {
    let tracker = LifetimeTracker()
    try container.register((any Clock).self) { _ in WallClock() }
    container.recordDependencies()
    for _ in 0..<3 {
      let child = Container(parent: container)
      try child.wire(Missing.self, using: Missing.init)
      let held = tracker.make()
      try child.decorate((any Clock).self) { clock, resolver in
        _ = try resolver.resolve(Missing.self)
        return withExtendedLifetime(held) { clock }
      }
      _ = try child.resolve((any Clock).self)
      XCTAssertEqual(try child.validate().unknown, [])
    }
    settleReclamation()
    XCTAssertEqual(tracker.created, 3)
    XCTAssertEqual(tracker.alive, 0)
  }

  func testTheDependenciesOfAValueAreThoseOfItsDecorators() throws {
    try container.register(value: 7, as: Int.self)
    XCTAssertEqual(try container.validate().unknown, [])
    try container.decorate(Int.self) { number, resolver in
      _ = try resolver.resolve(Missing.self)
      return number
    }
    XCTAssertEqual(try container.validate().unknown, [RegistrationKey(Int.self)])
    container.recordDependencies()
    XCTAssertThrowsError(try container.resolve(Int.self))
    XCTAssertEqual(findings { try container.validate() }.map(\.kind), [.missing])
  }

  func testTheDependenciesOfAnInputAreThoseOfItsDecorators() throws {
    try container.registerInput(Int.self)
    XCTAssertEqual(try container.validate().unknown, [])
    try container.decorate(Int.self) { number, resolver in
      _ = try resolver.resolve(Missing.self)
      return number
    }
    XCTAssertEqual(try container.validate().unknown, [RegistrationKey(Int.self)])
    container.recordDependencies()
    XCTAssertThrowsError(try container.syncWithScope(providing: 7) { try $0.resolve(Int.self) })
    XCTAssertEqual(findings { try container.validate() }.map(\.kind), [.missing])
  }
}
