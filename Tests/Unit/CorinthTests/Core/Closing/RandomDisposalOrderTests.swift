// SPDX-License-Identifier: MIT

import TestSupport
import XCTest

@testable import Corinth

/// Orders of disposal over random graphs, beside what is demanded of them, by brute force.
final class RandomDisposalOrderTests: XCTestCase {
  func testDependentsMoveForwardAndNothingElse() {
    var random = SeededGenerator(seed: 40)
    for round in 0..<StressSize.scaled(2_000) {
      let nodeCount = Int.random(in: 1...9, using: &random)
      let nodes = (0..<Int.random(in: 0...9, using: &random)).map { _ in
        Int.random(in: 0..<nodeCount, using: &random)
      }
      let mostEdges = Int.random(in: 0...3, using: &random)
      let dependencies = (0..<nodeCount).map { _ in
        (0..<Int.random(in: 0...mostEdges, using: &random)).map { _ in
          Int.random(in: 0..<nodeCount, using: &random)
        }
      }
      let order = DisposalOrder.order(ofNodes: nodes, dependencies: dependencies)
      let faults = faults(of: order, nodes, dependencies)
      XCTAssert(faults.isEmpty, "round \(round): \(nodes) \(dependencies) \(order) \(faults)")
    }
  }

  func testManyInstancesInARowTakeNoStack() {
    let count = 20_000
    // Each depends on the one before it, which was completed later.
    let order = DisposalOrder.order(
      ofNodes: Array(0..<count), dependencies: (0..<count).map { $0 == 0 ? [] : [$0 - 1] })
    XCTAssertEqual(order, (0..<count).reversed())
  }

  private func faults(of order: [Int], _ nodes: [Int], _ dependencies: [[Int]]) -> [String] {
    if order.sorted() != Array(nodes.indices) { return ["not each instance once"] }
    let leads = reachability(dependencies)
    /// Whether the dependent of two instances is known, and is not itself what the other depends
    /// on.
    func depends(_ dependent: Int, on dependency: Int) -> Bool {
      leads[nodes[dependent]][nodes[dependency]] && !leads[nodes[dependency]][nodes[dependent]]
    }
    let places = Dictionary(uniqueKeysWithValues: zip(order, 0...))
    var faults: [String] = []
    for first in nodes.indices {
      for second in nodes.indices where first != second {
        let isBefore = places[first, default: 0] < places[second, default: 0]
        if depends(first, on: second), !isBefore { faults.append("\(second) before \(first)") }
        // What was completed earlier comes first only as a dependent of one that comes no later by
        // completion.
        if first > second, isBefore,
          !(0...second).contains(where: { depends(first, on: $0) })
        {
          faults.append("\(first) has moved before \(second)")
        }
      }
    }
    return faults
  }

  private func reachability(_ dependencies: [[Int]]) -> [[Bool]] {
    var leads = dependencies.map { targets in
      dependencies.indices.map { targets.contains($0) }
    }
    for middle in leads.indices {
      for start in leads.indices where leads[start][middle] {
        for end in leads.indices where leads[middle][end] { leads[start][end] = true }
      }
    }
    return leads
  }
}
