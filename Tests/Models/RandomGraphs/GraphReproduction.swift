// SPDX-License-Identifier: MIT

import TestSupport

/// Runs one graph again and again in child processes.
struct GraphReproduction {
  private let graph: GraphDescription
  private let patience: Double
  private var kind: GraphProblem.Kind?
  /// The number of runs without a failure after which a graph counts as working.
  private(set) var rounds = 40_000
  private(set) var lastOutput = ""

  init(of graph: GraphDescription, patience: Double) {
    self.graph = graph
    self.patience = min(patience, 2)
  }

  /// Runs the graph until it fails again, and sets the number of runs by that.
  mutating func find(kind: GraphProblem.Kind?) -> Bool {
    self.kind = kind
    guard fails(graph) else { return false }
    if self.kind == nil { self.kind = GraphProblem.Kind(first: lastOutput) }
    let round = lastOutput.split(separator: "in round ").last.flatMap {
      Int($0.prefix { $0.isNumber })
    }
    rounds = round.map { min(rounds, 4 * $0 + 40) } ?? 100
    return true
  }

  mutating func fails(_ candidate: GraphDescription) -> Bool {
    // A graph with two faults may hang before it shows the wanted one.
    for _ in 0..<5 {
      let child = run(candidate)
      if child.status == CommandLineRun.otherFailure { continue }
      guard child.status != 0 else { return false }
      let output = child.describe()
      guard let found = GraphProblem.Kind(first: output), found.isLike(kind ?? found) else {
        return false
      }
      lastOutput = output
      return true
    }
    return false
  }

  private func run(_ candidate: GraphDescription) -> ChildRun {
    var arguments = [
      "--graph", "\(candidate)\n", "--rounds", "\(rounds)", "--patience", "\(patience)",
    ]
    if let kind {
      let names = GraphProblem.Kind.allCases.filter { $0.isLike(kind) }.map(\.rawValue)
      arguments += ["--only", names.joined(separator: ",")]
    }
    return ChildRun(.this, arguments, limit: 60)
  }
}

extension GraphProblem.Kind {
  /// The kind of the first problem in the output of a child.
  init?(first output: String) {
    let word = output.prefix { $0.isLetter }
    self.init(rawValue: String(word))
  }

  /// Whether both kinds may be the same fault: the end of a run without end depends on the machine.
  fileprivate func isLike(_ other: GraphProblem.Kind) -> Bool {
    let endless: Set<GraphProblem.Kind> = [.hang, .endless, .crash]
    return self == other || endless.isSuperset(of: [self, other])
  }
}
