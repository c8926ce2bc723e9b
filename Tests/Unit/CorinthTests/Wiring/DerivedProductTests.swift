// SPDX-License-Identifier: MIT

import Corinth
import TestSupport
import XCTest

/// A name that is asked for after the lookup of its product, and closes the container.
private enum Closing: NameMarker {
  static let container = Container()
  static var name: Name {
    XCTAssertNoThrow(try container.syncClose())
    return "backup"
  }
}

final class DerivedProductTests: ContainerTestCase {
  private func assertMissing<Value>(
    _ key: String, line: UInt = #line, _ resolve: () throws -> Value
  ) {
    XCTAssertThrowsError(try resolve(), line: line) { error in
      XCTAssertTrue(error.is(.noRegistrationFound), line: line)
      XCTAssertEqual((error as? ResolutionError)?.key.description, key, line: line)
    }
  }

  // MARK: - On their own

  func testEachResolvesForARegisteredType() throws {
    try container.register(Log.self) { _ in Log() }.as(.singleton)
    let log = try container.resolve(Log.self)
    XCTAssertTrue(try container.resolve(Lazy<Log>.self).value === log)
    XCTAssertTrue(try container.resolve(Provider<Log>.self)() === log)
    XCTAssertTrue(try container.resolve([Log].self)[0] === log)
    let inferred: Lazy<Log> = try container.resolve()
    XCTAssertTrue(try inferred.value === log)
  }

  func testTheyResolveUnderTheNamesOfTheRegistrations() throws {
    try container.register(Log.self, name: "backup") { _ in Log(level: 2) }
    XCTAssertEqual(try container.resolve(Lazy<Log>.self, name: "backup").value.level, 2)
    XCTAssertEqual(try container.resolve(Provider<Log>.self, name: "backup")().level, 2)
    XCTAssertEqual(try container.resolve(Named<Log, Backup>.self).value.level, 2)
    assertMissing("Log") { try container.resolve(Lazy<Log>.self) }
    assertMissing("Named<Log, Backup> named \"x\"") {
      try container.resolve(Named<Log, Backup>.self, name: "x")
    }
    assertMissing("[Log] named \"backup\"") {
      try container.resolve([Log].self, name: "backup")
    }
  }

  func testAMissingTypeFailsAtTheResolve() {
    assertMissing("Log") { try container.resolve(Lazy<Log>.self) }
    assertMissing("Log") { try container.resolve(Provider<Log>.self) }
    assertMissing("Log named \"backup\"") { try container.resolve(Named<Log, Backup>.self) }
    assertMissing("[Log]") { try container.resolve([Log].self) }
    assertMissing("Log") { try container.resolve(Lazy<Provider<Log>>.self) }
    assertMissing("[Log]") { try container.resolve(Lazy<[Log]>.self) }
    assertMissing("[Provider<Log>]") { try container.resolve([Provider<Log>].self) }
  }

  func testAnExplicitRegistrationWins() throws {
    try container.register(Log.self) { _ in Log(level: 1) }
    try container.register([Log].self) { _ in [] }
    try container.register(Provider<Log>.self) { resolver in
      try resolver.resolve(Provider<Log>.self, name: "own")
    }
    try container.register(Log.self, name: "own") { _ in Log(level: 3) }
    XCTAssertEqual(try container.resolve([Log].self).count, 0)
    XCTAssertEqual(try container.resolve(Provider<Log>.self)().level, 3)
    container.unregister([Log].self)
    XCTAssertEqual(try container.resolve([Log].self).count, 2)
  }

  func testAPlainOptionalKeepsItsMeaning() throws {
    assertMissing("Log?") { try container.resolve(Log?.self) }
    try container.register(Log.self) { _ in Log(level: 1) }
    assertMissing("Log?") { try container.resolve(Log?.self) }
    let perhaps: Log? = try container.resolve()
    XCTAssertEqual(perhaps?.level, 1)
  }

  func testOtherGenericTypesAreNotDerived() throws {
    struct Box<Content> { let content: Content }
    try container.register(Log.self) { _ in Log() }
    assertMissing("Box<Log>") { try container.resolve(Box<Log>.self) }
    assertMissing("Dictionary<String, Log>") { try container.resolve([String: Log].self) }
  }

  // MARK: - Recursion

  func testTheyNest() throws {
    try container.register(Log.self) { _ in Log(level: 1) }
    try container.register(Log.self, name: "backup") { _ in Log(level: 2) }
    XCTAssertEqual(
      try container.resolve([Provider<Log>].self).map { try $0().level }, [1, 2])
    XCTAssertEqual(
      try container.resolve([Lazy<Provider<Log>>].self).map { try $0.value().level }, [1, 2])
    XCTAssertEqual(try container.resolve(Lazy<[Log]>.self).value.map(\.level), [1, 2])
    XCTAssertEqual(try container.resolve(Provider<[Log]>.self)().map(\.level), [1, 2])
    XCTAssertEqual(
      try container.resolve(Provider<Named<Log, Backup>>.self)().value.level, 2)
    XCTAssertEqual(try container.resolve(Lazy<Lazy<Log>>.self).value.value.level, 1)
  }

  func testABorrowedDerivedProductResolvesToo() throws {
    try container.register(Log.self) { _ in Log(level: 1) }
    XCTAssertEqual(try container.withResolved([Log].self) { $0.map(\.level) }, [1])
  }

  func testAForwardMayLeadToADerivedProduct() throws {
    try container.register(Log.self, name: "backup") { _ in Log(level: 2) }
    try container.forward(Any.self, to: Named<Log, Backup>.self)
    let any = try container.resolve(Any.self)
    XCTAssertEqual((any as? Named<Log, Backup>)?.value.level, 2)
  }

  // MARK: - As parameters

  func testTheyAreResolvedAsParameters() throws {
    struct Service {
      let lazy: Lazy<Log>
      let provider: Provider<Log>
      let all: [Log]
      let backup: Named<Log, Backup>
      let deferred: Provider<Log>?
      let absent: Provider<Double>?
      let missing: [Double]?
    }
    try container.register(Log.self) { _ in Log(level: 1) }
    try container.register(Log.self, name: "backup") { _ in Log(level: 2) }
    try container.wire(Service.self, using: Service.init)
    let service = try container.resolve(Service.self)
    XCTAssertEqual(try service.lazy.value.level, 1)
    XCTAssertEqual(try service.provider().level, 1)
    XCTAssertEqual(service.all.map(\.level), [1, 2])
    XCTAssertEqual(service.backup.value.level, 2)
    XCTAssertEqual(try service.deferred?().level, 1)
    XCTAssertNil(service.absent)
    XCTAssertNil(service.missing)
  }

  // MARK: - Optional parameters

  private struct Client {
    let log: Log?
  }

  func testAnOptionalParameterIsNilWhenNothingIsRegistered() throws {
    try container.wire(Client.self, using: Client.init)
    XCTAssertNil(try container.resolve(Client.self).log)
    let registration = try container.register(Log.self) { _ in Log(level: 1) }
    XCTAssertEqual(try container.resolve(Client.self).log?.level, 1)
    container.unregister(registration)
    XCTAssertNil(try container.resolve(Client.self).log)
  }

  func testARegistrationOfTheOptionalComesFirst() throws {
    try container.wire(Client.self, using: Client.init)
    try container.register(Log.self) { _ in Log(level: 1) }
    try container.register(Log?.self) { _ in Log(level: 2) }
    XCTAssertEqual(try container.resolve(Client.self).log?.level, 2)
    container.unregister(Log?.self)
    XCTAssertEqual(try container.resolve(Client.self).log?.level, 1)
  }

  func testAnErrorOfADependencyPassesThroughAnOptional() throws {
    try container.wire(Client.self, using: Client.init)
    try container.register(Log.self) { resolver in Log(level: try resolver.resolve()) }
    assertMissing("Int") { try container.resolve(Client.self) }
    try container.register(Log.self) { _ in throw FixtureError("log") }
    XCTAssertThrowsError(try container.resolve(Client.self)) {
      XCTAssertEqual(
        ($0 as? ResolutionError)?.underlyingError as? FixtureError, FixtureError("log"))
    }
  }

  func testAnOptionalParameterIsFoundInAParent() throws {
    try container.register(Log.self) { _ in Log(level: 1) }
    let child = Container(parent: container)
    try child.wire(Client.self, using: Client.init)
    XCTAssertEqual(try child.resolve(Client.self).log?.level, 1)
  }

  // MARK: - Lifetime

  func testNeitherKeepsTheContainerAlive() throws {
    var container: Container? = Container()
    try container?.register(Log.self) { _ in Log() }
    let lazy = try container?.resolve(Lazy<Log>.self)
    let provider = try container?.resolve(Provider<Log>.self)
    weak let reference = container
    container = nil
    XCTAssertNil(reference)
    XCTAssertThrowsError(try lazy?.value) { XCTAssertTrue($0.is(.containerGone)) }
    XCTAssertThrowsError(try provider?()) { XCTAssertTrue($0.is(.containerGone)) }
  }

  /// It was `nil`, as if nothing were registered: found by random graphs that are closed meanwhile.
  func testAnOptionalWhoseContainerIsClosedWhileItIsLookedUpIsAnErrorAndNotNil() throws {
    try Closing.container.register(Log.self, name: "backup") { _ in Log() }
    let log = Injected<Named<Log, Closing>?>(.everyAccess, from: .container(Closing.container))
    XCTAssertThrowsError(try log()) {
      let error = ($0 as? ResolutionError)?.underlyingError as? ResolutionError
      XCTAssertEqual(error?.is(.containerClosed), true, "\($0)")
    }
  }
}
