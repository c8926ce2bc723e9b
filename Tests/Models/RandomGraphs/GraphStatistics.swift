// SPDX-License-Identifier: MIT

/// Counts of events: they tell how much of the core the graphs reach.
public struct GraphStatistics: CustomStringConvertible {
  private var counts: [String: Int] = [:]

  public init() {}

  mutating func add(_ name: String, _ count: Int = 1) {
    counts[name, default: 0] += count
  }

  mutating func add(_ run: GraphRun, _ seen: GraphRun.Seen) {
    add("graphs")
    add("services", run.graph.services.count)
    for answer in seen.answers {
      switch answer.outcome {
      case .success: add("instances handed out")
      case .failure(let error): add("answers: \(ErrorKind(error).name)")
      }
    }
    add("disposals", seen.disposed.count)
    add("deinits with containers meanwhile", run.parted)
    add("wired services", run.graph.services.count { $0.isWired })
    for tally in run.tallies.joined() {
      add("factory runs", tally[.run])
      add("factories that failed", tally[.run] - tally[.returned])
      add("decorators that returned", tally[.decorated])
      add("actions stopped by a cycle", tally[.letCycleOutOfAction])
    }
  }

  public var description: String {
    counts.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
  }
}

extension ErrorKind {
  fileprivate var name: String {
    switch self {
    case .failure: "failure"
    case .cycle: "cycle"
    case .cancellation: "cancellation"
    case .closed: "closed"
    case .asyncRequired: "asynchronous"
    case .abandoned: "abandoned"
    case .endless: "endless"
    case .other: "other"
    }
  }
}
