// SPDX-License-Identifier: MIT

import Corinth
import XCTest

@testable import GraphBenchmark

final class PackageContainerTests: XCTestCase {
  func testCyclesAreReportedAndClosedByProviders() throws {
    var packages = try PackageContainer(
      graph(["a": ["b"], "b": ["c", "d"], "c": ["a"], "d": ["d"], "e": ["a"]]))
    let (cycles, depth) = try packages.resolveAll()
    XCTAssertEqual(cycles, [[0, 1, 2, 0], [3, 3]])
    XCTAssertEqual(depth, 4)
    let c = try packages.container.resolve(Package.self, name: "c")
    let a = try packages.container.resolve(Package.self, name: "a")
    XCTAssertTrue(c.dependencies.isEmpty)
    XCTAssertTrue(try XCTUnwrap(c.deferred.first)() === a)
    packages.container.removeAll()
  }

  func testAnOverriddenPackageIsBuiltAgainOfTheSameDependencies() throws {
    var packages = try PackageContainer(graph(["a": ["b"], "b": []]))
    XCTAssertTrue(try packages.resolveAll().cycles.isEmpty)
    let before = try packages.container.resolve(Package.self, name: "a")
    try packages.register(0)
    let after = try packages.container.resolve(Package.self, name: "a")
    XCTAssertFalse(before === after)
    XCTAssertTrue(before.dependencies[0] === after.dependencies[0])
  }

  private func graph(_ dependencies: KeyValuePairs<String, [String]>) -> PackageGraph {
    PackageGraph(dependencies.map { PackageEntry(name: $0, dependencies: $1) })
  }
}
