// SPDX-License-Identifier: MIT

import Corinth
import Foundation
import Synchronization
import TestSupport

/// One run of a graph: its containers and its record.
final class GraphRun: @unchecked Sendable {
  // SAFETY: `seen` is only touched with the lock held; all else is constant or atomic.

  /// The error of a factory or an action that fails as described.
  struct Failure: Error {
    let service: Int
  }

  /// Ends a factory that runs without end.
  struct Endless: Error {}

  /// The outcome of a resolve, by a caller or by a spawned thread or task.
  struct Answer {
    let service: Int
    let container: Int
    /// The number of the caller; `nil` for a spawned resolve.
    var caller: Int?
    /// The service whose resolver was asked by what its factory or an action has spawned.
    var spawner: Int?
    /// The time before the resolve.
    var asked = 0
    let outcome: Result<Product, any Error>
    var incompleteness: String?

    /// Whether the resolve is a part of a resolution.
    var isInside: Bool { spawner != nil }
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

  /// A closed container.
  struct Closing {
    let container: Int
    /// The time after the return of the call.
    let time: Int
  }

  let graph: GraphDescription
  /// The graph that the oracle checks the run against.
  let expected: GraphDescription
  let analysis: GraphAnalysis
  let names: [Name]
  /// Counts the instances.
  let alive: AtomicCounter
  /// A number of runs of one factory that the graph cannot need.
  let runsAtMost: Int
  /// For each service and container.
  let tallies: [[Tally]]
  let containers: [Container]
  private(set) var watchers: [Watcher] = []
  let references = ReferenceLog()

  private let clock = Atomic(0)
  private let serials = Atomic(0)
  /// For each service.
  private let spawns: [AtomicCounter]
  /// For each service, the number of deinits.
  private let parts: [AtomicCounter]
  private let closing = Atomic(false)
  private let over = Atomic(false)
  private var seen = Seen()
  /// A lock that ThreadSanitizer sees.
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
    spawns = graph.services.map { _ in AtomicCounter() }
    parts = graph.services.map { _ in AtomicCounter() }
    names = graph.services.indices.map { Name("s\($0)") }
    tallies = graph.services.map { _ in graph.containers.map { _ in Tally() } }
    var containers: [Container] = []
    for kind in graph.containers {
      switch kind {
      case .root: containers.append(Container())
      case .child(let parent): containers.append(Container(parent: containers[parent]))
      case .scope(let parent): containers.append(containers[parent].makeScope())
      case .request(let parent):
        containers.append(containers[parent].makeScope(named: GraphDescription.scopeName))
      }
    }
    self.containers = containers
    if graph.services.contains(where: { !$0.farewells.isEmpty }) {
      try containers[0].registerAides(alive)
    }
    watchers = zip(graph.watchers, expected.watchers).map {
      Watcher($0, checkedAs: $1, of: self)
    }
    addWatchers { $0.isMultiple(of: 2) }
    // Half of the decorators are there before what they decorate.
    for index in graph.services.indices where index.isMultiple(of: 2) {
      try addDecorators(of: index)
    }
    for index in graph.services.indices {
      try registerEntry(of: index)
      try register(index)
    }
    for index in graph.services.indices where !index.isMultiple(of: 2) {
      try addDecorators(of: index)
    }
    addWatchers { !$0.isMultiple(of: 2) }
  }

  // MARK: - Record

  func now() -> Int { clock.add(1, ordering: .relaxed).newValue }
  func nextSerial() -> Int { serials.add(1, ordering: .relaxed).newValue }

  /// Whether a service may spawn another resolve. What its factory spawns may run the factory
  /// again, without end if that always fails: the second run is the last one that spawns.
  func maySpawn(from index: Int) -> Bool {
    spawns[index].add() <= graph.services[index].spawnsAtMost
  }

  /// - Returns: the number of deinits of products of a service, with this one.
  func notePart(of index: Int) -> Int { parts[index].add() }

  var parted: Int { parts.reduce(0) { $0 + $1.value } }

  /// Whether the closing of a container has begun.
  var isAnyClosing: Bool { closing.load(ordering: .sequentiallyConsistent) }

  /// Whether the record has been taken. A construction that all have left may begin even later.
  var isOver: Bool { over.load(ordering: .relaxed) }

  func noteBeginOfClosing() { closing.store(true, ordering: .sequentiallyConsistent) }

  func withSeen(_ body: (inout Seen) -> Void) {
    lock.withLock { body(&seen) }
  }

  /// The record, which the run does not keep.
  func takeSeen() -> Seen {
    over.store(true, ordering: .relaxed)
    return lock.withLock {
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

  // MARK: - Callers and factories under way

  // Relaxed, as the count must not order one factory before another: that would hide a race between
  // them from ThreadSanitizer. The release in `end` pairs with the load in `waitForAll`.
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
  /// - Returns: `nil` when they have; a description when no factory has begun for as long as
  ///   `patience`, or when the end does not come although factories begin.
  func waitForAll(_ patience: TimeInterval) -> String? {
    let intervals = 4
    var counts = [factoryRuns]
    while !waitForAll(until: Date(timeIntervalSinceNow: patience / Double(intervals))) {
      counts.append(factoryRuns)
      let last = counts.suffix(intervals + 1)
      if last.count > intervals, last.first == last.last {
        return "\(stillUnderWay) have not returned, a hang after factory runs: \(counts)"
      }
      if counts.count > 10 * intervals {
        return "\(stillUnderWay) have not returned, a livelock with factory runs: \(counts)"
      }
    }
    return nil
  }

  private func waitForAll(until deadline: Date) -> Bool {
    condition.withLock {
      while stillUnderWay > 0 {
        if !condition.wait(until: deadline), stillUnderWay > 0 { return false }
      }
      return true
    }
  }

  private var stillUnderWay: Int { underWay.load(ordering: .acquiring) }

  private var factoryRuns: Int { tallies.joined().reduce(0) { $0 + $1[.run] } }
}

extension ServiceDescription {
  fileprivate var spawnsAtMost: Int { 2 * needs.count { $0.route.isSpawned } }
}

extension GraphDescription {
  fileprivate var runsAtMost: Int {
    let resolves = callers.reduce(0) { $0 + $1.services.count }
    let spawns =
      services.reduce(0) { $0 + $1.spawnsAtMost + $1.partingResolvesAtMost }
      + Self.asksAtMost * watchers.count
    // A cycle of transients ends after 64 levels.
    return min(20_000, 300 + 70 * largestExpansion * (resolves + spawns))
  }
}
