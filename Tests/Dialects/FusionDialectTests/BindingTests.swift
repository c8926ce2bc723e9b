// SPDX-License-Identifier: MIT

import FusionDialect
import TestSupport
import XCTest

final class BindingTests: FusionTestCase {
  @PerTest private var container = Container()

  func testAServiceIsTransientUnlessSaidOtherwise() {
    container.bind(value: Numbered())
    XCTAssertNotEqual(container.resolve(Numbered.self), container.resolve(Numbered.self))
  }

  func testAValueIsEvaluatedAtTheResolveAndNotBefore() {
    let count = AtomicCounter()
    container.bind(value: count.add())
    XCTAssertEqual(count.value, 0)
    XCTAssertEqual(container.resolve(Int.self), 1)
    XCTAssertEqual(container.resolve(Int.self), 2)
  }

  func testASingletonIsBuiltByTheFirstResolveOnly() {
    let count = AtomicCounter()
    container.bind(.singleton, value: count.add())
    XCTAssertEqual(count.value, 0)
    XCTAssertEqual(container.resolve(Int.self), 1)
    XCTAssertEqual(container.resolve(Int.self), 1)
    XCTAssertEqual(count.value, 1)
  }

  func testAFactoryGetsTheContainerThatItIsBoundIn() {
    container.bind(to: String.self) { [unowned container] given in
      given === container ? "same" : "other"
    }
    XCTAssertEqual(container.resolve(String.self), "same")
  }

  func testEveryPairOfBehaviorsIsReplacedByTheLaterOne() {
    let behaviors: [Container.ResolveBehavior] = [.transient, .singleton]
    for first in behaviors {
      for second in behaviors {
        for isResolvedBetween in [false, true] {
          let container = Container()
          container.bind(first, value: "first")
          if isResolvedBetween { XCTAssertEqual(container.resolve(String.self), "first") }
          container.bind(second, value: "second")
          XCTAssertEqual(container.resolve(String.self), "second")
          XCTAssertEqual(container.resolve(String.self), "second")
        }
      }
    }
  }

  func testUnbindingRemovesAServiceAndItsSingleton() {
    container.bind(.singleton, value: Numbered())
    let first = container.resolve(Numbered.self)
    container.unbind(type: Numbered.self)
    XCTAssertNil(container.resolve(Numbered.self))
    container.bind(.singleton, value: Numbered())
    XCTAssertNotEqual(container.resolve(Numbered.self), first)
  }

  func testUnbindingOneIdentifierLeavesTheOthers() {
    container.bind(value: "none")
    container.bind(id: "a", value: "a")
    container.unbind(type: String.self, id: "a")
    XCTAssertNil(container.resolve(String.self, id: "a"))
    XCTAssertEqual(container.resolve(String.self), "none")
    container.unbind(type: String.self)
    XCTAssertNil(container.resolve(String.self))
  }

  func testUnbindingInMainIsStaticToo() {
    Container.bind(value: 1)
    Container.bind(id: "a", value: 2)
    Container.unbind(type: Int.self)
    XCTAssertNil(Container.resolve(Int.self))
    XCTAssertEqual(Container.resolve(Int.self, id: "a"), 2)
    Container.unbind(type: Int.self, id: "a")
    XCTAssertNil(Container.resolve(Int.self, id: "a"))
  }

  func testATypeThatIsNotSendableMayBeASingleton() {
    container.bind(.singleton, value: Session())
    container.resolve(Session.self)?.user = "ada"
    XCTAssertEqual(container.resolve(Session.self)?.user, "ada")
  }

  func testStructsEnumsFunctionsAndOptionalsAreBound() {
    enum Level { case high }
    container.bind(value: Level.high)
    container.bind(to: (() -> Int).self) { _ in { 7 } }
    container.bind(to: Int?.self) { _ in nil }
    XCTAssertEqual(container.resolve(Level.self), .high)
    XCTAssertEqual(container.resolve((() -> Int).self)?(), 7)
    XCTAssertEqual(container.resolve(Int?.self).map { $0 == nil }, true)
    XCTAssertNil(container.resolve(Int.self))
  }

  func testAnOptionalIsNotServedByItsWrappedType() {
    container.bind(value: 1)
    let found: Int?? = container.resolve(Int?.self)
    XCTAssertTrue(found == nil)
  }

  func testTheTypesOfFactoriesAndTheNamesOfBehaviorsAreThere() {
    let factory: Container.Factory<Int> = { 1 }
    let containerFactory: Container.ContainerFactory<Int> = { _ in 2 }
    container.bind(value: factory())
    container.bind(id: "b", factory: containerFactory)
    XCTAssertEqual(container.resolve(Int.self), 1)
    XCTAssertEqual(container.resolve(Int.self, id: "b"), 2)
    XCTAssertEqual(Container.ResolveBehavior(rawValue: "singleton"), .singleton)
    XCTAssertEqual(Container.ResolveBehavior.transient.rawValue, "transient")
  }

  func testAFactoryMayBindAndUnbind() {
    container.bind(to: String.self) { container in
      container.bind(value: 1)
      container.unbind(type: String.self)
      return "built"
    }
    XCTAssertEqual(container.resolve(String.self), "built")
    XCTAssertNil(container.resolve(String.self))
    XCTAssertEqual(container.resolve(Int.self), 1)
  }

  func testAContainerIsReleasedWithItsSingletons() {
    let tracker = LifetimeTracker()
    weak var released: Container?
    do {
      let container = Container()
      container.bind(.singleton, value: tracker.make())
      container.bind(.singleton, to: [Tracked].self) { [$0.resolveAssert(Tracked.self)] }
      XCTAssertEqual(container.resolve([Tracked].self)?.count, 1)
      released = container
    }
    XCTAssertNil(released)
    settleReclamation()
    XCTAssertEqual(tracker.created, 1)
    XCTAssertEqual(tracker.alive, 0)
  }

  func testAReplacedSingletonIsReleased() {
    let tracker = LifetimeTracker()
    container.bind(.singleton, value: tracker.make())
    XCTAssertNotNil(container.resolve(Tracked.self))
    container.bind(.singleton, value: tracker.make())
    settleReclamation()
    XCTAssertEqual(tracker.alive, 0)
  }
}
