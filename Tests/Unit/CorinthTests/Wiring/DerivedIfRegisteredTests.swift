// SPDX-License-Identifier: MIT

import Corinth
import TestSupport
import XCTest

/// `resolveIfRegistered` of an array, a `Lazy`, a `Provider` or a `Named` used to be `nil` although
/// an optional parameter of the same type was filled: each had a rule of its own.
final class DerivedIfRegisteredTests: ContainerTestCase {
  private struct Wired {
    let all: [Log]?
    let lazy: Lazy<Log>?
    let provider: Provider<Log>?
    let named: Named<Log, Backup>?
  }

  private static func resolve(with resolver: Resolver) throws -> Wired {
    Wired(
      all: try resolver.resolveIfRegistered(), lazy: try resolver.resolveIfRegistered(),
      provider: try resolver.resolveIfRegistered(), named: try resolver.resolveIfRegistered())
  }

  private func levels(_ found: Wired) throws -> [[Int]?] {
    [
      found.all?.map(\.level), try (found.lazy?.value.level).map { [$0] },
      try (found.provider?().level).map { [$0] }, (found.named?.value.level).map { [$0] },
    ]
  }

  override func setUp() {
    super.setUp()
    XCTAssertNoThrow(try container.wire(Wired.self, using: Wired.init))
  }

  func testAMissingContentIsNilAsThatOfAParameter() throws {
    XCTAssertNil(try container.resolveIfRegistered([Log].self))
    XCTAssertNil(try container.resolveIfRegistered(Lazy<Log>.self))
    XCTAssertNil(try container.resolveIfRegistered(Provider<Log>.self))
    XCTAssertNil(try container.resolveIfRegistered(Named<Log, Backup>.self))
    XCTAssertEqual(try levels(container.resolve(Wired.self)), [nil, nil, nil, nil])
  }

  func testAContainerFindsWhatAParameterGets() throws {
    try container.register(Log.self) { _ in Log(level: 1) }
    try container.register(Log.self, name: "backup") { _ in Log(level: 2) }
    XCTAssertEqual(try container.resolveIfRegistered([Log].self)?.map(\.level), [1, 2])
    XCTAssertEqual(try container.resolveIfRegistered(Lazy<Log>.self)?.value.level, 1)
    XCTAssertEqual(try container.resolveIfRegistered(Provider<Log>.self)?().level, 1)
    XCTAssertEqual(
      try container.resolveIfRegistered(Named<Log, Backup>.self)?.value.level, 2)
    XCTAssertEqual(try levels(container.resolve(Wired.self)), [[1, 2], [1], [1], [2]])
  }

  func testAResolverFindsThem() throws {
    try container.register(Log.self) { _ in Log(level: 1) }
    try container.register(Log.self, name: "backup") { _ in Log(level: 2) }
    try container.register(Wired.self) { try Self.resolve(with: $0) }
    XCTAssertEqual(try levels(container.resolve(Wired.self)), [[1, 2], [1], [1], [2]])
  }

  func testANameIsThatOfTheContent() throws {
    try container.register(Log.self, name: "backup") { _ in Log(level: 2) }
    XCTAssertEqual(
      try container.resolveIfRegistered(Lazy<Log>.self, name: "backup")?.value.level, 2)
    let optional: Name? = "backup"
    XCTAssertEqual(
      try container.resolveIfRegistered(Provider<Log>.self, name: optional)?().level, 2)
    XCTAssertNil(try container.resolveIfRegistered(Lazy<Log>.self))
    XCTAssertNil(try container.resolveIfRegistered([Log].self, name: "backup"))
  }

  func testARegistrationOfTheTypeItselfComesFirst() throws {
    try container.register(Log.self) { _ in Log(level: 1) }
    try container.register([Log].self) { _ in [Log(level: 7), Log(level: 8)] }
    XCTAssertEqual(try container.resolveIfRegistered([Log].self)?.map(\.level), [7, 8])
    container.unregister([Log].self)
    XCTAssertEqual(try container.resolveIfRegistered([Log].self)?.map(\.level), [1])
  }

  func testTheContentMayBeThatOfAParent() throws {
    try container.register(Log.self) { _ in Log(level: 1) }
    let child = Container(parent: container)
    XCTAssertEqual(try child.resolveIfRegistered(Lazy<Log>.self)?.value.level, 1)
    XCTAssertEqual(try child.fork().resolveIfRegistered([Log].self)?.count, 1)
  }

  func testTasksFindAsynchronousContents() async throws {
    let none = try await container.resolveAsyncIfRegistered([Log].self)
    XCTAssertNil(none)
    try container.registerAsync(Log.self, name: "backup") { _ in Log(level: 2) }
    let all = try await container.resolveAsyncIfRegistered([Log].self)
    XCTAssertEqual(all?.map(\.level), [2])
    let named = try await container.resolveAsyncIfRegistered(Named<Log, Backup>.self)
    XCTAssertEqual(named?.value.level, 2)
    let lazy = try await container.resolveAsyncIfRegistered(Lazy<Log>.self, name: "backup")
    let level = try await lazy?.valueAsync.level
    XCTAssertEqual(level, 2)
  }

  func testAContentThatFailsIsAnError() throws {
    struct Failure: Error {}
    try container.register(Log.self, name: "backup") { _ in throw Failure() }
    XCTAssertThrowsError(try container.resolveIfRegistered([Log].self)) {
      XCTAssertTrue(($0 as? ResolutionError)?.underlyingError is Failure)
    }
    XCTAssertThrowsError(try container.resolveIfRegistered(Named<Log, Backup>.self))
  }
}
