// SPDX-License-Identifier: MIT

extension Container {
  /// Builds the singletons marked with ``Registration/eager()``, several at once.
  ///
  /// ```swift
  /// try await container.warmUp(maximumConcurrency: 8)
  /// ```
  ///
  /// Singletons known as their dependencies, by the edges of ``graph()``, are built first, side by
  /// side. An unknown dependency is built when a factory asks, and at most a single factory builds
  /// the dependency. As always, an instance is disposed of before the instances from which it was
  /// built.
  ///
  /// The factories run in child tasks, not on the caller's actor.
  ///
  /// - Parameters:
  ///   - validating: whether ``validate(roots:inputs:strictly:)`` comes first.
  ///   - maximumConcurrency: the number of concurrent builds, at least 1.
  /// - Throws: ``ResolutionError/warmUpFailed(_:)`` with all failures. The first failure cancels
  ///   the tasks of all other singletons, and no further build begins. The warm-up does not wait
  ///   for a cancelled asynchronous factory, and does not report a later error of the factory.
  ///   ``RegistrationError/validationFailed(_:)``; ``ResolutionError/containerClosed(_:)``.
  /// - Complexity: O(*n* + *d*) in the numbers of registrations and dependencies, plus the time of
  ///   the factories. Behind every eager singleton, the transients are searched.
  ///
  /// Waits only for constructions of the singletons. No thread is blocked.
  public func warmUp(validating: Bool = false, maximumConcurrency: Int) async throws {
    precondition(
      maximumConcurrency > 0,
      "Container.warmUp: maximumConcurrency is \(maximumConcurrency), and must be at least 1")
    try throwIfClosed(before: "warm up")
    if validating { try validateAtStart() }
    try await warmUp(registry.keysToWarmUp, maximumConcurrency: maximumConcurrency)
    try throwIfClosed(before: "warm up")
  }

  /// Builds the singletons of keys, and the known singleton dependencies, several at once.
  func warmUp(_ keys: [RegistrationKey], maximumConcurrency: Int) async throws {
    var plan = WarmUpPlan(eager: keys, graph())
    var failures: [ResolutionError] = []
    let begin = ContinuousClock.now
    await FailureMemory.duringAsync {
      await withTaskGroup { group in
        var running = 0
        while true {
          while running < maximumConcurrency, failures.isEmpty, let next = plan.next() {
            running += 1
            group.addTask {
              await Self.$beginOfWarmUp.withValue(begin) {
                (next.number, await self.failure(ofBuilding: next.key))
              }
            }
          }
          guard let (number, failure) = await group.next() else { break }
          running -= 1
          plan.complete(number)
          guard let failure else { continue }
          // A construction that ends by this cancellation is no failure of its own.
          let isCancelled = !failures.isEmpty && failure.underlyingError is CancellationError
          if !isCancelled { failures.append(failure) }
          group.cancelAll()
        }
      }
    }
    if !failures.isEmpty { throw ResolutionError.warmUpFailed(failures) }
  }

  /// The begin of the warm-up of the calling task; constructions of the task may have waited since
  /// then.
  @TaskLocal package static var beginOfWarmUp: ContinuousClock.Instant?

  private func failure(ofBuilding key: RegistrationKey) async -> ResolutionError? {
    do throws(ResolutionError) {
      _ = try await registry.boxAsync(of: key, arguments: nil, within: nil)
      return nil
    } catch { return error }
  }
}

/// The singletons to build, and the dependencies that every singleton has to wait for.
private struct WarmUpPlan {
  private let keys: [RegistrationKey]
  /// Per singleton, the dependents.
  private var dependents: [[Int]]
  /// Per singleton, the number of dependencies not yet built.
  private var waitCounts: [Int]
  /// The singletons that may begin, in their order; `begun` counts the begun singletons.
  private var ready: [Int]
  private var begun = 0

  init(eager: [RegistrationKey], _ graph: DependencyGraph) {
    let needs = NeededSingletons(eager: eager, graph)
    keys = needs.keys
    dependents = [[Int]](repeating: [], count: keys.count)
    waitCounts = needs.lists.map(\.count)
    for (number, needed) in needs.lists.enumerated() {
      for other in needed { dependents[other].append(number) }
    }
    ready = keys.indices.filter { needs.lists[$0].isEmpty }
  }

  mutating func next() -> (number: Int, key: RegistrationKey)? {
    guard begun < ready.count else { return nil }
    defer { begun += 1 }
    return (ready[begun], keys[ready[begun]])
  }

  mutating func complete(_ number: Int) {
    for dependent in dependents[number] {
      waitCounts[dependent] -= 1
      if waitCounts[dependent] == 0 { ready.append(dependent) }
    }
  }
}

/// The eager registrations and the known singleton dependencies, with the dependencies among them.
private struct NeededSingletons {
  private(set) var keys: [RegistrationKey] = []
  /// Per key, the numbers of the needed keys, directly or through transients.
  private(set) var lists: [[Int]] = []

  init(eager: [RegistrationKey], _ graph: DependencyGraph) {
    var successors = [[Int]](repeating: [], count: graph.registrations.count)
    for edge in graph.edges where edge.kind.isNeededFromTheStart {
      // A recorded dependency may not be needed every time.
      if let target = edge.target, edge.evidence != .recorded {
        successors[edge.source].append(target)
      }
    }
    let cyclic = Set(graph.cycles.joined())
    let nearest = graph.nearestRegistrations
    let isBuilt = graph.registrations.indices.map { index in
      let registration = graph.registrations[index]
      return registration.scope == .singleton && registration.kind.hasFactory
        && nearest[registration.key] == index && !cyclic.contains(index)
    }
    var numbers: [Int: Int] = [:]
    var order: [Int] = []
    func number(of index: Int) -> Int {
      if let known = numbers[index] { return known }
      numbers[index] = order.count
      order.append(index)
      return order.count - 1
    }
    for key in eager { if let index = nearest[key] { _ = number(of: index) } }
    while lists.count < order.count {
      let start = order[lists.count]
      var (seen, open, needed): (Set<Int>, [Int], [Int]) = ([start], successors[start], [])
      if cyclic.contains(start) { open = [] }
      while let next = open.popLast() {
        guard seen.insert(next).inserted else { continue }
        if isBuilt[next] { needed.append(number(of: next)) } else { open += successors[next] }
      }
      lists.append(needed)
    }
    keys = order.map { graph.registrations[$0].key }
  }
}

extension DependencyKind {
  fileprivate var isNeededFromTheStart: Bool {
    switch self {
    case .direct, .collection, .decorator, .forward: true
    case .lazy, .provider, .input: false
    }
  }
}

extension ListedRegistration.Kind {
  fileprivate var hasFactory: Bool { self == .factory || self == .asynchronousFactory }
}
