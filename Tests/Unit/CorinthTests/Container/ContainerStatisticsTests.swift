// SPDX-License-Identifier: MIT

import Corinth
import TestSupport
import XCTest

final class ContainerStatisticsTests: AsyncTestCase {
  func testTheInstancesThatAreStoredAreCountedByScope() throws {
    let container = Container()
    try container.register(Int.self, scope: .singleton) { _ in 1 }
    try container.register(Double.self, scope: .singleton) { _ in 1 }
    try container.register(Float.self, scope: .cached(for: .seconds(3_600))) { _ in 1 }
    try container.register(Bool.self) { _ in true }
    XCTAssertEqual(container.statistics.built, [:])
    _ = try container.resolve(Int.self)
    _ = try container.resolve(Float.self)
    _ = try container.resolve(Bool.self)
    let statistics = container.statistics
    XCTAssertEqual(statistics.registrations, 4)
    XCTAssertEqual(statistics.built.values.sorted(), [1, 1])
    XCTAssertEqual(statistics.built[.singleton], 1)
    container.releaseAll()
    XCTAssertEqual(container.statistics.built, [:])
  }

  func testScopesAreCountedWhileTheyAreOpenAlsoNestedOnes() async throws {
    let container = Container()
    let outer = container.makeScope()
    let inner = outer.makeScope()
    let other = container.makeScope()
    XCTAssertEqual(container.statistics.openScopes, 3)
    XCTAssertEqual(outer.statistics.openScopes, 1)
    try await inner.close()
    try await other.close()
    XCTAssertEqual(container.statistics.openScopes, 1)
    XCTAssertEqual(container.statistics.isDraining, false)
    let shutdown = Task { try await container.shutdown(draining: .seconds(3600)) }
    while !container.statistics.isDraining { await Task.yield() }
    XCTAssertFalse(container.statistics.isClosed)
    try await outer.close()
    try await shutdown.value
    XCTAssertTrue(container.statistics.isClosed)
    XCTAssertEqual(container.statistics.openScopes, 0)
  }
}
