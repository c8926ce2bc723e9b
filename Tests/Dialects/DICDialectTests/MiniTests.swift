// SPDX-License-Identifier: MIT

import DICDialect
import TestSupport
import XCTest

final class MiniTests: XCTestCase {
  @PerTest private var container = MiniDependencyInjectionContainer()

  func testBuildersAndSingletonsAreRegisteredInEitherForm() {
    container.register { 1 }
    container.register("a")
    container.registerSingleton { OtherDependency() }
    container.registerSingleton(DatabaseService())
    XCTAssertEqual(container.load(Int.self), 1)
    XCTAssertEqual(container.load(String.self), "a")
    XCTAssertTrue(container.load(OtherDependency.self) === container.load(OtherDependency.self))
    XCTAssertTrue(container.load(DatabaseService.self) === container.load(DatabaseService.self))
  }

  func testADependencyIsRegisteredAsAProtocol() {
    container.register(
      DefaultUserRepository(otherDependency: OtherDependency()), as: UserRepository.self)
    XCTAssertTrue(container.load(UserRepository.self) is DefaultUserRepository)
  }

  func testASingletonComesBeforeABuilder() {
    container.registerSingleton(2)
    container.register(3)
    XCTAssertEqual(container.load(Int.self), 2)
  }

  func testUnregisteringKeepsSingletons() {
    container.registerSingleton(1)
    container.register("a")
    XCTAssertEqual(Set(container.dependencies().keys), [ObjectIdentifier(String.self)])
    container.unregisterDependencies()
    XCTAssertTrue(container.dependencies().isEmpty)
    XCTAssertEqual(container.load(Int.self), 1)
  }
}
