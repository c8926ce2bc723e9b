// SPDX-License-Identifier: MIT

import Foundation
import FusionDialect
import XCTest

private struct CreateAccountView {
  @Inject var logger: Logger

  func createAccount(for email: String) -> String {
    "\(logger.name): Creating an account for \(email)."
  }
}

private final class MyEnclosingType: Containerized {
  let container: Container

  @Inject var string: String
  @Inject var int: Int

  init(container: Container) {
    self.container = container
  }
}

/// The samples of Fusion's document, in its order.
final class DocumentTests: FusionTestCase {
  func testALoggerIsBoundToTheMainContainer() {
    Container.main.bind(Logger.self, value: RemoteLogger())
    XCTAssertEqual(Container.main.resolveAssert(Logger.self).name, "remote")
  }

  func testALoggerIsBoundByTheStaticFunction() {
    Container.bind(Logger.self, value: RemoteLogger())
    XCTAssertEqual(Container.main.resolveAssert(Logger.self).name, "remote")
  }

  func testAViewGetsTheLoggerThatIsBound() {
    Container.bind(Logger.self, value: RemoteLogger())
    XCTAssertEqual(
      CreateAccountView().createAccount(for: "ada"), "remote: Creating an account for ada.")
  }

  func testATestBindsAnotherLoggerForTheSameView() {
    Container.bind(Logger.self, value: RemoteLogger())
    let before = CreateAccountView()
    Container.bind(Logger.self, value: ConsoleLogger())
    let view = CreateAccountView()
    XCTAssertEqual(view.createAccount(for: "ada"), "console: Creating an account for ada.")
    XCTAssertEqual(before.logger.name, "console")
  }

  func testAFactoryIsBoundToAType() {
    Container.main.bind(
      Logger.self,
      factory: { container in
        return RemoteLogger()
      })
    XCTAssertEqual(Container.resolve(Logger.self)?.name, "remote")
  }

  func testTheTypeOfAValueNeedNotBeSaid() {
    Container.main.bind(value: "Hello, world!")
    XCTAssertEqual(Container.main.resolve(String.self), "Hello, world!")
    Container.bind(value: "Hello again!")
    XCTAssertEqual(Container.resolve(String.self), "Hello again!")
  }

  func testAFactoryResolvesOtherServicesAsTheyAreNeeded() {
    Container.bind(Logger.self, value: RemoteLogger())
    Container.bind(Database.self) { container in
      PostgresDatabase(logger: container.resolve(Logger.self))
    }
    XCTAssertEqual(Container.resolve(Database.self)?.logger.name, "remote")
  }

  func testATransientServiceIsMadeForEachRead() {
    Container.bind(value: UUID())
    @Inject var first: UUID
    @Inject var second: UUID
    XCTAssertNotEqual(first, second)
    XCTAssertNotEqual(first, first)
  }

  func testASingletonIsTheSameForAllReads() {
    Container.bind(.singleton, value: UUID())
    @Inject var first: UUID
    @Inject var second: UUID
    XCTAssertEqual(first, second)
    XCTAssertEqual(first, first)
  }

  func testASingletonIsBoundWithItsDependencies() {
    Container.bind(Logger.self, value: RemoteLogger())
    Container.bind(.singleton, to: Database.self) { container in
      PostgresDatabase(logger: container.resolve(Logger.self))
    }
    Container.bind(.singleton, to: JobQueue.self) { container in
      DatabaseQueue(database: container.resolve(Database.self))
    }
    let queue = Container.resolveAssert(JobQueue.self)
    XCTAssertTrue(queue === Container.resolve(JobQueue.self))
    XCTAssertTrue(queue.database === Container.resolve(Database.self))
  }

  func testIdentifiersTellServicesOfOneTypeApart() {
    Container.bind(id: "a", value: "foo")
    Container.bind(id: "b", value: "bar")
    @Inject("a") var first: String
    @Inject("b") var second: String
    XCTAssertEqual(first, "foo")
    XCTAssertEqual(second, "bar")
  }

  func testAServiceIsResolvedDirectlyOrByAProperty() {
    Container.bind(Logger.self, value: RemoteLogger())
    let log: Logger? = Container.resolve(Logger.self)
    XCTAssertEqual(log?.name, "remote")
    @Inject var property: Logger
    XCTAssertEqual(property.name, "remote")
  }

  func testAServiceIsResolvedByItsIdentifier() {
    Container.bind(Logger.self, id: "slack", value: RemoteLogger(name: "slack"))
    let log = Container.resolve(Logger.self, id: "slack")
    XCTAssertEqual(log?.name, "slack")
    @Inject("slack") var property: Logger
    XCTAssertEqual(property.name, "slack")
  }

  func testResolveAssertReturnsTheServiceItself() {
    Container.bind(Logger.self, value: RemoteLogger())
    Container.bind(Logger.self, id: "slack", value: RemoteLogger(name: "slack"))
    let log: Logger = Container.resolveAssert(Logger.self)
    let slack: Logger = Container.resolveAssert(Logger.self, id: "slack")
    XCTAssertEqual([log.name, slack.name], ["remote", "slack"])
  }

  func testResolveThrowingReturnsTheServiceOrThrows() throws {
    XCTAssertThrowsError(try Container.resolveThrowing(Logger.self)) { error in
      XCTAssertTrue(error is FusionError)
    }
    Container.bind(Logger.self, value: RemoteLogger())
    let log: Logger = try Container.resolveThrowing(Logger.self)
    XCTAssertEqual(log.name, "remote")
  }

  func testTheDefaultContainerIsTheMainOne() {
    Container.bind(value: 1)
    XCTAssertEqual(Container.default.resolve(Int.self), 1)
  }

  func testAContainerOfOnesOwnIsRegisteredIn() {
    let myContainer = Container()
    myContainer.register(value: "Hello from my container!")
    let string = myContainer.resolve(String.self)
    XCTAssertEqual(string, "Hello from my container!")
    XCTAssertNil(Container.resolve(String.self))
  }

  func testAChildResolvesFromItsParentAndNotTheReverse() {
    let parent = Container()
    let child = Container(parent: parent)

    parent.bind(value: 1)
    child.bind(value: "foo")

    let string = child.resolve(String.self)
    XCTAssertEqual(string, "foo")
    let int = child.resolve(Int.self)
    XCTAssertEqual(int, 1)
    XCTAssertNil(parent.resolve(String.self))
  }

  func testAContainerizedTypeIsInjectedFromItsContainer() {
    let container = Container()
    container.register(value: "Howdy")
    container.register(value: 42)
    Container.bind(value: "main")

    let myType = MyEnclosingType(container: container)
    XCTAssertEqual(myType.string, "Howdy")
    XCTAssertEqual(myType.int, 42)
  }
}
