// SPDX-License-Identifier: MIT

/// The disposal of a request scope with all instances in cells, the usual case. Makes no lists.
extension ContainerCore {
  /// Disposes of everything, if all is in cells and nothing must be awaited. The container has been
  /// sealed, and its closing claimed.
  ///
  /// - Returns: `nil` if the ordinary steps are to be taken.
  func disposeFromCells(_ closing: Unmanaged<Closing>) -> [DisposalFailure]? {
    var next = NextInCells(self, after: nil)
    if hasSlots || !next.suffices {
      closingState.admitUsers()
      return nil
    }
    return unsafe disposeOnThread(closing) { closing, failures in
      while next.disposeOnThread(in: self, after: closing.outcome, &failures), next.count > 1 {
        next = NextInCells(self, after: next)
      }
    }
  }

  /// The instance completed last, of the instances to dispose of. Looked for by the closing alone.
  // SAFETY: at +0, as a registration's reference count would be a write to memory shared by
  // threads. The cells hold record and instance until the disposal of all.
  @safe
  private struct NextInCells {
    private var found: (record: Unmanaged<RegistrationRecord>, word: PlaceWord)?
    /// The numbers of the cells whose turn is over, as bits, and the current cell's.
    private var turns: UInt32 = 0
    private var turn: UInt32 = 0
    private var completion: UInt64 = 0
    /// The number of instances found.
    private(set) var count = 0
    /// Whether all have numbers, and none is to be awaited.
    private(set) var suffices = true

    init(_ container: __shared ContainerCore, after last: NextInCells?) {
      if let last { turns = last.turns | last.turn }
      guard let cells = container.cells else { return }
      container.forEachSealedCell { look(at: $0, $1, $2, in: cells) }
      // An order by dependencies takes a list.
      if count > 1, DeferredDependencies.mayExist(in: container) { suffices = false }
    }

    private mutating func look(
      at record: RegistrationRecord, _ cell: ScopeCell, _ word: PlaceWord, in cells: ScopeCells
    ) {
      // Some instances by argument may be under construction.
      let isInstance = !word.isBuilding && record.key.arguments == nil
      if isInstance, !record.hasDisposers { return }
      guard isInstance, let bit = cell.bit(in: cells) else {
        suffices = false
        return
      }
      if turns & bit != 0 { return }
      if record.hasAsynchronousDisposers { suffices = false }
      count += 1
      let number = word.holdsInstance ? cell.completion : word.box?.completion ?? 0
      if count > 1, !AnyInstanceBox.isDisposedOf(number, before: completion) { return }
      unsafe found = (.passUnretained(record), word)
      turn = bit
      completion = number
    }

    /// - Returns: `false` without an instance.
    func disposeOnThread(
      in container: ContainerCore, after outcome: ScopeOutcome,
      _ failures: inout [DisposalFailure]
    ) -> Bool {
      guard let found = unsafe found else { return false }
      unsafe found.record._withUnsafeGuaranteedRef { record in
        if let sole = unsafe record.unretainedSoleDisposer, unsafe found.word.holdsInstance {
          unsafe sole._withUnsafeGuaranteedRef { disposer in
            do {
              unsafe try withUnsafePointer(to: found.word.address) {
                unsafe try disposer.dispose(UnsafeRawPointer($0), outcome)
              }
            } catch {
              failures.append(DisposalFailure(record, error))
            }
          }
        } else {
          let box = unsafe found.word.box(by: record)
          // The construction may have reported the instance as dropped.
          if !box.claimEnd() { return }
          Disposable(record: record, disposers: record.disposers, box: box)
            .disposeOnThread(after: outcome, &failures)
        }
        container.noteDisposal(of: record)
      }
      return true
    }
  }
}

/// The end of a request scope whose cells have one user, who closes the scope: invariant 3 of
/// cells.c. Nobody else is inside or comes in, so most steps are plain stores.
extension ContainerCore {
  /// Closes the scope, without anything to dispose of.
  ///
  /// - Returns: `false` if the ordinary steps are to be taken.
  @inline(__always)
  func closeCellsAlone() -> Bool {
    guard let cells = table.cells, !requiresDisposal, !openScopes.isMarked, cells.areLone,
      closingState.closeAlone()
    else { return false }
    if requiresDisposal {
      // A writer, or a late disposer, has come meanwhile.
      closingState.reopenForClosers()
      return false
    }
    if openScopes.isMarked { noteMarkedSeal() }
    cells.emptyAlone()
    noteEndOfScope()
    return true
  }

  /// As ``claimClosing(after:)``, without a seal before, of a scope that nobody but the caller has
  /// entered and that has something to dispose of: the usual end of a request.
  @inline(__always)
  func claimClosingAlone(after outcome: ScopeOutcome) -> Unmanaged<Closing>? {
    guard let cells = table.cells, ending.requireDisposal, !hasSlots, !openScopes.isMarked,
      cells.areLone
    else { return nil }
    let closing = unsafe Closing.begin(after: outcome)
    guard unsafe closingState.claimAlone(closing) else {
      unsafe Closing.letGo(closing)
      return nil
    }
    cells.sealAlone()
    if openScopes.isMarked { noteMarkedSeal() }
    return unsafe closing
  }
}

/// All other disposals have a list of the instances.
extension ContainerCore {
  /// Takes all instances kept by the container and the versions, for a closing to dispose of.
  func handKeptStates(to closing: Closing) {
    if DeferredDependencies.mayExist(in: self) { closing.registrations = .init(of: self) }
    // A container with versions has slots.
    if hasSlots { closing.versions = EndingVersions(of: self, endingBy: closing) }
    closing.kept = takeKeptStates()
    closing.versions?.takeKeptStates()
  }

  /// Takes all registrations and kept instances out, and keeps further ones from being built.
  func takeKeptStates() -> [KeptState] {
    var kept: [KeptState] = []
    forEachPlace(inSealedCells: true) { record, place in
      if let state = place.state ?? WaitForGraph.keptState(of: place) {
        kept.append(KeptState(record, state))
      } else if record.hasDisposers, let box = place.box(of: record) {
        kept.append(KeptState(record, box))
      }
    }
    if hasSlots {
      unsafe withRegistrationsTaken { records in
        for index in records.indices { unsafe kept.take(from: records[index]) }
      }
      for record in takeOverridden() { kept.take(from: record) }
    }
    return kept
  }
}
