// SPDX-License-Identifier: MIT

import TestSupport
import XCTest

@testable import Corinth

/// Searches of the wait-for graph, in graphs that are made without regard to cycles.
final class WaitPathTests: ManualTestCase {
  private func keys(
    _ start: ManualConstruction, to goals: [ManualConstruction]
  ) -> [RegistrationKey]? {
    WaitForGraph.withLock { _ in
      WaitPath.find(from: start.construction, to: goals.map(\.construction))?.keys
    }
  }

  func testThePathFromAConstructionToItselfIsItsKey() throws {
    let a = try begin("a")
    XCTAssertEqual(keys(a, to: [a]), [a.key])
  }

  func testThereIsNoPathToNothingNorToAStranger() throws {
    let (a, b) = (try begin("a"), try begin("b"))
    XCTAssertNil(keys(a, to: []))
    XCTAssertNil(keys(a, to: [b]))
  }

  func testAPathLeadsThroughWaitsInOneDirection() throws {
    let (a, b, c) = (try begin("a"), try begin("b"), try begin("c"))
    let waits = [a.resolve(b), b.resolve(c)]
    XCTAssertEqual(keys(a, to: [c]), [a.key, b.key, c.key])
    XCTAssertNil(keys(c, to: [a]))
    XCTAssertEqual(waits.map(\.verdict), [.waiting, .waiting])
  }

  func testAPathEndsAtTheFirstGoal() throws {
    let (a, b, c) = (try begin("a"), try begin("b"), try begin("c"))
    let waits = [a.resolve(b), b.resolve(c)]
    XCTAssertEqual(keys(a, to: [c, b]), [a.key, b.key])
    XCTAssertEqual(waits.map(\.verdict), [.waiting, .waiting])
  }

  func testThePathNamesItsWaitsFromTheEndOn() throws {
    let (a, b, c) = (try begin("a"), try begin("b"), try begin("c"))
    let waits = [a.resolve(b), b.resolve(c)]
    let path = try XCTUnwrap(
      WaitForGraph.withLock { _ in WaitPath.find(from: a.construction, to: [c.construction]) })
    XCTAssertTrue(path.waits.map(\.wait).elementsEqual([waits[1].wait, waits[0].wait], by: ===))
    XCTAssertEqual(path.waits.map(\.construction.key), [b.key, a.key])
    XCTAssertTrue(path.end === c.construction)
  }

  func testThereIsNoPathThroughAWaitThatHasEnded() throws {
    let (a, b) = (try begin("a"), try begin("b"))
    let resolve = a.resolve(b)
    WaitForGraph.withLock { _ in resolve.wait.end(.retry) }
    XCTAssertNil(keys(a, to: [b]))
    XCTAssertTrue(a.links.waits.isEmpty && b.links.waiters.isEmpty)
  }

  /// Early references hold up publication: a construction that has lenders goes on as long as it
  /// has work.
  func testAPathLeadsFromAHeldConstructionToItsLenders() throws {
    let a = try beginExposed("a")
    let b = try a.inside { try beginExposed("b") }
    XCTAssertEqual(b.resolve(a).verdict, .instance)
    XCTAssertNil(keys(b, to: [a]))
    try b.finish()
    XCTAssertEqual(keys(b, to: [a]), [b.key, a.key])
  }

  // MARK: - Against an oracle

  /// Whether there is a path is the same as in the transitive closure of all edges, and each path
  /// is one.
  func testPathsInRandomGraphsAreThoseOfTheTransitiveClosure() throws {
    for seed in 1...UInt64(StressSize.scaled(300)) {
      var random = SeededGenerator(seed: seed)
      let graph = try RandomWaits(&random) { index, isAsynchronous in
        try begin(Name("\(seed)-\(index)"), isAsynchronous: isAsynchronous)
      }
      try graph.hold(&random) { tracker.make() }
      for start in graph.all.indices {
        for goal in graph.all.indices {
          let found = keys(graph.all[start], to: [graph.all[goal]])
          XCTAssertEqual(
            found != nil, graph.isReachable(goal, from: start),
            "seed \(seed): from \(start) to \(goal) in \(graph.edges)")
          guard let found else { continue }
          XCTAssertTrue(
            graph.isPath(found, from: start, to: goal),
            "seed \(seed): \(found) from \(start) to \(goal) in \(graph.edges)")
        }
      }
      graph.end()
    }
  }
}
