// SPDX-License-Identifier: MIT

import RandomGraphs
import TestSupport
import XCTest

final class GraphGeneratorTests: XCTestCase {
  override func setUpWithError() throws { try skipUnderThreadSanitizer() }

  private static let seeds: ClosedRange<UInt64> = 1...300

  /// The graphs of all profiles, generated once for all tests.
  private static let graphs = GraphProfile.all.flatMap { profile in
    seeds.map { (profile, seed: $0, graph: GraphGenerator.graph(seed: $0, profile)) }
  }

  private func forEachGraph(_ body: (GraphDescription, String) throws -> Void) rethrows {
    for (profile, seed, graph) in Self.graphs {
      try body(graph, "seed \(seed), profile \(profile.name)")
    }
  }

  func testSameSeedGivesTheSameGraph() {
    for (profile, seed, graph) in Self.graphs {
      XCTAssertEqual(GraphGenerator.graph(seed: seed, profile), graph)
    }
  }

  func testSeedsGiveDifferentGraphs() {
    let graphs = Self.seeds.map { GraphGenerator.graph(seed: $0, GraphProfile.all[1]).description }
    XCTAssertEqual(Set(graphs).count, graphs.count)
  }

  func testPrintedGraphIsReadBackAsItWas() throws {
    try forEachGraph { graph, name in
      XCTAssertEqual(try GraphDescription(text: graph.description), graph, name)
    }
  }

  func testDeinitsAreAddedToGraphsThatStayAsTheyAre() throws {
    var (added, resolving) = (0, 0)
    for var profile in GraphProfile.all {
      for seed in Self.seeds {
        profile.features.remove(.farewells)
        let plain = GraphGenerator.graph(seed: seed, profile)
        XCTAssertTrue(plain.services.allSatisfy(\.farewells.isEmpty))
        profile.features.insert(.farewells)
        var graph = GraphGenerator.graph(seed: seed, profile)
        XCTAssertEqual(try GraphDescription(text: graph.description), graph)
        for index in graph.services.indices {
          for case .service(let target) in graph.services[index].farewells {
            resolving += 1
            XCTAssertTrue(graph.has(target, in: graph.services[index].container))
          }
          if !graph.services[index].farewells.isEmpty { added += 1 }
          graph.services[index].farewells = []
        }
        XCTAssertEqual(graph, plain)
      }
    }
    XCTAssertGreaterThan(added, 3_000)
    XCTAssertGreaterThan(resolving, 300)
  }

  func testTextThatIsNoGraphIsRefused() {
    for line in ["s0", "s0 single in c0", "s0 singleton in c0 factory x1", "caller thread c0 s0"] {
      XCTAssertThrowsError(try GraphDescription(text: line), line)
    }
  }

  func testSynchronousCodeNeedsNoAsynchronousServices() {
    forEachGraph { graph, name in
      if name.hasSuffix("crossing") { return }
      for service in graph.services where service.lifetime != .forward {
        for case (false, let needs) in service.parts {
          for need in needs where need.route != .spawnedTask && need.route != .unrelatedTask {
            XCTAssertFalse(graph.isAsynchronous(need.target), name)
          }
        }
      }
      for caller in graph.callers where !caller.isTask {
        XCTAssertFalse(caller.services.contains { graph.isAsynchronous($0) }, name)
      }
    }
  }

  func testOnlyTheProfilesOfCompositionAndOfBehaviorsHaveDecoratorsAndWiring() {
    var (decorated, wired) = (0, 0)
    forEachGraph { graph, name in
      if name.contains("composition") {
        decorated += graph.services.count { !$0.decorators.isEmpty }
        wired += graph.services.count { $0.isWired && !$0.factory.isEmpty }
      } else if !name.contains("watched") {
        XCTAssertTrue(graph.services.allSatisfy { $0.decorators.isEmpty && !$0.isWired }, name)
      }
    }
    XCTAssertGreaterThan(decorated, 300)
    XCTAssertGreaterThan(wired, 300)
  }

  func testOnlyTheProfilesOfNamedScopesHaveThose() {
    var (kept, fromWithin) = (0, 0)
    forEachGraph { graph, name in
      let named = graph.services.indices.filter { graph.services[$0].lifetime == .named }
      if name.hasSuffix("watched") { return }
      if !name.contains("named-scopes") { return XCTAssertEqual(named, [], name) }
      kept += named.count
      for caller in graph.callers {
        if case .request = graph.containers[caller.container] { continue }
        fromWithin += caller.services.count { named.contains($0) }
      }
    }
    XCTAssertGreaterThan(kept, 300)
    XCTAssertGreaterThan(fromWithin, 100)
  }

  func testInitializersAreWiredToWhatTheyCanHaveParametersFor() {
    forEachGraph { graph, name in
      for service in graph.services {
        for need in service.needs.dropFirst(service.isWired ? service.factory.count : 0) {
          XCTAssertNotEqual(need.route, .maybe, name)
        }
        guard service.isWired else { continue }
        XCTAssertLessThanOrEqual(service.factory.count, 3, name)
        let routes = Set<Need.Route>([.resolver, .lazy, .maybe, .provider])
        XCTAssertTrue(routes.isSuperset(of: service.factory.map(\.route)), name)
        XCTAssertFalse(service.factory.contains(where: \.isOptional), name)
      }
    }
  }

  func testLongerLivedServicesNeedNoScopedOnes() {
    forEachGraph { graph, name in
      for service in graph.services {
        switch service.lifetime {
        case .singleton, .weak, .cached, .custom:
          for need in service.needs { XCTAssertFalse(graph.reachesScoped(need.target), name) }
        default: break
        }
      }
    }
  }

  func testCallersOnlyAskForWhatTheirContainerHas() {
    forEachGraph { graph, name in
      XCTAssertFalse(graph.callers.isEmpty, name)
      for caller in graph.callers {
        XCTAssertFalse(caller.services.isEmpty, name)
        for service in caller.services {
          XCTAssertTrue(graph.has(service, in: caller.container), name)
        }
      }
    }
  }

  func testProfilesLeaveOutWhatTheyAreToLeaveOut() {
    forEachGraph { graph, name in
      let analysis = GraphAnalysis(graph)
      if name.hasSuffix("acyclic") { XCTAssertFalse(analysis.isOnCycle.contains(true), name) }
      if name.hasSuffix("clean") {
        XCTAssertFalse(graph.services.contains { $0.failure != nil }, name)
        XCTAssertFalse(graph.services.contains { $0.needs.contains(where: \.isOptional) }, name)
      }
      if name.hasSuffix("no-after-init") {
        XCTAssertTrue(graph.services.allSatisfy(\.actions.isEmpty), name)
      }
      if name.hasSuffix("sync") && !name.hasSuffix("async") {
        XCTAssertFalse(graph.services.indices.contains { graph.isAsynchronous($0) }, name)
      }
    }
  }
}
