// SPDX-License-Identifier: MIT

import DICDialect
import TestSupport
import XCTest

private actor Worker {}
private enum Level { case high }

final class RegistrationTests: XCTestCase {
  @PerTest private var container = DependencyInjectionContainer()

  func testABuilderRunsAtEachLoadAndNotBefore() {
    let count = AtomicCounter()
    container.register { count.add() }
    XCTAssertEqual(count.value, 0)
    XCTAssertEqual(container.load(Int.self), 1)
    XCTAssertEqual(container.load(Int.self), 2)
    XCTAssertEqual(container.loadOrNil(Int.self), 3)
    XCTAssertEqual(try container.loadOrThrow(Int.self), 4)
  }

  func testAnExpressionIsEvaluatedAtEachLoadAndNotBefore() {
    let count = AtomicCounter()
    container.register(count.add())
    XCTAssertEqual(count.value, 0)
    XCTAssertEqual(container.load(Int.self), 1)
    XCTAssertEqual(container.load(Int.self), 2)
  }

  func testASingletonIsBuiltWhenItIsRegistered() {
    let count = AtomicCounter()
    container.registerSingleton { count.add() }
    XCTAssertEqual(count.value, 1)
    container.registerSingleton("\(count.add())")
    XCTAssertEqual(count.value, 2)
    XCTAssertEqual(container.load(Int.self), 1)
    XCTAssertEqual(container.load(Int.self), 1)
    XCTAssertEqual(container.load(String.self), "2")
    XCTAssertEqual(count.value, 2)
  }

  func testTheBuilderOfASingletonNeedNotEscape() {
    func register(_ build: () -> Int) {
      container.registerSingleton(build)
    }
    register { 7 }
    XCTAssertEqual(container.load(Int.self), 7)
  }

  func testTheBuilderOfASingletonMayRegisterAndLoad() {
    container.registerSingleton { () -> String in
      self.container.register(1)
      self.container.registerSingleton(2.5)
      return "\(self.container.load(Int.self)) \(self.container.load(Double.self))"
    }
    XCTAssertEqual(container.load(String.self), "1 2.5")
  }

  func testOfOneKindTheLastOneCounts() throws {
    container.register(1)
    container.register { 2 }
    XCTAssertEqual(container.load(Int.self), 2)
    container.registerSingleton("a")
    container.registerSingleton { "b" }
    XCTAssertEqual(container.load(String.self), "b")
    container.registerThrowable { 1.5 }
    container.registerThrowable(2.5)
    XCTAssertEqual(try container.loadOrThrow(Double.self), 2.5)
  }

  func testAMissingDependencyIsNilOrAnError() {
    XCTAssertNil(container.loadOrNil(Int.self))
    XCTAssertThrowsError(try container.loadOrThrow(Int.self)) { error in
      guard case DependencyInjectionContainer.InjectionLoadError.cannotFindDependency = error
      else { return XCTFail("\(error)") }
    }
  }

  func testTheTypeIsInferred() throws {
    container.register(1)
    let loaded: Int = container.load()
    let optional: Int? = container.loadOrNil()
    let thrown: Int = try container.loadOrThrow()
    XCTAssertEqual([loaded, optional, thrown], [1, 1, 1])
  }

  func testEveryKindIsRegisteredAsAProtocol() throws {
    let other = OtherDependency()
    let containers = (0..<6).map { _ in DependencyInjectionContainer() }
    let make = { DefaultUserRepository(otherDependency: other) }
    containers[0].register(make(), as: UserRepository.self)
    containers[1].register({ make() }, as: UserRepository.self)
    containers[2].registerThrowable(make(), as: UserRepository.self)
    containers[3].registerThrowable({ make() }, as: UserRepository.self)
    containers[4].registerSingleton(make(), as: UserRepository.self)
    containers[5].registerSingleton({ make() }, as: UserRepository.self)
    for container in containers {
      XCTAssertTrue(try container.loadOrThrow(UserRepository.self).otherDependency === other)
      XCTAssertNil(container.loadOrNil(DefaultUserRepository.self))
    }
  }

  func testStructsEnumsActorsAndFunctionsAreDependencies() {
    container.register(Example1(value: 1))
    container.register(Level.high)
    container.registerSingleton(Worker())
    container.registerSingleton({ { 7 } }, as: (() -> Int).self)
    XCTAssertEqual(container.load(Example1.self).value, 1)
    XCTAssertEqual(container.load(Level.self), .high)
    XCTAssertTrue(container.load(Worker.self) === container.load(Worker.self))
    XCTAssertEqual(container.load((() -> Int).self)(), 7)
  }

  func testABuilderLoadsOtherDependencies() {
    container.register(OtherDependency())
    container.register { [unowned container] in
      DefaultUserRepository(otherDependency: container.load()) as UserRepository
    }
    XCTAssertNotNil(container.loadOrNil(UserRepository.self))
  }

  func testSingletonsLiveAsLongAsTheContainer() {
    let tracker = LifetimeTracker()
    do {
      let container = DependencyInjectionContainer()
      container.registerSingleton(tracker.make())
      container.registerSingleton(tracker.make())
      settleReclamation()
      XCTAssertEqual(tracker.alive, 1)
      container.unregisterDependencies()
      XCTAssertEqual(container.load(Tracked.self).serial, 2)
      XCTAssertEqual(tracker.alive, 1)
    }
    settleReclamation()
    XCTAssertEqual(tracker.alive, 0)
  }
}
