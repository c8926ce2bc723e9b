// SPDX-License-Identifier: MIT

/// Runs one graph again and again in child processes.
struct GraphReproduction {
  private let graph: GraphDescription
  private var kind: GraphProblem.Kind?
  /// The number of runs without a failure after which a graph counts as working.
  private(set) var rounds = 3_000
  private(set) var lastOutput = ""

  init(of graph: GraphDescription) {
    self.graph = graph
  }

  /// Runs the graph until it fails again, and sets the number of runs by that.
  mutating func find(kind: GraphProblem.Kind?) -> Bool {
    self.kind = kind
    guard fails(graph) else { return false }
    if self.kind == nil { self.kind = GraphProblem.Kind(first: lastOutput) }
    let round = lastOutput.split(separator: "in round ").last.flatMap {
      Int($0.prefix { $0.isNumber })
    }
    if let round { rounds = min(rounds, 20 * round + 20) }
    return true
  }

  mutating func fails(_ candidate: GraphDescription) -> Bool {
    let child = ChildRun(
      .this, ["--graph", "\(candidate)\n", "--rounds", "\(rounds)", "--patience", "2"], limit: 30)
    guard child.status != 0 else { return false }
    let output = child.describe()
    guard kind == nil || GraphProblem.Kind(first: output) == kind else { return false }
    lastOutput = output
    return true
  }
}

extension GraphProblem.Kind {
  /// The kind of the first problem in the output of a child.
  init?(first output: String) {
    let word = output.prefix { $0.isLetter }
    self.init(rawValue: String(word))
  }
}
