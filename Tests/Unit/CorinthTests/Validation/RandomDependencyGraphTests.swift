// SPDX-License-Identifier: MIT

import Corinth
import TestSupport
import XCTest

/// `graph()` of random registrations against what they were made from.
final class RandomDependencyGraphTests: XCTestCase {
  private struct Line: Hashable {
    let source: Int
    let target: Int
    let kind: DependencyKind
  }

  /// The first dependency on each other registration. An optional one that is missing leads
  /// nowhere.
  private func expected(_ graph: AbstractGraph) -> Set<Line> {
    var lines: Set<Line> = []
    for (source, node) in graph.nodes.enumerated() {
      switch node.kind {
      case .forward(let target, _):
        lines.insert(Line(source: source, target: target, kind: .forward))
      case .input: lines.insert(Line(source: source, target: -1, kind: .forward))
      case .factory, .asynchronous:
        var seen: Set<Int> = []
        for (target, form) in node.dependencies {
          if form == .optional, target == graph.nodes.count { continue }
          guard seen.insert(target).inserted else { continue }
          let kind: DependencyKind =
            switch form {
            case .plain, .optional: .direct
            case .lazy: .lazy
            case .provider: .provider
            }
          lines.insert(Line(source: source, target: target, kind: kind))
        }
      }
    }
    return lines
  }

  private func reachable(from start: Int, _ lines: Set<Line>, in count: Int) -> Set<Int> {
    var reached: Set<Int> = [start]
    while true {
      let more = lines.filter { reached.contains($0.source) && $0.target < count }.map(\.target)
      if reached.isSuperset(of: more) { return reached }
      reached.formUnion(more)
    }
  }

  func testFiveThousandRandomGraphsAreShownAsTheyWereRegistered() throws {
    try skipUnderThreadSanitizer()
    var random = SeededGenerator(seed: 23)
    for round in 0..<5_000 {
      let abstract = AbstractGraph(&random)
      let expected = expected(abstract)
      let graph = try abstract.makeContainer().graph()
      let lines = graph.edges.map { edge in
        Line(
          source: graph.registrations[edge.source].key.number, target: edge.key.number,
          kind: edge.kind)
      }
      XCTAssertEqual(Set(lines), expected, "graph \(round): \(abstract)")
      XCTAssertEqual(lines.count, expected.count, "graph \(round): \(abstract)")
      if Set(lines) != expected { return }
      let start = Int.random(in: 0..<abstract.nodes.count, using: &random)
      let key = RegistrationKey(Item.self, name: label(start))
      let part = graph.dependencies(of: key)
      XCTAssertEqual(
        Set(part.registrations.map(\.key.number)),
        reachable(from: start, expected, in: abstract.nodes.count), "graph \(round): \(abstract)")
      for target in abstract.nodes.indices {
        let other = RegistrationKey(Item.self, name: label(target))
        XCTAssertEqual(
          graph.path(from: key, to: other) != nil, part.registrations.contains { $0.key == other })
        XCTAssertEqual(
          graph.dependents(of: other).registrations.contains { $0.key == key },
          part.registrations.contains { $0.key == other })
      }
    }
  }
}
