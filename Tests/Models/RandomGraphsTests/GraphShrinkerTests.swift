// SPDX-License-Identifier: MIT

import RandomGraphs
import XCTest

final class GraphShrinkerTests: XCTestCase {
  private func largeGraph() throws -> GraphDescription {
    let graph = GraphGenerator.graph(seed: 42, GraphProfile.all[0])
    XCTAssertGreaterThan(graph.services.count, 1)
    return graph
  }

  func testFailureOfOneServiceShrinksToThatService() throws {
    var graph = try largeGraph()
    var broken = ServiceDescription(.singleton)
    broken.disposer = .async
    broken.factory = [Need(0), Need(1)]
    graph.services.append(broken)
    var shrinker = GraphShrinker { graph in
      graph.services.contains { $0.disposer == .async && !$0.factory.isEmpty }
    }
    let smallest = shrinker.shrink(graph)
    XCTAssertLessThanOrEqual(smallest.services.count, 2, "\(smallest)")
    XCTAssertEqual(smallest.services.flatMap(\.needs).count, 1, "\(smallest)")
    XCTAssertLessThanOrEqual(smallest.callers.count, 1, "\(smallest)")
  }

  func testDependenciesFollowTheirServicesWhenOneIsRemoved() throws {
    let graph = try GraphDescription(
      text: """
        s0 singleton in c0 factory s1 s3
        s1 singleton in c0
        s2 singleton in c0 factory s4
        s3 weak in c0 factory s5
        s4 singleton in c0
        s5 forward in c0 factory s4
        caller thread in c0 s0 s2
        """)
    var shrinker = GraphShrinker { graph in
      graph.services.contains { service in
        service.lifetime == .weak
          && service.factory.contains { graph.services[$0.target].lifetime == .forward }
      }
    }
    let smallest = shrinker.shrink(graph)
    XCTAssertEqual(
      Set(smallest.services.map(\.lifetime)), [.weak, .forward, .singleton], "\(smallest)")
    XCTAssertEqual(smallest.services.count, 3, "\(smallest)")
  }

  func testGraphThatFailsOnlyAsAWholeStaysWhole() throws {
    let graph = try largeGraph()
    var shrinker = GraphShrinker { $0 == graph }
    XCTAssertEqual(shrinker.shrink(graph), graph)
  }
}
