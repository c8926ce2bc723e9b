// SPDX-License-Identifier: MIT

import FusionDialect
import TestSupport
import XCTest

/// The spellings of Fusion 0.1 to 0.3.
final class EraTests: FusionTestCase {
  @PerTest private var container = Container()

  // MARK: - 0.3

  func testIdentifierIsAnotherWordForId() throws {
    container.bind(.singleton, to: Logger.self, identifier: "a") { _ in RemoteLogger() }
    container.bind(identifier: "b", value: "text")
    XCTAssertEqual(container.resolve(Logger.self, identifier: "a")?.name, "remote")
    XCTAssertEqual(container.resolve(Logger.self, id: "a")?.name, "remote")
    XCTAssertEqual(container.resolve(String.self, identifier: "b"), "text")
    XCTAssertEqual(try container.resolveThrowing(String.self, identifier: "b"), "text")
    XCTAssertEqual(container.resolveAssert(String.self, identifier: "b"), "text")
    XCTAssertNil(container.resolve(String.self, identifier: "c"))
    XCTAssertThrowsError(try container.resolveThrowing(Int.self, identifier: 1)) { error in
      guard case FusionError.notRegistered(_, let id) = error else { return XCTFail("\(error)") }
      XCTAssertEqual(id, 1)
    }
  }

  func testIdentifierIsAnotherWordForIdInMain() throws {
    Container.bind(.singleton, to: Logger.self, identifier: "a") { _ in RemoteLogger() }
    Container.bind(identifier: "b", value: "text")
    XCTAssertEqual(Container.resolve(Logger.self, identifier: "a")?.name, "remote")
    XCTAssertEqual(try Container.resolveThrowing(String.self, identifier: "b"), "text")
    XCTAssertEqual(Container.resolveAssert(String.self, identifier: "b"), "text")
  }

  func testTheErrorIsMadeWithAnIdentifier() {
    let error: FusionError = .notRegistered(type: Int.self, identifier: "a")
    guard case .notRegistered(type: _, let id) = error else { return XCTFail("\(error)") }
    XCTAssertEqual(id, "a")
  }

  // MARK: - 0.2 and 0.1

  func testATransientServiceIsRegistered() {
    container.register(Logger.self) { _ in RemoteLogger() }
    container.register(Numbered.self) { Numbered() }
    container.register { (_: Container) in 7 }
    container.register("text")
    let logger: Logger = container.resolve(Logger.self)
    XCTAssertEqual(logger.name, "remote")
    XCTAssertNotEqual(container.resolve(Numbered.self), container.resolve(Numbered.self))
    XCTAssertEqual(container.resolve(Int.self), 7)
    XCTAssertEqual(container.resolve(String.self), "text")
  }

  func testASingletonIsRegistered() {
    container.register(singleton: Logger.self) { _ in RemoteLogger() }
    container.register(singleton: Session.self) { _ in Session() }
    container.register(singleton: { (_: Container) in [Numbered()] })
    container.register(singleton: Numbered())
    XCTAssertEqual(container.resolveOptional(Logger.self)?.name, "remote")
    XCTAssertTrue(container.resolve(Session.self) === container.resolve(Session.self))
    XCTAssertEqual(container.resolve([Numbered].self), container.resolve([Numbered].self))
    XCTAssertEqual(container.resolve(Numbered.self), container.resolve(Numbered.self))
  }

  func testASingletonIsRegisteredUnderAnIdentifier() {
    let identifier: String? = "a"
    container.register(singleton: Int.self, identifier: identifier) { _ in 1 }
    container.register(singleton: Int.self, identifier: 2) { _ in 2 }
    container.register(singleton: 3, identifier: "c")
    let first: Int = container.resolve(Int.self, identifier: identifier)
    let second: Int = container.resolve(identifier: 2)
    XCTAssertEqual([first, second], [1, 2])
    XCTAssertEqual(container.resolveOptional(Int.self, identifier: "c"), 3)
    XCTAssertNil(container.resolveOptional(Int.self))
    XCTAssertNil(container.resolveOptional(Int.self, identifier: "d"))
  }

  func testAnIdentifierOfNilIsNone() {
    let none: String? = nil
    container.register(singleton: Int.self, identifier: none) { _ in 1 }
    XCTAssertEqual(container.resolveOptional(Int.self), 1)
    XCTAssertEqual(container.resolveOptional(Int.self, identifier: none), 1)
    let number: Int = container.resolve(Int.self, identifier: none)
    XCTAssertEqual(number, 1)
  }

  func testMainIsRegisteredInByStaticFunctions() {
    Container.register(Logger.self) { _ in RemoteLogger() }
    Container.register(Numbered.self) { Numbered() }
    Container.register(singleton: Session.self) { _ in Session() }
    Container.register(singleton: [Session].self) { _ in [Session()] }
    Container.register(singleton: Int.self, identifier: "a") { _ in 1 }
    Container.register("text")
    Container.register(singleton: 2.5)
    let logger: Logger = Container.resolve(Logger.self)
    let named: Int = Container.resolve(Int.self, identifier: "a")
    XCTAssertEqual(logger.name, "remote")
    XCTAssertEqual(named, 1)
    XCTAssertNotEqual(Container.resolve(Numbered.self), Container.resolve(Numbered.self))
    XCTAssertTrue(Container.resolve(Session.self) === Container.resolve(Session.self))
    XCTAssertEqual(Container.resolve([Session].self)?.count, 1)
    XCTAssertEqual(Container.resolveOptional(String.self), "text")
    XCTAssertEqual(Container.resolveOptional(Double.self), 2.5)
    XCTAssertEqual(Container.resolveOptional(Int.self, identifier: "a"), 1)
  }

  func testARegisteredSingletonIsNotStaleAfterItIsReplaced() {
    container.register(singleton: "old")
    XCTAssertEqual(container.resolveOptional(String.self), "old")
    container.register(singleton: "new")
    XCTAssertEqual(container.resolveOptional(String.self), "new")
  }

  func testRegisterTakesAValueWithBehaviorTypeAndId() {
    container.register(.singleton, to: Logger.self, id: "a", value: ConsoleLogger())
    XCTAssertEqual(container.resolve(Logger.self, id: "a")?.name, "console")
  }
}
