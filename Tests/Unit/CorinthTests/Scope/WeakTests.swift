// SPDX-License-Identifier: MIT

import Corinth
import TestSupport
import XCTest

private protocol Plugin: AnyObject {
  var serial: Int { get }
}

private final class TrackedPlugin: Tracked, Plugin, @unchecked Sendable {}
private final class SpecialTracked: Tracked, @unchecked Sendable {}

final class WeakTests: ContainerTestCase {
  private let tracker = LifetimeTracker()

  func testAnInstanceIsSharedWhileSomebodyKeepsIt() throws {
    try container.register(Tracked.self) { [tracker] _ in tracker.make() }.as(.weak)
    do {
      let kept = try container.resolve(Tracked.self)
      XCTAssertTrue(try container.resolve(Tracked.self) === kept)
      XCTAssertTrue(try container.resolveIfRegistered(Tracked.self) === kept)
      XCTAssertTrue(try container.provider(for: Tracked.self)() === kept)
      XCTAssertEqual(kept.serial, 1)
    }
    XCTAssertEqual(tracker.left, 0)
  }

  func testAUndisposedInstanceIsBuiltAgain() throws {
    try container.register(Tracked.self, scope: .weak) { [tracker] _ in tracker.make() }
    for serial in 1...5 {
      XCTAssertEqual(try container.resolve(Tracked.self).serial, serial)
      XCTAssertEqual(tracker.left, 0)
    }
  }

  func testAnInstanceBehindAProtocolIsHeldWeakly() throws {
    try container.register((any Plugin).self) { [tracker] _ in TrackedPlugin(tracker) }
      .as(.unchecked(.weak))
    do {
      let kept = try container.resolve((any Plugin).self)
      XCTAssertTrue(try container.resolve((any Plugin).self) === kept)
    }
    XCTAssertEqual(tracker.left, 0)
    XCTAssertEqual(try container.resolve((any Plugin).self).serial, 2)
  }

  func testAClassInstanceBehindAProtocolForAnyTypeIsHeldWeakly() throws {
    try container.register((any Shape).self) { _ in Circle() }.as(.unchecked(.weak))
    let kept = try container.resolve((any Shape).self) as? Circle
    XCTAssertTrue(try container.resolve((any Shape).self) as? Circle === kept)
    try container.register(Any.self) { _ in Circle() }.as(.unchecked(.weak))
    let any = try container.resolve(Any.self) as? Circle
    XCTAssertTrue(try container.resolve(Any.self) as? Circle === any)
    XCTAssertNotNil(any)
  }

  func testASubclassInstanceIsHeldWeakly() throws {
    try container.register(Tracked.self) { [tracker] _ in SpecialTracked(tracker) }.as(.weak)
    do {
      let kept = try container.resolve(Tracked.self)
      XCTAssertTrue(kept is SpecialTracked)
      XCTAssertTrue(try container.resolve(Tracked.self) === kept)
    }
    XCTAssertEqual(tracker.left, 0)
  }

  func testAnActorIsHeldWeakly() throws {
    actor Ledger {}
    try container.register(Ledger.self) { _ in Ledger() }.as(.weak)
    let kept = try container.resolve(Ledger.self)
    XCTAssertTrue(try container.resolve(Ledger.self) === kept)
  }

  func testTypesThatAreNeverClassInstancesAreRefused() throws {
    func check<Product>(
      _ product: Product.Type, line: UInt = #line,
      _ factory: @escaping @Sendable (Resolver) throws -> Product
    ) throws {
      XCTAssertThrowsError(
        try container.register(product, scope: .unchecked(.weak), factory: factory), line: line
      ) { error in
        guard case RegistrationError.weakRequiresClass(let key, _) = error else {
          return XCTFail("\(error)", line: line)
        }
        XCTAssertTrue(key.product == product, line: line)
      }
      XCTAssertFalse(container.contains(product), line: line)
      try container.register(product, factory: factory).as(.unchecked(.weak))
      XCTAssertTrue(container.contains(product), line: line)
      assertInvalid(.weakRequiresClass, line: line) { try container.resolve(product) }
    }
    try check(Square.self) { _ in Square(side: 1) }
    try check(Role.self) { _ in .admin }
    try check((Int, Motor).self) { _ in (1, Motor()) }
    try check((() -> Void).self) { _ in {} }
    try check(Motor?.self) { _ in Motor() }
    try check((any Engine)?.self) { _ in Motor() }
    try check(Motor.Type.self) { _ in Motor.self }
    try check([Motor].self) { _ in [] }
    try check(AnyHashable.self) { _ in AnyHashable(1) }
  }

  func testTypesThatMayBeClassInstancesAreAccepted() throws {
    XCTAssertNoThrow(try container.register(Motor.self, scope: .unchecked(.weak)) { _ in Motor() })
    XCTAssertNoThrow(
      try container.register((any Engine).self, scope: .unchecked(.weak)) { _ in Motor() })
    XCTAssertNoThrow(
      try container.register((any Shape).self, scope: .unchecked(.weak)) { _ in Circle() })
    XCTAssertNoThrow(
      try container.register(AnyObject.self, scope: .unchecked(.weak)) { _ in Motor() })
    XCTAssertNoThrow(try container.register(Any.self, scope: .unchecked(.weak)) { _ in Motor() })
    XCTAssertNoThrow(
      try container.register((any Shape & AnyObject).self, scope: .unchecked(.weak)) { _ in Circle()
      })
    XCTAssertNoThrow(
      try container.register(Node<Int>.self, scope: .unchecked(.weak)) { _ in Node() })
  }

  func testAValueBehindAProtocolIsAnInstanceError() throws {
    try container.register((any Shape).self) { _ in Square(side: 1) }.as(.unchecked(.weak))
    for _ in 0..<2 {
      XCTAssertThrowsError(try container.resolve((any Shape).self)) { error in
        let underlying = (error as? ResolutionError)?.underlyingError as? InstanceError
        guard case .notAClassInstance(let product, let instance) = underlying else {
          return XCTFail("\(error)")
        }
        XCTAssertTrue(product == (any Shape).self)
        XCTAssertTrue(instance == Square.self)
      }
    }
    try container.register((any Shape).self) { _ in Circle() }.as(.unchecked(.weak))
    XCTAssertEqual(try container.resolve((any Shape).self).area, 3)
  }

  func testMetatypesAndOptionalsBehindAnyAreInstanceErrors() throws {
    try container.register(Any.self) { _ in Motor.self }.as(.unchecked(.weak))
    XCTAssertThrowsError(try container.resolve(Any.self))
    try container.register(Any.self) { _ in Optional(Motor()) as Any }.as(.unchecked(.weak))
    XCTAssertThrowsError(try container.resolve(Any.self))
  }

  func testAFactoryThatThrowsIsTriedAgain() throws {
    let attempts = AtomicCounter()
    try container.register(Motor.self) { _ in
      guard attempts.add() > 1 else { throw FixtureError("first") }
      return Motor(power: attempts.value)
    }.as(.unchecked(.weak))
    XCTAssertThrowsError(try container.resolve(Motor.self))
    XCTAssertEqual(try container.resolve(Motor.self).power, 2)
  }

  func testAnOverrideEndsTheSharing() throws {
    try container.register(Tracked.self) { [tracker] _ in tracker.make() }.as(.weak)
    let kept = try container.resolve(Tracked.self)
    try container.register(Tracked.self) { [tracker] _ in tracker.make() }.as(.weak)
    XCTAssertFalse(try container.resolve(Tracked.self) === kept)
  }

  func testWeakInstancesDependOnOneAnother() throws {
    try container.register(Tracked.self) { [tracker] _ in tracker.make() }.as(.weak)
    try container.register(Node<A>.self) { Node(try $0.resolve(Tracked.self)) }
      .as(.unchecked(.weak))
    do {
      let node = try container.resolve(Node<A>.self)
      XCTAssertTrue(try container.resolve(Tracked.self) === node.dependency)
      XCTAssertEqual(tracker.alive, 1)
    }
    XCTAssertEqual(tracker.left, 0)
  }
}
