// SPDX-License-Identifier: MIT

import Corinth
import Foundation
import Synchronization
import TestSupport

/// One run of a graph: its containers, and what has been seen of it.
final class GraphRun: @unchecked Sendable {
  // SAFETY: what has been seen is only touched with the lock held; all else is constant or atomic.

  /// What a factory that is asked to fail throws.
  struct Failure: Error {
    let service: Int
  }

  /// Thrown by a factory that has run without end, to end it.
  struct Endless: Error {}

  /// What a caller, or a task or thread that a factory has left alone, has been told.
  struct Answer {
    let service: Int
    let container: Int
    /// The number of the caller; `nil` for one that a factory has left alone.
    let caller: Int?
    /// When it asked.
    var asked = 0
    /// Whether a resolver was asked, and the resolve is a part of a resolution.
    var isInside = false
    let outcome: Result<Product, any Error>
    var incompleteness: String?
  }

  struct Seen {
    var answers: [Answer] = []
    var problems: [GraphProblem] = []
    /// In the order of disposal.
    var disposed: [Disposal] = []
    var closings: [Closing] = []
  }

  struct Disposal {
    let product: Product
    let time: Int
  }

  /// A container that somebody has closed.
  struct Closing {
    let container: Int
    /// When the call had returned.
    let time: Int
  }

  let graph: GraphDescription
  /// What the oracle is told that the graph is.
  let expected: GraphDescription
  let analysis: GraphAnalysis
  let names: [Name]
  /// The instances that there are.
  let alive: AtomicCounter
  /// More runs of one factory than the graph can need: one that has run as often runs without end.
  let runsAtMost: Int
  /// For each service and container.
  let tallies: [[Tally]]
  let containers: [Container]

  private let clock = Atomic(0)
  private let serials = Atomic(0)
  private let spawned = Atomic(0)
  private var seen = Seen()
  /// One that ThreadSanitizer sees.
  private let lock = NSLock()

  private let condition = NSCondition()
  private let underWay = Atomic(0)

  init(_ graph: GraphDescription, checkedAs expected: GraphDescription, _ alive: AtomicCounter)
    throws
  {
    self.alive = alive
    self.graph = graph
    self.expected = expected
    analysis = GraphAnalysis(expected)
    runsAtMost = graph.runsAtMost
    names = graph.services.indices.map { Name("s\($0)") }
    tallies = graph.services.map { _ in graph.containers.map { _ in Tally() } }
    var containers: [Container] = []
    for kind in graph.containers {
      switch kind {
      case .root: containers.append(Container())
      case .child(let parent): containers.append(Container(parent: containers[parent]))
      case .scope(let parent): containers.append(containers[parent].makeScope())
      }
    }
    self.containers = containers
    for index in graph.services.indices { try register(index) }
  }

  // MARK: - What happened

  func now() -> Int { clock.add(1, ordering: .relaxed).newValue }
  func nextSerial() -> Int { serials.add(1, ordering: .relaxed).newValue }

  /// Tasks and threads that factories leave alone may begin others: not without end.
  func maySpawn() -> Bool { spawned.add(1, ordering: .relaxed).newValue <= 100 }

  func withSeen(_ body: (inout Seen) -> Void) {
    lock.withLock { body(&seen) }
  }

  /// What has been seen, which the run does not keep.
  func takeSeen() -> Seen {
    lock.withLock {
      defer { seen = Seen() }
      return seen
    }
  }

  func report(_ kind: GraphProblem.Kind, _ text: String) {
    withSeen { $0.problems.append(GraphProblem(kind, text)) }
  }

  /// The index of a container of the run.
  func index(of container: Container) -> Int {
    containers.firstIndex { $0 === container } ?? 0
  }

  // MARK: - Who is under way

  // Relaxed where it can be: the count is not to order one factory before another, which would hide a race
  // between them from ThreadSanitizer. Pairs with the load in waitForAll.
  func begin(_ count: Int = 1) {
    underWay.add(count, ordering: .relaxed)
  }

  func end() {
    if underWay.add(-1, ordering: .releasing).newValue == 0 {
      condition.withLock { condition.signal() }
    }
  }

  /// Waits until all callers have returned, and all factories.
  ///
  /// - Returns: `false` when that takes longer than `patience`.
  func waitForAll(atMost patience: TimeInterval) -> Bool {
    let deadline = Date(timeIntervalSinceNow: patience)
    return condition.withLock {
      while underWay.load(ordering: .acquiring) > 0 {
        if !condition.wait(until: deadline), stillUnderWay > 0 { return false }
      }
      return true
    }
  }

  var stillUnderWay: Int { underWay.load(ordering: .acquiring) }
}

extension GraphDescription {
  fileprivate var runsAtMost: Int {
    let resolves = callers.reduce(0) { $0 + $1.services.count }
    let spawns = services.contains { $0.needs.contains(where: \.route.isSpawned) } ? 100 : 0
    // A cycle of transients ends after 64 levels.
    return min(20_000, 300 + 70 * largestExpansion * (resolves + spawns))
  }
}
