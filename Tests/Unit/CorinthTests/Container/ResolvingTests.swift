// SPDX-License-Identifier: MIT

import Corinth
import TestSupport
import XCTest

/// Functions that take whatever resolves.
final class ResolvingTests: ContainerTestCase {
  private final class Part: Sendable {}

  /// A type that hands on what it wraps.
  private struct Services: Resolving {
    let container: Container
    var resolver: Resolver { container.resolver }
  }

  /// What each form of resolve finds.
  private static func found(by services: some Resolving) throws -> [Int?] {
    let inferred: Int = try services.resolve()
    let optional: Int? = try services.resolve()
    let optionalNamed: Int? = try services.resolve(name: "two")
    let name: Name? = "two"
    return [
      try services.resolve(Int.self), inferred, optional,
      try services.resolve(Int.self, name: "two"), try services.resolve(Int.self, name: name),
      optionalNamed,
      try services.resolve(Int.self, arguments: "three"),
      try services.resolveIfRegistered(Int.self), try services.resolveIfRegistered(name: "two"),
      try services.resolveIfRegistered(Int.self, name: "none"),
      try services.resolveIfRegistered(Int.self, arguments: "three"),
      try services.withResolved(Int.self) { $0 },
      try services.withResolved(Int.self, name: "two") { $0 },
      try services.provider(for: Int.self)(), try services.resolveAll(Int.self).count,
      try services.withResolution { try $0.resolve(Int.self) },
    ]
  }

  private let all: [Int?] = [1, 1, 1, 2, 2, 2, 5, 1, 2, nil, 5, 1, 2, 1, 2, 1]

  private func registerNumbers() throws {
    try container.register(value: 1)
    try container.register(value: 2, name: "two")
    try container.register(Int.self) { (_, text: String) in text.count }
  }

  func testContainersScopesResolversAndResolutionsResolveAlike() throws {
    try registerNumbers()
    XCTAssertEqual(try Self.found(by: container), all)
    XCTAssertEqual(try Self.found(by: container.makeScope()), all)
    XCTAssertEqual(try Self.found(by: container.fork()), all)
    XCTAssertEqual(try Self.found(by: container.resolver), all)
    XCTAssertEqual(try container.withResolution { try Self.found(by: $0) }, all)
    try container.register([Int?].self) { try Self.found(by: $0) }
    XCTAssertEqual(try container.resolve([Int?].self), all)
  }

  func testAnExistentialAndATypeOfOnesOwnResolveAlike() throws {
    try registerNumbers()
    let services: any Resolving = container
    XCTAssertEqual(try Self.found(by: services), all)
    XCTAssertEqual(try Self.found(by: Services(container: container)), all)
  }

  func testAsynchronousFormsResolveAlike() async throws {
    @Sendable func found(by services: some Resolving) async throws -> [Int?] {
      let optional: Int? = try await services.resolveAsync()
      return [
        try await services.resolveAsync(Int.self), optional,
        try await services.resolveAsync(Int.self, arguments: "three"),
        try await services.resolveAsyncIfRegistered(Int.self, name: "none"),
        try await services.resolveAsyncIfRegistered(Int.self, arguments: "three"),
        try await services.resolveAllAsync(Int.self).count,
      ]
    }
    try container.registerAsync(Int.self, scope: .singleton) { _ in 1 }
    try container.registerAsync(Int.self) { (_, text: String) in text.count }
    try container.registerAsync([Int?].self) { try await found(by: $0) }
    let direct = try await found(by: container)
    XCTAssertEqual(direct, [1, 1, 5, nil, 5, 1])
    let nested = try await container.resolveAsync([Int?].self)
    XCTAssertEqual(nested, direct)
  }

  func testWhatAFactoryPassesItsResolverToTakesPartInItsResolution() throws {
    @Sendable func part(from services: some Resolving) throws -> Part { try services.resolve() }
    try container.register(Part.self, scope: .graph) { _ in Part() }
    try container.register(Bool.self, scope: .graph) { try part(from: $0) === part(from: $0) }
    XCTAssertTrue(try container.resolve(Bool.self))
    XCTAssertFalse(try part(from: container) === part(from: container))
    XCTAssertTrue(try container.withResolution { try part(from: $0) === part(from: $0) })
  }

  func testAProviderKeepsTheContainerThatMadeItAndNoOther() throws {
    func provider(from services: some Resolving) throws -> Provider<Int> {
      try services.provider(for: Int.self)
    }
    func made(_ make: (Container) throws -> Provider<Int>) throws -> Provider<Int> {
      let container = Container()
      try container.register(value: 1)
      return try make(container)
    }
    XCTAssertEqual(try made { try provider(from: $0) }(), 1)
    XCTAssertThrowsError(try made { try provider(from: $0.resolver) }()) {
      XCTAssertTrue($0.is(.containerGone))
    }
  }

  func testAResolverOfAContainerThatIsGoneSaysSo() throws {
    let resolver = Container().resolver
    XCTAssertThrowsError(try Self.found(by: resolver)) { XCTAssertTrue($0.is(.containerGone)) }
  }
}
