// SPDX-License-Identifier: MIT

import AstrojectDialect
import Synchronization
import TestSupport
import XCTest

final class CompositeTests: ContainerTestCase {
  private let tracker = LifetimeTracker()

  private func register(_ instances: [any CustomStorage<Tracked>]) throws {
    try container.register(Tracked.self) { [tracker] _ in tracker.make() }
      .as { Composite(instances) }
  }

  private func serial() throws -> Int { try container.resolve(Tracked.self).serial }

  func testItsLabelMayBeThatOfAstroject() throws {
    let strong = Singleton<Tracked>()
    try container.register(Tracked.self) { [tracker] _ in tracker.make() }
      .as { Composite(instances: [Weak(), strong]) }
    XCTAssertEqual(try serial(), 1)
    XCTAssertEqual(strong.get()?.serial, 1)
  }

  /// One that gets a context, beside those that get none.
  func testInstancesOfCorinthMayBeAmongThem() throws {
    struct PerArgument: CustomStorage {
      let asked = AtomicCounter()
      func get(for context: StorageContext) -> Tracked? {
        asked.add()
        return nil
      }
      func set(_ product: Tracked, for context: StorageContext) {}
      func release() {}
    }
    let first = PerArgument()
    try register([first, Singleton()])
    XCTAssertEqual(try serial(), 1)
    XCTAssertEqual(try serial(), 1)
    XCTAssertGreaterThan(first.asked.value, 1)
  }

  func testOfNoneItKeepsNothing() throws {
    try register([])
    XCTAssertEqual(try serial(), 1)
    XCTAssertEqual(try serial(), 2)
    XCTAssertEqual(tracker.left, 0)
  }

  func testAPrototypeKeepsNothing() throws {
    try register([Prototype()])
    XCTAssertEqual(try serial(), 1)
    XCTAssertEqual(try serial(), 2)
    XCTAssertTrue(container.release(Tracked.self))
  }

  /// As in Astroject, where it lost its product with a release, and took each new one.
  func testASingletonKeepsItsFirstProduct() throws {
    let singleton = Singleton<Tracked>()
    try register([singleton])
    XCTAssertEqual(try serial(), 1)
    singleton.set(tracker.make())
    singleton.release()
    container.release(Tracked.self)
    settleReclamation()
    XCTAssertEqual(try serial(), 1)
    XCTAssertEqual(tracker.alive, 1)
  }

  /// As in Astroject, where a composite has no context.
  func testItCanBeAskedWithoutAContext() throws {
    let (first, second) = (Kept(), Kept())
    let composite = Composite<Tracked>([Contextual(), Composite([first]), second])
    XCTAssertNil(composite.get())
    let product = tracker.make()
    composite.set(product)
    XCTAssertTrue(first.get() === product && second.get() === product)
    first.release()
    XCTAssertTrue(composite.get() === product, "of the second")
    composite.release()
    XCTAssertNil(composite.get())
  }

  /// Needs a context.
  private struct Contextual: CustomStorage {
    func get(for context: StorageContext) -> Tracked? { nil }
    func set(_ product: Tracked, for context: StorageContext) {}
    func release() {}
  }

  /// Keeps a product until it is released.
  private final class Kept: AstrojectDialect.Instance {
    private let product = Locked<Tracked?>(nil)
    func get() -> Tracked? { product.withLock { $0 } }
    func set(_ product: Tracked) { self.product.withLock { $0 = product } }
    func release() { product.withLock { $0 = nil } }
  }

  func testAWeakOneKeepsForAsLongAsSomebodyElseDoes() throws {
    try register([Weak()])
    do {
      let kept = try container.resolve(Tracked.self)
      XCTAssertTrue(try container.resolve(Tracked.self) === kept)
    }
    XCTAssertEqual(tracker.left, 0)
    XCTAssertEqual(try serial(), 2)
  }

  func testTheFirstThatHasTheProductServesIt() throws {
    let (first, second) = (Kept(), Kept())
    try register([first, second])
    XCTAssertEqual(try serial(), 1)
    first.release()
    XCTAssertEqual(try serial(), 1, "served by the second")
    second.release()
    XCTAssertEqual(try serial(), 2)
  }

  func testAWeakOneOutlivesTheReleaseOfAnother() throws {
    let strong = Kept()
    try register([strong, Weak()])
    let kept = try container.resolve(Tracked.self)
    strong.release()
    XCTAssertTrue(try container.resolve(Tracked.self) === kept)
    container.release(Tracked.self)
    XCTAssertFalse(try container.resolve(Tracked.self) === kept)
  }

  func testReleasingReachesAll() throws {
    try register([Kept(), Composite([Kept()])])
    XCTAssertEqual(try serial(), 1)
    container.releaseAll()
    XCTAssertEqual(tracker.left, 0)
    XCTAssertEqual(try serial(), 2)
  }

  func testAWeakOneOfAValueKeepsNothing() throws {
    let built = AtomicCounter()
    try container.register(Int.self) { _ in built.add() }.as { Composite([Weak()]) }
    XCTAssertEqual(try container.resolve(Int.self), 1)
    XCTAssertEqual(try container.resolve(Int.self), 2)
  }

  func testTheClosureThatMakesAnInstanceIsCalledOnce() throws {
    let made = AtomicCounter()
    try container.register(Tracked.self) { [tracker] _ in tracker.make() }.as {
      made.add()
      return Singleton<Tracked>()
    }
    for _ in 0..<3 { XCTAssertEqual(try serial(), 1) }
    XCTAssertEqual(made.value, 1)
  }

  func testTheInstancesOfACompositeEndWithTheRegistration() throws {
    try register([Singleton()])
    _ = try serial()
    container.unregister(Tracked.self)
    XCTAssertEqual(tracker.left, 0)
  }
}
