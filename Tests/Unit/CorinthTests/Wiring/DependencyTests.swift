// SPDX-License-Identifier: MIT

import TestSupport
import XCTest

@testable import Corinth

/// What a registration records about its parameters.
final class DependencyTests: ContainerTestCase {
  private struct Service {
    let log: Log
    let mail: (any Mail)?
    let lazy: Lazy<Log>
    let providers: [Provider<Log>]
    let backup: Named<Log, Backup>
    let deferred: Provider<Log>?
    let id: Int
  }

  private func dependencies<Product>(
    of registration: Registration<Product>
  ) -> [Dependency]? {
    container.registry.table.find(registration.key)?
      .withRegistration { $0.attributes.parameters?.dependencies } ?? nil
  }

  func testTheParametersAreRecordedWithTheirRoles() throws {
    let registration = try container.wire(
      Service.self, arguments: Int.self, using: Service.init)
    let dependencies = try XCTUnwrap(dependencies(of: registration))
    XCTAssertEqual(
      dependencies.map(\.key.description),
      ["Log", "any Mail", "Log", "Log", "Log named \"backup\"", "Log", "Int"])
    XCTAssertEqual(
      dependencies.map(\.kinds),
      [
        [], [.optional], [.lazy], [.collection, .provider], [], [.optional, .provider],
        [.argument],
      ])
    XCTAssertEqual(dependencies.map(\.kind)[0], .required)
    XCTAssertEqual(dependencies[3].parameter.description, "[Provider<Log>]")
  }

  func testModifiersKeepThem() throws {
    try container.register(Log.self) { _ in Log() }
    let registration = try container.wire(
      (any Mail).self, using: SMTP.init
    ).as(.singleton).eager()
    XCTAssertEqual(
      dependencies(of: registration)?.map(\.key.description), ["Log", "String"])
  }

  func testAnInitializerWithoutParametersHasNoneAndAFactoryIsUnknown() throws {
    XCTAssertEqual(
      dependencies(of: try container.wire(Int.self, using: { @Sendable () -> Int in 1 })), [])
    XCTAssertNil(dependencies(of: try container.register(Int.self) { _ in 1 }))
  }

  func testAsynchronousInitializersRecordThemToo() throws {
    let registration = try container.wireAsync((any Mail).self, using: SMTP.init)
    XCTAssertEqual(
      dependencies(of: registration)?.map(\.key.description), ["Log", "String"])
  }
}
