// SPDX-License-Identifier: MIT

import Corinth
import TestSupport
import XCTest

private protocol Mailer: Sendable {
  var host: String { get }
}

private struct SMTPMailer: Mailer {
  let host: String
}

private final class Service: Containerized {
  let container: Container
  @Injected var mailer: any Mailer
  @Injected(name: "backup") var backup: any Mailer
  @Injected var motor: Motor?
  @Injected(.everyAccess) var number: Int
  @Injected(.lazy) var late: String

  init(_ container: Container) {
    self.container = container
  }

  func checkMailer() throws -> any Mailer { try $mailer() }
}

@MainActor private final class Screen {
  @Injected(from: .container(InjectedTests.shared)) var mailer: any Mailer
  @Injected(from: .container(InjectedTests.shared)) nonisolated var other: any Mailer
}

private actor Worker {
  @Injected(from: .container(InjectedTests.shared)) var mailer: any Mailer
  func host() -> String { mailer.host }
}

private class Base {
  @Injected(from: .container(InjectedTests.shared)) var mailer: any Mailer
}

private final class Derived: Base {
  @Injected(from: .container(InjectedTests.shared)) var other: any Mailer
}

private struct Dependencies: Sendable {
  @Injected(from: .container(InjectedTests.shared)) var mailer: any Mailer
}

private final class SharedService: Sendable {
  let mailer = Injected<any Mailer>(from: .container(InjectedTests.shared))
  private let dependencies = Dependencies()
  func hosts() throws -> [String] {
    [mailer.value.host, try mailer().host, dependencies.mailer.host]
  }
}

private final class OptionalService {
  @Injected var numbers: [Int]?
  @Injected(name: "greeting") var provider: Provider<String>?
  @Injected var lazy: Lazy<Motor>?

  init(_ container: Container) {
    _numbers = Injected(from: .container(container))
    _provider = Injected(name: "greeting", from: .container(container))
    _lazy = Injected(from: .container(container))
  }

  func derived() throws -> (numbers: [Int]?, provider: Provider<String>?, lazy: Lazy<Motor>?) {
    (try $numbers(), try $provider(), try $lazy())
  }
}

final class InjectedTests: ContainerTestCase {
  static let shared: Container = {
    let container = Container()
    _ = try? container.register((any Mailer).self) { _ in SMTPMailer(host: "shared") }
    return container
  }()

  private func makeService() throws -> Service {
    try container.register((any Mailer).self) { _ in SMTPMailer(host: "a") }
    try container.register((any Mailer).self, name: "backup") { _ in SMTPMailer(host: "b") }
    return Service(container)
  }

  func testPropertiesAreResolvedInTheContainerOfTheirObject() throws {
    let service = try makeService()
    XCTAssertEqual(service.mailer.host, "a")
    XCTAssertEqual(service.backup.host, "b")
    XCTAssertEqual(try service.checkMailer().host, "a")
  }

  func testAValueIsResolvedOnceForEachObject() throws {
    let tracker = LifetimeTracker()
    let container = container
    try container.register(Tracked.self) { _ in tracker.make() }
    final class Owner {
      @Injected var tracked: Tracked
      init(_ container: Container) { _tracked = Injected(from: .container(container)) }
    }
    do {
      let owners = [Owner(container), Owner(container)]
      for owner in owners { XCTAssertIdentical(owner.tracked, owner.tracked) }
      XCTAssertNotIdentical(owners[0].tracked, owners[1].tracked)
      XCTAssertEqual(tracker.created, 2)
    }
    settleReclamation()
    XCTAssertEqual(tracker.alive, 0)
  }

  func testAnOptionalPropertyIsNilWhenNothingIsRegistered() throws {
    let service = try makeService()
    XCTAssertNil(service.motor)
    let other = Service(container)
    try container.register(Motor.self) { _ in Motor(power: 3) }
    XCTAssertEqual(other.motor?.power, 3)
    let third = Service(container)
    try container.register(Motor?.self) { _ in Motor(power: 4) }
    XCTAssertEqual(third.motor?.power, 4)
  }

  func testAPropertyOfEveryAccessIsResolvedAgain() throws {
    let service = try makeService()
    let counter = AtomicCounter()
    try container.register(Int.self) { _ in counter.add() }
    XCTAssertEqual(service.number, 1)
    XCTAssertEqual(service.number, 2)
  }

  func testMainActorClassesActorsAndSubclassesHaveThem() async throws {
    let (first, second) = await MainActor.run {
      let screen = Screen()
      return (screen.mailer.host, screen.other.host)
    }
    XCTAssertEqual([first, second], ["shared", "shared"])
    let host = await Worker().host()
    XCTAssertEqual(host, "shared")
    XCTAssertEqual(Derived().mailer.host, "shared")
    XCTAssertEqual(Derived().other.host, "shared")
  }

  func testStructsAndVariablesHaveThem() throws {
    XCTAssertEqual(Dependencies().mailer.host, "shared")
    @Injected(from: .container(Self.shared)) var local: any Mailer
    XCTAssertEqual(local.host, "shared")
  }

  func testASendableClassHoldsThemAsPlainValues() throws {
    XCTAssertEqual(try SharedService().hosts(), ["shared", "shared", "shared"])
  }

  func testAPropertyMayBeGivenItsValue() throws {
    final class Owner {
      @Injected var number: Int = 3
    }
    XCTAssertEqual(Owner().number, 3)
    struct Value {
      @Injected var number: Int
    }
    XCTAssertEqual(Value(number: Injected(wrappedValue: 4)).number, 4)
  }

  func testAParameterIsAValueOrAWayToResolveIt() throws {
    func host(@Injected of mailer: any Mailer) -> String { mailer.host }
    XCTAssertEqual(host(of: SMTPMailer(host: "x")), "x")
    XCTAssertEqual(host($of: .container(Self.shared)), "shared")
    XCTAssertEqual(host($of: .value(SMTPMailer(host: "y"))), "y")
    let service = try makeService()
    XCTAssertEqual(host($of: .enclosing(service, name: "backup")), "b")
    try container.register((any Mailer).self, name: "m") { _ in SMTPMailer(host: "m") }
    XCTAssertEqual(host($of: .container(container, name: "m")), "m")
  }

  func testAnEagerPropertyIsResolvedWhenItIsMade() throws {
    let counter = AtomicCounter()
    try container.register(Int.self) { _ in counter.add() }
    final class Owner {
      @Injected var number: Int
      init(_ container: Container) {
        _number = Injected(.eager, from: .container(container))
      }
    }
    let owner = Owner(container)
    XCTAssertEqual(counter.value, 1)
    XCTAssertEqual(owner.number, 1)
  }

  func testAFailedAccessLeavesNothingBehind() throws {
    let service = Service(container)
    XCTAssertThrowsError(try service.checkMailer())
    try container.register((any Mailer).self) { _ in SMTPMailer(host: "a") }
    XCTAssertEqual(try service.checkMailer().host, "a")
    XCTAssertEqual(service.mailer.host, "a")
  }

  func testAnOptionalPropertyGetsWhatAnOptionalParameterGets() throws {
    let service = OptionalService(container)
    XCTAssertNil(try service.derived().numbers)
    XCTAssertNil(try service.derived().provider)
    XCTAssertNil(try service.derived().lazy)
    try container.contribute(to: Int.self) { _ in 7 }
    try container.register(String.self, name: "greeting") { _ in "hello" }
    try container.register(Motor.self) { _ in Motor(power: 3) }
    let derived = try OptionalService(container).derived()
    XCTAssertEqual(derived.numbers, [7])
    XCTAssertEqual(try derived.provider?(), "hello")
    XCTAssertEqual(try derived.lazy?.value.power, 3)
  }
}
