// SPDX-License-Identifier: MIT

import Corinth
import TestSupport
import XCTest

/// Injected properties and lazy values of what is decorated and observed: they pass instances on,
/// and make none.
final class DecoratedPropertyTests: ContainerTestCase {
  private final class Mailer: Sendable {
    let label: String
    init(_ label: String) { self.label = label }
  }

  private final class Screen: Containerized {
    let container: Container
    @Injected var mailer: Mailer
    @Injected(.everyAccess) var sameMailer: Mailer
    @InjectedWeakly var weakMailer: Mailer?
    init(_ container: Container) { self.container = container }
  }

  private let log = EventLog()

  override func setUp() {
    super.setUp()
    XCTAssertNoThrow(
      try container.decorate(Mailer.self) { mailer, _ in Mailer("d(\(mailer.label))") })
    container.add(Builds(log: log))
  }

  private struct Builds: Behavior {
    let log: EventLog
    func didBuild(_ key: RegistrationKey, in duration: Duration, container: Container) {
      log.add("\(key)")
    }
  }

  func testAPropertyHasTheInstanceOfTheContainer() throws {
    try container.register(Mailer.self) { _ in Mailer("m") }.as(.singleton)
    let screen = Screen(container)
    XCTAssertEqual(screen.mailer.label, "d(m)")
    let mailer = try container.resolve(Mailer.self)
    XCTAssertTrue(screen.mailer === mailer)
    XCTAssertTrue(screen.sameMailer === mailer)
    XCTAssertTrue(screen.weakMailer === mailer)
    XCTAssertEqual(log.entries, ["Mailer"])
  }

  func testAPropertyHasAnInstanceThatWasDecoratedOnce() throws {
    try container.register(Mailer.self) { _ in Mailer("m") }
    let screen = Screen(container)
    XCTAssertEqual(screen.mailer.label, "d(m)")
    XCTAssertEqual(screen.sameMailer.label, "d(m)")
    XCTAssertEqual(log.entries, ["Mailer", "Mailer"])
  }

  func testALazyValueHasAnInstanceThatWasDecoratedOnce() throws {
    try container.register(Mailer.self) { _ in Mailer("m") }
    let mailer = try container.resolve(Lazy<Mailer>.self)
    XCTAssertEqual(try mailer.value.label, "d(m)")
    XCTAssertEqual(log.entries, ["Mailer"])
  }

  func testADecoratorOfALazyValueGetsTheLazyValue() throws {
    try container.register(Mailer.self) { _ in Mailer("m") }
    try container.decorate(Lazy<Mailer>.self) { lazy, _ in lazy }
    XCTAssertEqual(try container.resolve(Lazy<Mailer>.self).value.label, "d(m)")
  }
}
