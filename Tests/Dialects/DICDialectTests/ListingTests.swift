// SPDX-License-Identifier: MIT

import DICDialect
import TestSupport
import XCTest

final class ListingTests: XCTestCase {
  @PerTest private var container = DependencyInjectionContainer()

  func testTheBuildersAreListedByTheirTypes() {
    container.register(1)
    container.register("text", as: String.self)
    container.registerSingleton(2.5)
    container.registerThrowable { Example1(value: 1) }
    let dependencies = container.dependencies()
    XCTAssertEqual(
      Set(dependencies.keys), [ObjectIdentifier(Int.self), ObjectIdentifier(String.self)])
    XCTAssertEqual(dependencies[ObjectIdentifier(Int.self)]?() as? Int, 1)
    XCTAssertEqual(dependencies[ObjectIdentifier(String.self)]?() as? String, "text")
  }

  func testTheThrowingBuildersAreListedOnTheirOwn() throws {
    container.register(1)
    container.registerThrowable { Example1(value: 1) }
    container.registerThrowable { try refused(String.self) }
    let dependencies = container.throwableDependencies()
    XCTAssertEqual(dependencies.count, 2)
    let example = try dependencies[ObjectIdentifier(Example1.self)]?()
    XCTAssertEqual(example as? Example1, Example1(value: 1))
    XCTAssertThrowsError(try dependencies[ObjectIdentifier(String.self)]?()) {
      XCTAssertEqual($0 as? Refusal, Refusal())
    }
  }

  func testAListedBuilderRunsAtEachCall() {
    let count = AtomicCounter()
    container.register(count.add())
    let builder = container.dependencies()[ObjectIdentifier(Int.self)]
    XCTAssertEqual(count.value, 0)
    XCTAssertEqual([builder?() as? Int, builder?() as? Int], [1, 2])
  }

  func testTheListIsThatOfItsMoment() {
    container.register(1)
    let dependencies = container.dependencies()
    container.register(2)
    container.register("late")
    XCTAssertEqual(dependencies.count, 1)
    XCTAssertEqual(dependencies[ObjectIdentifier(Int.self)]?() as? Int, 1)
    container.unregisterDependencies()
    XCTAssertEqual(dependencies[ObjectIdentifier(Int.self)]?() as? Int, 1)
    XCTAssertTrue(container.dependencies().isEmpty)
    XCTAssertTrue(container.throwableDependencies().isEmpty)
  }
}
