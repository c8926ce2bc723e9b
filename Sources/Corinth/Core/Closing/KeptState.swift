// SPDX-License-Identifier: MIT

/// The place of an instance found by a closing, and the registration. No construction begins there.
struct KeptState: Sendable {
  private enum Place {
    case state(InstanceState)
    /// The instance of a cell, which is sealed.
    case cell(AnyInstanceBox)
  }

  let record: RegistrationRecord
  private let place: Place
  /// The disposers known now: a closing that awaits nothing must not meet a later asynchronous one.
  let disposers: [Disposer]
  /// The state of an instance under construction at that time, if any.
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

  /// Whether nothing is under construction, or will be.
  var isSettled: Bool { stateUnderConstruction?.seal() ?? true }

  /// Whether only a task can wait for the instance, and dispose of it.
  var requiresTask: Bool {
    let awaits = disposers.contains(where: \.isAsynchronous)
    if stateUnderConstruction != nil { return record.isAsynchronous || awaits }
    return awaits && disposable != nil
  }

  /// The instance, if it exists and has disposers.
  var disposable: Disposable? {
    if disposers.isEmpty { return nil }
    let box =
      switch place {
      case .state(let state): state.builtBox
      case .cell(let box): Optional(box)
      }
    return box.map { Disposable(record: record, disposers: disposers, box: $0) }
  }

  /// Lets the caller account for the ``disposable``, if any: see ``InstanceState/claimEnd()``.
  func claimEnd() -> Bool {
    if disposers.isEmpty { return false }
    return switch place {
    case .state(let state): state.claimEnd()
    case .cell(let box): box.claimEnd()
    }
  }
}

extension RegistrationRecord {
  /// Seals the states of the instances of all forms. No slot leads to the registration any more.
  func takeKeptStates() -> [KeptState] {
    forms.filter(\.policy.endsWithContainer).flatMap { form in
      form.sealInstances().map { KeptState(form, $0) }
    }
  }
}

extension RegistrationRecord {
  /// Takes the instances for some arguments out, of this and of its earlier forms: further resolves
  /// build another one. Runs the `==` of the arguments.
  ///
  /// - Parameter mark: for constructions under way.
  func takeKeptStates(for arguments: AnyArguments, _ mark: ReleaseMark) -> [KeptState] {
    guard let hashing else { return [] }
    arguments.identify(by: hashing)
    return forms.compactMap { form in
      guard let (state, taken) = unsafe form.instancesByArguments?.take(arguments, mark) else {
        return nil
      }
      guard let taken = unsafe taken else { return KeptState(form, state) }
      // SAFETY: the reference that the state had. A weak registration's states hold boxes of
      // another class.
      defer { unsafe Reclamation.retire(taken, .awaited) }
      if form.policy.box == .weak { return KeptState(form, state) }
      let box = unsafe Unmanaged<AnyInstanceBox>.fromOpaque(taken.toOpaque())
      return KeptState(form, unsafe box.takeUnretainedValue())
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

  /// Disposes of the instances in turn, in the order of ``disposables(among:)``, and reports them.
  func dispose(
    among registrations: EndingRegistrations?, after outcome: ScopeOutcome,
    _ timeLimits: RunningTimeLimits
  ) async -> [DisposalFailure] {
    var failures: [DisposalFailure] = []
    for disposable in disposables(among: registrations) {
      failures += await disposable.dispose(after: outcome, timeLimits)
      disposable.record.noteDisposal()
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
    // A registration is one node, whatever containers were asked, if its instances are given.
    var ownNodes: [UInt64: Int] = [:]
    for (number, node) in graph.nodes.enumerated() where ownNodes[node.record.serial] == nil {
      ownNodes[node.record.serial] = number
    }
    let ending = Set(instances.map(\.record.serial))
    let numbers = graph.nodes.enumerated().map { number, node in
      let serial = node.record.serial
      return ending.contains(serial) ? ownNodes[serial] ?? number : number
    }
    var dependencies = [[Int]](repeating: [], count: graph.nodes.count)
    for number in graph.nodes.indices {
      // An instance resolved in an inner container has ended with the inner container.
      dependencies[numbers[number]] +=
        graph.successors(of: number) { $0.timing != .elsewhere }.map { numbers[$0] }
    }
    let nodes = instances.map { ownNodes[$0.record.serial] ?? 0 }
    return DisposalOrder.order(ofNodes: nodes, dependencies: dependencies).map { instances[$0] }
  }
}
