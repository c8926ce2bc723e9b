// SPDX-License-Identifier: MIT

/// What keeps instances until its end: a request scope, or a resolution. Some are in cells, the others in a store. Note 24.
protocol InstanceKeeper: AnyObject {
  /// The cells; `nil` if there are none yet.
  var cells: ScopeCells? { get }
  /// The state in the store of a registration's instance without arguments; `nil` once the store is sealed.
  func storedState(of record: RegistrationRecord) -> InstanceState?
}

extension InstanceKeeper {
  /// The state of an instance that cells may hold; `nil` once this has ended. What its cell holds goes over to the state.
  func state(of record: RegistrationRecord, in cells: ScopeCells) -> InstanceState? {
    switch unsafe cells.place(ownedBy: Unmanaged.passUnretained(record)) {
    case .closed: nil
    case .none: storedState(of: record)
    case .cell(let cell): state(of: record, insteadOf: cell)
    }
  }

  /// Has the store keep the state of a cell's instance from now on.
  ///
  /// - Returns: `nil` once this has ended.
  @discardableResult
  func state(
    of record: RegistrationRecord, insteadOf cell: ScopeCell
  ) -> InstanceState? {
    while true {
      let word = cell.load()
      if word.isSealed { return nil }
      guard let state = storedState(of: record) else { return nil }
      if word.isHandedOver { return state }
      if word.isBuilding {
        join(cell, in: state, record)
      } else if word.isEmpty {
        _ = cell.exchange(word, with: .handedOver)
      } else {
        hand(over: cell, to: state, record)
      }
    }
  }

  /// Makes the construction under way in a cell an ordinary one. Its thread gets a reference to the registration, which
  /// the cell has kept alive for it.
  private func join(_ cell: ScopeCell, in state: InstanceState, _ record: RegistrationRecord) {
    WaitsMutex.withLock {
      let word = cell.load()
      // The mark comes first: without it, the thread may end the construction, and use it again, at any moment.
      guard word.isBuilding, cell.exchange(word, with: word.contended) else { return }
      // SAFETY: the thread that finds the mark takes the mutex before it lets go of the construction.
      if let context = unsafe word.content(as: ResolutionContext.self),
        unsafe context._withUnsafeGuaranteedRef({ $0.takeOver(state) })
      {
        unsafe _ = Unmanaged.passRetained(record)
      }
      _ = cell.exchange(word.contended, with: .handedOver)
    }
  }

  /// Stores the instance of a cell in the state. The cell keeps its own reference, for resolves that have loaded it.
  private func hand(
    over cell: ScopeCell, to state: InstanceState, _ record: RegistrationRecord
  ) {
    let section = Section.enter()
    defer { section.leave() }
    cells?.admit(section)
    let word = cell.load()
    guard word.isBuilt else { return }
    // Another thread may have stored it just now.
    _ = unsafe state.replace(nil, with: cell.box(of: word, by: record))
    _ = cell.exchange(word, with: word.handedOver)
  }

  // MARK: - Walks

  /// Hands instances over to the store, those too that are being built.
  ///
  /// - Parameter closing: whether further registrations are kept out: no instance comes into a cell after this.
  func moveFromCells(closing: Bool) {
    forEachOwnedCell(closing: closing) { record, cell in
      state(of: record, insteadOf: cell)
    }
  }

  /// Keeps instances in cells from being built or resolved. Those that are being built go over to the store. Any number of
  /// closers may do this.
  func sealCells() {
    forEachOwnedCell(closing: true) { record, cell in
      while true {
        let word = cell.load()
        if word.isEmpty || word.isBuilt {
          if cell.exchange(word, with: word.sealed) { return }
        } else {
          // `nil` if it is sealed.
          state(of: record, insteadOf: cell)
          return
        }
      }
    }
  }

  /// Calls `body` with the registration of each cell that has an instance, or in which one is being built.
  func forEachUnsealedCell(_ body: (RegistrationRecord) -> Void) {
    forEachOwnedCell { record, cell in
      let word = cell.load()
      if !word.isEmpty, !word.isSealed, !word.isHandedOver { body(record) }
    }
  }

  /// Calls `body` with each sealed cell that holds an instance, and with its word. The section keeps the content alive, which
  /// another closer may be taking out.
  @inline(__always)
  func forEachSealedCell(_ body: (RegistrationRecord, ScopeCell, CellWord) -> Void) {
    forEachOwnedCell { record, cell in
      let word = cell.load()
      if word.isSealed, word.address != 0 { body(record, cell, word) }
    }
  }

  /// The same for those whose registrations have disposers.
  @inline(__always)
  func forEachDisposableCell(_ body: (RegistrationRecord, ScopeCell, CellWord) -> Void) {
    forEachSealedCell { if $0.hasDisposers { body($0, $1, $2) } }
  }

  @inline(__always)
  private func forEachOwnedCell(
    closing: Bool = false, _ body: (RegistrationRecord, ScopeCell) -> Void
  ) {
    guard let cells else { return }
    // The section keeps the registrations alive, which another closer may be taking out.
    let section = Section.enter()
    defer { section.leave() }
    cells.admit(section)
    var cell = cells.first
    while true {
      let owner = cell.owner
      if owner == ScopeCell.closedOwner { return }
      if owner == ScopeCell.endOfBlock, let next = cell.nextBlock {
        cell = next
      } else if owner == ScopeCell.endOfBlock || owner == 0 {
        if !closing || cell.close() { return }
      } else {
        // SAFETY: the owners of cells are registrations; the section.
        unsafe Unmanaged<RegistrationRecord>.fromOpaque(
          UnsafeRawPointer(bitPattern: owner).unsafelyUnwrapped
        )._withUnsafeGuaranteedRef { body($0, cell) }
        cell = cell.next
      }
    }
  }
}
