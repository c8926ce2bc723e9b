// SPDX-License-Identifier: MIT

import Corinth
import TestSupport
import XCTest

private struct Twelve {
  let sum: Int
  init(
    _ a: Int, _ b: Int8, _ c: Int16, _ d: Int32, _ e: Int64, _ f: UInt, _ g: UInt8, _ h: UInt16,
    _ i: UInt32, _ j: UInt64, _ k: Float, _ l: Double
  ) {
    sum =
      a + Int(b) + Int(c) + Int(d) + Int(e) + Int(f) + Int(g) + Int(h) + Int(i) + Int(j) + Int(k)
      + Int(l)
  }
}

private struct Empty {}

private struct Address: Equatable {
  let host: String
  var port: Int
}

private enum Message: Equatable {
  case text(String)
  case coordinates(Int, Double)
}

private final class Failing: Sendable {
  init(log: Log) throws { throw FixtureError("init") }
}

private final class Failable: Sendable {
  let host: String
  init?(host: String) {
    if host.isEmpty { return nil }
    self.host = host
  }
}

private final class Holder<Content> {
  let content: Content
  init(content: Content) { self.content = content }
}

private actor Counter {
  let start: Int
  init(start: Int) { self.start = start }
}

private final class Overloaded: Sendable {
  let text: String
  init(log: Log) { text = "log" }
  init(host: String) { text = host }
}

private final class WithDefault: Sendable {
  let retries: Int
  init(log: Log, retries: Int = 3) { self.retries = retries }
}

private func makeAddress(host: String, port: Int) -> Address { Address(host: host, port: port) }

final class WiringTests: ContainerTestCase {
  private func registerBasics() throws {
    try container.register(Log.self) { _ in Log() }.as(.singleton)
    try container.register(String.self) { _ in "local" }
    try container.register(Int.self) { _ in 25 }
  }

  // MARK: - Forms of initializers

  func testAnInitializerIsWiredUnderAProtocol() throws {
    try registerBasics()
    try container.wire((any Mail).self, using: SMTP.init).as(.singleton)
    let mail = try container.resolve((any Mail).self)
    XCTAssertEqual(mail.host, "local")
    XCTAssertTrue(mail === (try container.resolve((any Mail).self)))
    XCTAssertTrue((mail as? SMTP)?.log === (try container.resolve(Log.self)))
  }

  func testAnInitializerWithoutParametersIsWired() throws {
    try container.wire(Empty.self, using: Empty.init)
    XCTAssertNotNil(try container.resolve(Empty.self))
  }

  func testAnInitializerWithTwelveParametersIsWired() throws {
    try container.register(Int.self) { _ in 1 }
    try container.register(Int8.self) { _ in 1 }
    try container.register(Int16.self) { _ in 1 }
    try container.register(Int32.self) { _ in 1 }
    try container.register(Int64.self) { _ in 1 }
    try container.register(UInt.self) { _ in 1 }
    try container.register(UInt8.self) { _ in 1 }
    try container.register(UInt16.self) { _ in 1 }
    try container.register(UInt32.self) { _ in 1 }
    try container.register(UInt64.self) { _ in 1 }
    try container.register(Float.self) { _ in 1 }
    try container.register(Double.self) { _ in 1 }
    try container.wire(Twelve.self, using: Twelve.init)
    XCTAssertEqual(try container.resolve(Twelve.self).sum, 12)
  }

  func testMemberwiseInitializersCasesAndFunctionsAreWired() throws {
    try registerBasics()
    try container.register(Double.self) { _ in 0.5 }
    try container.wire(Address.self, using: Address.init)
    try container.wire(Address.self, name: "function", using: makeAddress)
    try container.wire(Message.self, using: Message.text)
    try container.wire(Message.self, name: "two", using: Message.coordinates)
    XCTAssertEqual(try container.resolve(Address.self), Address(host: "local", port: 25))
    XCTAssertEqual(
      try container.resolve(Address.self, name: "function"), Address(host: "local", port: 25))
    XCTAssertEqual(try container.resolve(Message.self), .text("local"))
    XCTAssertEqual(try container.resolve(Message.self, name: "two"), .coordinates(25, 0.5))
  }

  func testActorsAndGenericClassesAreWired() throws {
    try registerBasics()
    try container.wire(Counter.self, using: Counter.init).as(.singleton)
    try container.wire(Holder<Log>.self, using: Holder<Log>.init)
    XCTAssertEqual(try container.resolve(Counter.self).start, 25)
    XCTAssertTrue(
      try container.resolve(Holder<Log>.self).content === (try container.resolve(Log.self)))
  }

  func testAFailableInitializerIsWiredUnderItsOptional() throws {
    try registerBasics()
    try container.wire(Failable?.self, using: Failable.init)
    XCTAssertEqual(try container.resolve(Failable?.self)?.host, "local")
    try container.register(String.self) { _ in "" }
    XCTAssertNil(try container.resolve(Failable?.self))
  }

  func testOneOfSeveralInitializersIsNamed() throws {
    try registerBasics()
    try container.wire(Overloaded.self, using: Overloaded.init(host:))
    XCTAssertEqual(try container.resolve(Overloaded.self).text, "local")
  }

  func testADefaultArgumentIsResolved() throws {
    try registerBasics()
    try container.wire(WithDefault.self, using: WithDefault.init)
    XCTAssertEqual(try container.resolve(WithDefault.self).retries, 25)
  }

  // MARK: - Attributes

  func testScopeNameAndOverridableAreThoseOfARegistration() throws {
    try registerBasics()
    try container.wire(
      (any Mail).self, name: "main", scope: .singleton, onDuplicate: .refuse, using: SMTP.init)
    let first = try container.resolve((any Mail).self, name: "main")
    XCTAssertTrue(first === (try container.resolve((any Mail).self, name: "main")))
    XCTAssertThrowsError(
      try container.wire((any Mail).self, name: "main", using: SMTP.init)
    ) { XCTAssertTrue($0.is(.alreadyRegistered)) }
  }

  func testTheContainersDefaultScopeApplies() throws {
    let container = Container(defaultScope: .singleton)
    try container.register(value: "local")
    try container.register(Log.self) { _ in Log() }
    try container.wire((any Mail).self, using: SMTP.init)
    XCTAssertTrue(
      try container.resolve((any Mail).self) === (try container.resolve((any Mail).self)))
  }

  // MARK: - Errors

  func testTheInitializersErrorIsThrownWithItsPath() throws {
    try registerBasics()
    try container.wire(Failing.self, using: Failing.init)
    XCTAssertThrowsError(try container.resolve(Failing.self)) { error in
      let error = error as? ResolutionError
      XCTAssertEqual(error?.underlyingError as? FixtureError, FixtureError("init"))
      XCTAssertEqual(error?.path.map(\.description), ["Failing"])
    }
  }

  func testAMissingDependencyIsNamedWithItsPath() throws {
    try container.register(Log.self) { _ in Log() }
    try container.wire((any Mail).self, using: SMTP.init)
    XCTAssertThrowsError(try container.resolve((any Mail).self)) { error in
      let error = error as? ResolutionError
      XCTAssertTrue(error?.is(.noRegistrationFound) ?? false)
      XCTAssertEqual(error?.path.map(\.description), ["any Mail", "String"])
    }
  }

  func testAnAsynchronousDependencyIsAnErrorOfASynchronousInitializer() throws {
    try container.registerAsync(Log.self) { _ in Log() }
    try container.register(value: "local")
    try container.wire((any Mail).self, using: SMTP.init)
    XCTAssertThrowsError(try container.resolve((any Mail).self)) {
      XCTAssertTrue($0.is(.asyncResolutionRequired))
    }
  }

  func testACycleOfWiredInitializersIsFound() throws {
    try container.wire(Holder<Empty>.self, using: Holder<Empty>.init)
    try container.register(Empty.self) { resolver in
      _ = try resolver.resolve(Holder<Empty>.self)
      return Empty()
    }
    XCTAssertThrowsError(try container.resolve(Empty.self)) {
      XCTAssertTrue($0.is(.circularDependencyDetected))
    }
  }

  // MARK: - Containers

  func testATransientsDependenciesAreThoseOfTheContainerAsked() throws {
    try registerBasics()
    try container.wire((any Mail).self, using: SMTP.init)
    let child = Container(parent: container)
    try child.register(String.self) { _ in "child" }
    XCTAssertEqual(try child.resolve((any Mail).self).host, "child")
    XCTAssertEqual(try container.resolve((any Mail).self).host, "local")
  }

  func testEightThreadsBuildAWiredSingletonOnce() throws {
    let tracker = LifetimeTracker()
    try container.register(value: tracker, as: LifetimeTracker.self)
    try container.wire(Tracked.self, scope: .singleton, using: Tracked.init)
    let container = container
    let serials = try onThreads(8) { _ in try container.resolve(Tracked.self).serial }
    XCTAssertEqual(Set(serials), [1])
    XCTAssertEqual(tracker.created, 1)
  }
}
