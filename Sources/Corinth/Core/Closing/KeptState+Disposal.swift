// SPDX-License-Identifier: MIT

extension KeptState {
  /// Whether only a task can wait for the instance, and dispose of it.
  var requiresTask: Bool {
    let awaits = disposers.contains(where: \.isAsynchronous)
    if stateUnderConstruction != nil { return record.isAsynchronous || awaits }
    return awaits && disposable != nil
  }

  /// The instance, if it exists and has disposers.
  var disposable: Disposable? {
    if disposers.isEmpty { return nil }
    return box.map { Disposable(record: record, disposers: disposers, box: $0) }
  }
}

extension [KeptState] {
  /// Seals the states of the instances of all forms. No slot leads to the registration any more.
  init(takenFrom record: RegistrationRecord) {
    self = []
    take(from: record)
  }

  /// As ``init(takenFrom:)``, into the list.
  mutating func take(from record: RegistrationRecord) {
    for form in record.forms where form.policy.endsWithContainer {
      for state in form.sealInstances() { append(KeptState(form, state)) }
    }
  }

  /// Takes the instances for some arguments out, of all forms of the registration: further resolves
  /// build a new instance. Runs the `==` of the arguments.
  ///
  /// - Parameter mark: for constructions under way.
  init(takenFrom record: RegistrationRecord, for arguments: AnyArguments, _ mark: ReleaseMark) {
    self = []
    guard let hashing = record.hashing else { return }
    arguments.identify(by: hashing)
    self = record.forms.compactMap { form in
      guard let (state, taken) = unsafe form.instancesByArguments?.take(arguments, mark) else {
        return nil
      }
      guard let taken = unsafe taken else { return KeptState(form, state) }
      // SAFETY: the reference that the state had. A weak registration's states hold boxes of
      // another class.
      defer { unsafe Reclamation.retire(taken, .awaited) }
      if form.policy.box == .weak { return KeptState(form, state) }
      let box = unsafe Unmanaged<AnyInstanceBox>.fromOpaque(taken.toOpaque()).takeUnretainedValue()
      return KeptState(form, box)
    }
  }
}

/// An instance to dispose of.
struct Disposable: Sendable {
  let record: RegistrationRecord
  let disposers: [Disposer]
  let box: AnyInstanceBox

  /// Runs the disposers on the calling thread, the latest first. Asynchronous ones came too late.
  func disposeOnThread(after outcome: ScopeOutcome, _ failures: inout [DisposalFailure]) {
    for disposer in disposers.reversed() where !disposer.isAsynchronous {
      do {
        unsafe try box.undecorated.withProduct { unsafe try disposer.dispose($0, outcome) }
      } catch {
        failures.append(DisposalFailure(record, error))
      }
    }
  }

  /// Runs the disposers, the latest first.
  func dispose(
    after outcome: ScopeOutcome, _ timeLimits: RunningTimeLimits
  ) async -> [DisposalFailure] {
    var failures: [DisposalFailure] = []
    for disposer in disposers.reversed() {
      do {
        let result = await withTimeLimit(try timeLimits.next()) { [box] in
          try await disposer.run(box.undecorated, outcome)
        }
        try result.get()
      } catch {
        failures.append(DisposalFailure(record, error))
      }
    }
    return failures
  }
}

extension [KeptState] {
  /// The instances to dispose of, the one completed last first, except for dependencies of earlier
  /// ones, see ``DisposalOrder``. The caller answers for their end.
  ///
  /// - Parameter registrations: the container's, if dependencies may be completed late.
  func disposables(among registrations: EndingRegistrations?) -> [Disposable] {
    var found: [Disposable] = []
    for each in self {
      if let disposable = each.disposable, disposable.box.claimEnd() { found.append(disposable) }
    }
    found.putInOrder(among: registrations)
    return found
  }

  /// As ``disposables(among:)``, but the caller claims every end before the disposal.
  func unclaimedDisposables(among registrations: EndingRegistrations?) -> [Disposable] {
    var found = compactMap(\.disposable)
    found.putInOrder(among: registrations)
    return found
  }

  /// Disposes of the instances in the order of ``disposables(among:)``, and reports them. As many
  /// as the limits allow run side by side if independent: see ``DisposalRelations``.
  func dispose(
    in container: ContainerCore, among registrations: EndingRegistrations?,
    after outcome: ScopeOutcome, _ timeLimits: RunningTimeLimits
  ) async -> [DisposalFailure] {
    let found = disposables(among: registrations)
    if let registrations, !timeLimits.limits.areSequential, found.count > 1 {
      let relations = registrations.relations(of: found, NotedDependencies.bySerial(of: self))
      return await found.dispose(
        in: container, sideBySideAsFarAs: relations, after: outcome, timeLimits)
    }
    var failures: [DisposalFailure] = []
    for disposable in found {
      failures += await disposable.dispose(after: outcome, timeLimits)
      container.noteDisposal(of: disposable.record)
    }
    return failures
  }
}

extension [Disposable] {
  @inline(__always)
  fileprivate mutating func putInOrder(among registrations: EndingRegistrations?) {
    // Sorting an array costs as much as making the array.
    if count < 2 { return }
    sort { $0.box.isDisposedOf(before: $1.box) }
    if let registrations { self = registrations.ordered(self) }
  }
}

extension EndingRegistrations {
  /// Orders instances, given in the reverse order of completion, by their known dependencies.
  fileprivate func ordered(_ instances: [Disposable]) -> [Disposable] {
    let graph = RegistrationGraph(of: self, from: instances.map(\.record))
    if !graph.hasDeferredEdges { return instances }
    // An instance resolved in an inner container has ended with the inner container.
    let ending = EndingGraph(graph, of: instances) { $0.timing != .elsewhere }
    return DisposalOrder.order(ofNodes: ending.nodes, dependencies: ending.dependencies)
      .map { instances[$0] }
  }
}

/// The known dependencies of instances to dispose of.
///
/// A registration is one node, whatever containers were asked, if its instances are given.
struct EndingGraph {
  /// The node of each instance.
  let nodes: [Int]
  /// The nodes that each node depends on.
  private(set) var dependencies: [[Int]]
  /// The node that stands for each node of the graph.
  let numbers: [Int]

  /// - Parameter isFollowed: whether an edge is a dependency.
  init(
    _ graph: RegistrationGraph, of instances: [Disposable],
    where isFollowed: (RegistrationGraph.Edge) -> Bool
  ) {
    var ownNodes: [UInt64: Int] = [:]
    for (number, node) in graph.nodes.enumerated() where ownNodes[node.record.serial] == nil {
      ownNodes[node.record.serial] = number
    }
    let ending = Set(instances.map(\.record.serial))
    let numbers = graph.nodes.enumerated().map { number, node in
      let serial = node.record.serial
      return ending.contains(serial) ? ownNodes[serial] ?? number : number
    }
    dependencies = [[Int]](repeating: [], count: graph.nodes.count)
    for number in graph.nodes.indices {
      dependencies[numbers[number]] +=
        graph.successors(of: number, where: isFollowed).map { numbers[$0] }
    }
    nodes = instances.map { ownNodes[$0.record.serial] ?? 0 }
    self.numbers = numbers
  }
}

extension KeptState {
  /// Waits until nothing is being built, within the limits for all that is awaited since `begin`.
  @inline(never) func settle(
    _ timeLimits: RunningTimeLimits, since begin: ContinuousClock.Instant
  ) async -> Result<Void, any Error> {
    // Already finished: seals without asking for a time limit, which may be exhausted.
    if isSettled { return .success(()) }
    do throws(TimeLimitExceeded) {
      let limit = try timeLimits.next(since: begin)
      let result = await withTimeLimit(limit, on: .steps) { await settle() }
      return result.mapError { error in
        guard error is TimeLimitExceeded else { return error }
        return TimeLimitExceeded(
          limit: timeLimits.limits.exceeded(since: begin), wasBegun: true, of: .construction)
      }
    } catch {
      return .failure(TimeLimitExceeded(limit: error.limit, wasBegun: false, of: .construction))
    }
  }

  /// Blocks the calling thread until nothing is being built, unless a construction is around the
  /// closing itself.
  func settleOnThread() {
    while let state = stateUnderConstruction, !state.seal() {
      guard case .retry = WaitForGraph.wait(for: .state(state), requestedBy: nil) else { return }
    }
  }

  /// As ``settleOnThread()``, without blocking a thread.
  @inline(never) func settle() async {
    while let state = stateUnderConstruction, !state.seal() {
      guard case .retry = await WaitForGraph.waitAsync(for: .state(state), requestedBy: nil) else {
        return
      }
    }
  }
}
