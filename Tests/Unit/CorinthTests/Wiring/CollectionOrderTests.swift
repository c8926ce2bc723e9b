// SPDX-License-Identifier: MIT

import Corinth
import TestSupport
import XCTest

private struct Middleware: Sendable, Equatable {
  let name: String
  init(_ name: String) { self.name = name }
}

/// An element that was overridden, replaced or contributed again used to come last: a test that
/// overrode one middleware of an application ran the others in another order than the application.
final class CollectionOrderTests: AsyncTestCase {
  override func setUp() {
    super.setUp()
    for name in ["auth", "log", "gzip"] {
      XCTAssertNoThrow(
        try container.register(Middleware.self, name: Name(name)) { _ in Middleware(name) })
    }
  }

  private func names(_ container: Container) throws -> [String] {
    let names = try container.resolveAll(Middleware.self).map(\.name)
    XCTAssertEqual(try container.resolve([Middleware].self).map(\.name), names)
    return names
  }

  private func listed(_ container: Container) -> [Name?] {
    container.registrations.map(\.key.name)
  }

  func testAnOverrideTakesThePlaceAndGivesItBack() throws {
    let override = try container.register(Middleware.self, name: "auth", onDuplicate: .require) {
      _ in Middleware("A")
    }
    XCTAssertEqual(try names(container), ["A", "log", "gzip"])
    let other = try container.register(
      value: Middleware("L"), as: Middleware.self, name: "log", onDuplicate: .require)
    XCTAssertEqual(try names(container), ["A", "L", "gzip"])
    override.restore()
    XCTAssertEqual(try names(container), ["auth", "L", "gzip"])
    other.restore()
    XCTAssertEqual(try names(container), ["auth", "log", "gzip"])
  }

  func testModifiersLeaveTheOrderAlone() throws {
    try container.register(Middleware.self, name: "log") { _ in Middleware("L") }
      .as(.singleton).eager()
    XCTAssertEqual(try names(container), ["auth", "L", "gzip"])
    container.release(Middleware.self, name: "log")
    XCTAssertEqual(try names(container), ["auth", "L", "gzip"])
    XCTAssertEqual(listed(container), ["auth", "log", "gzip"])
  }

  func testAReplacementTakesThePlace() async throws {
    let container = container
    try await container.replace(Middleware.self, name: "auth") { _ in
      await Task.yield()
      return Middleware("A")
    }
    try await container.replace(Middleware.self, name: "log") { _ in Middleware("L") }
    let names = try await container.resolveAllAsync(Middleware.self).map(\.name)
    XCTAssertEqual(names, ["A", "L", "gzip"])
  }

  func testAForksRegistrationTakesThePlaceOfItsBase() throws {
    let registered = container.fork()
    try registered.register(Middleware.self, name: "log") { _ in Middleware("L") }
    XCTAssertEqual(try names(registered), ["auth", "L", "gzip"])
    let overridden = try container.fork {
      try $0.register(Middleware.self, name: "auth", onDuplicate: .require) { _ in Middleware("A") }
    }
    XCTAssertEqual(try names(overridden), ["A", "log", "gzip"])
    let second = overridden.fork()
    try second.register(Middleware.self, name: "auth") { _ in Middleware("A2") }
    XCTAssertEqual(try names(second), ["A2", "log", "gzip"])
    second.detach()
    XCTAssertEqual(try names(second), ["A2", "log", "gzip"])
    XCTAssertEqual(listed(second), ["auth", "log", "gzip"])
  }

  func testAForkKeepsTheOrderWhateverItAdoptsFirst() throws {
    let fork = container.fork()
    XCTAssertEqual(try fork.resolve(Middleware.self, name: "gzip").name, "gzip")
    try fork.register(Middleware.self, name: "log") { _ in Middleware("L") }
    XCTAssertEqual(try names(fork), ["auth", "L", "gzip"])
    XCTAssertEqual(listed(fork), ["auth", "log", "gzip"])
    fork.unregister(Middleware.self, name: "auth")
    try fork.register(Middleware.self, name: "auth") { _ in Middleware("A") }
    XCTAssertEqual(try names(fork), ["L", "gzip", "A"], "it was removed")
  }

  func testARegistrationThatIsFinalMayOverrideThatOfAForksBase() throws {
    let fork = container.fork()
    try fork.register(Middleware.self, name: "log", onDuplicate: .refuse) { _ in Middleware("L") }
    XCTAssertEqual(try names(fork), ["auth", "L", "gzip"])
    XCTAssertThrowsError(
      try fork.register(Middleware.self, name: "log") { _ in Middleware("L") })
  }

  func testAChildsElementTakesThePlaceOfItsParents() throws {
    let child = Container(parent: container)
    try child.register(Middleware.self, name: "log") { _ in Middleware("L") }
    try container.register(Middleware.self, name: "last") { _ in Middleware("last") }
    let grandchild = Container(parent: child)
    try grandchild.register(Middleware.self, name: "auth") { _ in Middleware("A") }
    XCTAssertEqual(try names(child), ["auth", "L", "gzip", "last"])
    XCTAssertEqual(try names(grandchild), ["A", "L", "gzip", "last"])
  }

  func testWarmUpKeepsTheOrderOfTheApplication() async throws {
    let (container, log) = (Container(), EventLog())
    func add(_ name: String, as value: String) throws {
      try container.register(Middleware.self, name: Name(name)) { _ in
        log.add(value)
        return Middleware(value)
      }.as(.singleton).eager()
    }
    try add("a", as: "1")
    try add("b", as: "2")
    try add("a", as: "3")
    try await container.warmUp()
    XCTAssertEqual(log.entries, ["3", "2"])
  }
}
