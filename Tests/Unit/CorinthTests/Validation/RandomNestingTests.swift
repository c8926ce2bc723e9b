// SPDX-License-Identifier: MIT

import Corinth
import TestSupport
import XCTest

/// Random registrations in scopes of several names: what a validation says of them is compared with
/// what resolves do in each order of opening these scopes.
final class RandomNestingTests: XCTestCase {
  func testAValidationFindsNothingIfAndOnlyIfAllResolveInSomeNesting() throws {
    try skipUnderThreadSanitizer()
    var random = SeededGenerator(seed: 17)
    var (clean, circles, captives, openedAgain, refused) = (0, 0, 0, 0, 0)
    let rounds = StressSize.scaled(600)
    for round in 0..<rounds {
      let graph = NestingGraph(&random)
      let containers = try graph.makeContainers()
      let asked = containers[containers.count - 1]
      let results = try graph.nestings.map { nesting in
        try resolving(graph, in: asked, nesting, "graph \(round): \(graph), \(nesting)")
      }
      let findings = findings { try asked.validate() }
      for (container, level) in zip(containers.dropFirst(), graph.levels).reversed()
      where level.isScope { try container.syncClose() }
      let isPossible = results.contains { $0.allSatisfy(\.self) }
      func message() -> String { "graph \(round): \(graph)\n\(findings)" }
      XCTAssertTrue(isPossible || !findings.isEmpty, message())
      // In a child of a scope, a scoped instance is that of the scope: a scope in the child may
      // have another one. Which one of several scopes of a name has an instance, a validation
      // decides for the one that is open.
      let isSettled = !graph.isChildOfScope && !graph.isOpenScopeOneOfSeveral
      XCTAssertTrue(!isPossible || findings.isEmpty || !isSettled, message())
      for finding in findings where finding.kind == .captive {
        if "\(finding)".contains("within each other") {
          circles += 1
          XCTAssertFalse(isPossible, message())
        } else {
          captives += 1
          if "\(finding)".contains("below the nearest request scope") { refused += 1 }
          if graph.hasDistinctNames, isSettled {
            XCTAssertFalse(results.contains { $0[finding.path[0].number] }, message())
          }
        }
      }
      if findings.isEmpty { clean += 1 }
      if findings.isEmpty, !graph.namesOpenedAgain.isEmpty { openedAgain += 1 }
      if findings.isEmpty != isPossible, isSettled { return }
    }
    for count in [clean, circles, captives, openedAgain] {
      XCTAssertGreaterThan(count, rounds / 100)
    }
    XCTAssertGreaterThan(refused, 0)
  }

  /// Whether each registration resolves once the scopes have been opened.
  private func resolving(
    _ graph: NestingGraph, in container: Container, _ nesting: [Int],
    _ message: @autoclosure () -> String
  ) throws -> [Bool] {
    var scopes: [Container] = []
    for name in nesting {
      scopes.append((scopes.last ?? container).makeScope(named: NestingGraph.names[name]))
    }
    let scope = (scopes.last ?? container).makeScope()
    defer { for scope in scopes.reversed() { try? scope.syncClose() } }
    defer { try? scope.syncClose() }
    let chain = graph.chain(nesting)
    let results = try graph.nodes.indices.map { number in
      do {
        _ = try scope.resolve(Item.self, name: label(number))
        return true
      } catch let error as ResolutionError {
        XCTAssertTrue(
          [.scopeRequired, .captiveDependency, .noRegistrationFound].contains(error), "\(error)")
        return false
      }
    }
    XCTAssertEqual(results, graph.nodes.indices.map { graph.resolves($0, in: chain) }, message())
    return results
  }
}

extension NestingGraph {
  /// The root and the open containers, the innermost last.
  fileprivate func makeContainers() throws -> [Container] {
    var containers = [Container()]
    for level in levels {
      let parent = containers[containers.count - 1]
      switch level {
      case .child: containers.append(Container(parent: parent))
      case .scope(let name): containers.append(parent.makeScope(named: name.map { Self.names[$0] }))
      }
    }
    for (number, node) in nodes.enumerated() {
      let needs = node.needs
      try containers[node.level].register(Item.self, name: label(number), scope: node.scope) {
        resolver in
        for (target, byProvider) in needs {
          let name = label(target)
          _ =
            byProvider
            ? try resolver.provider(for: Item.self, name: name)()
            : try resolver.resolve(Item.self, name: name)
        }
        return Item()
      }.dependsOn(
        keys: needs.map { target, byProvider in
          byProvider
            ? RegistrationKey(Provider<Item>.self, name: label(target))
            : RegistrationKey(Item.self, name: label(target))
        })
    }
    return containers
  }

  /// Whether the container that is asked is not a request scope, but within one.
  fileprivate var isChildOfScope: Bool {
    levels.last?.isScope == false && levels.contains(where: \.isScope)
  }

  /// Whether no two open scopes have the same name: a path then begins with what does not resolve.
  fileprivate var hasDistinctNames: Bool {
    let open = levels.compactMap { if case .scope(let name) = $0 { name } else { nil } }
    return Set(open).count == open.count
  }
}

extension NestingGraph.Node {
  fileprivate var scope: Scope<Item> {
    switch lifetime {
    case .transient: .transient
    case .graph: .graph
    case .singleton: .singleton
    case .weak: .weak
    case .scoped: .scoped
    case .named(let name): .scoped(in: NestingGraph.names[name])
    }
  }
}
