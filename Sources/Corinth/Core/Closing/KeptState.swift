// SPDX-License-Identifier: MIT

/// The place where a closing finds an instance, with its registration. No construction begins there any more.
struct KeptState: Sendable {
  private enum Place {
    case state(InstanceState)
    /// The cell that it was taken from is sealed.
    case cell(AnyInstanceBox)
  }

  let record: RegistrationRecord
  private let place: Place
  /// Those that are known now: what awaits nothing must not come to an asynchronous one that is added meanwhile.
  let disposers: [Disposer]
  /// The state in which an instance was being built then, if it was.
  let stateUnderConstruction: InstanceState?

  /// Seals the state.
  init(_ record: RegistrationRecord, _ state: InstanceState) {
    self.record = record
    place = .state(state)
    disposers = record.disposers
    stateUnderConstruction = state.seal() ? nil : state
  }

  /// - Parameter box: from a sealed cell.
  init(_ record: RegistrationRecord, _ box: AnyInstanceBox) {
    self.record = record
    place = .cell(box)
    disposers = record.disposers
    stateUnderConstruction = nil
  }

  /// Whether nothing is being built, or will be.
  var isSettled: Bool { stateUnderConstruction?.seal() ?? true }

  /// Whether only a task can wait for the instance and dispose of it.
  var requiresTask: Bool {
    let awaits = disposers.contains(where: \.isAsynchronous)
    if stateUnderConstruction != nil { return record.isAsynchronous || awaits }
    return awaits && disposable != nil
  }

  /// The instance, if there is one and it has disposers.
  var disposable: Disposable? {
    if disposers.isEmpty { return nil }
    return box.map { Disposable(record: record, disposers: disposers, box: $0) }
  }

  /// The instance, if there is one. Not for a weak one.
  var box: AnyInstanceBox? {
    switch place {
    case .state(let state): state.builtBox
    case .cell(let box): box
    }
  }
}

extension RegistrationRecord {
  /// Seals the states of its instances, and of those of its earlier forms. No slot leads to it any more.
  func takeKeptStates() -> [KeptState] {
    forms.filter(\.policy.endsWithContainer).flatMap { form in
      form.sealInstances().map { KeptState(form, $0) }
    }
  }
}

/// An instance that is to be disposed of.
struct Disposable: Sendable {
  let record: RegistrationRecord
  let disposers: [Disposer]
  let box: AnyInstanceBox

  /// Runs the disposers on the calling thread, the one added last first. Asynchronous ones have come too late.
  func disposeOnThread(after outcome: ScopeOutcome, _ failures: inout [DisposalFailure]) {
    for disposer in disposers.reversed() where !disposer.isAsynchronous {
      do {
        unsafe try box.undecorated.withProduct { unsafe try disposer.dispose($0, outcome) }
      } catch {
        failures.append(DisposalFailure(record, error))
      }
    }
  }

  /// Runs the disposers, the one added last first.
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
  /// The instances to dispose of, the one completed last first, but for those that others depend on, see ``DisposalOrder``. The
  /// caller answers for their end.
  ///
  /// - Parameter registrations: those of the container, if some may depend on what was completed later.
  func disposables(among registrations: EndingRegistrations?) -> [Disposable] {
    var found: [Disposable] = []
    for each in self {
      if let disposable = each.disposable, disposable.box.claimEnd() { found.append(disposable) }
    }
    found.putInOrder(among: registrations)
    return found
  }

  /// The same, but that the caller claims the end of each before its disposal.
  func unclaimedDisposables(among registrations: EndingRegistrations?) -> [Disposable] {
    var found = compactMap(\.disposable)
    found.putInOrder(among: registrations)
    return found
  }

  /// Disposes of them in the order of ``disposables(among:)``, and reports each to the behaviors. As many as the limits allow
  /// run side by side, if neither is known to depend on the other: see ``DisposalRelations``.
  func dispose(
    among registrations: EndingRegistrations?, after outcome: ScopeOutcome,
    _ timeLimits: RunningTimeLimits
  ) async -> [DisposalFailure] {
    let found = disposables(among: registrations)
    if let registrations, !timeLimits.limits.areSequential, found.count > 1 {
      let relations = registrations.relations(of: found, NotedDependencies.bySerial(of: self))
      return await found.dispose(sideBySideAsFarAs: relations, after: outcome, timeLimits)
    }
    var failures: [DisposalFailure] = []
    for disposable in found {
      failures += await disposable.dispose(after: outcome, timeLimits)
      disposable.record.noteDisposal()
    }
    return failures
  }
}

extension [Disposable] {
  @inline(__always)
  fileprivate mutating func putInOrder(among registrations: EndingRegistrations?) {
    // Sorting an array costs as much as making it.
    if count < 2 { return }
    sort { $0.box.isDisposedOf(before: $1.box) }
    if let registrations { self = registrations.ordered(self) }
  }
}

extension EndingRegistrations {
  /// Orders instances, which come in the reverse order of their completion, by what is known of their dependencies.
  fileprivate func ordered(_ instances: [Disposable]) -> [Disposable] {
    let graph = RegistrationGraph(of: self, from: instances.map(\.record))
    if !graph.hasDeferredEdges { return instances }
    let ending = EndingGraph(graph, of: instances) { $0.timing != .elsewhere }
    return DisposalOrder.order(ofNodes: ending.nodes, dependencies: ending.dependencies)
      .map { instances[$0] }
  }
}

/// The known dependencies of instances that are to be disposed of.
///
/// A registration is one node, whatever containers it may have been asked in, if its instances are among these.
struct EndingGraph {
  /// The node of each instance.
  let nodes: [Int]
  /// The nodes that each node depends on.
  private(set) var dependencies: [[Int]]
  /// The node that stands for each node of the graph.
  let numbers: [Int]

  /// - Parameter isFollowed: whether an edge is one. An instance resolved in a container within the one that ends has ended
  ///   with that container.
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
