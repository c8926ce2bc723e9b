// SPDX-License-Identifier: MIT

/// The cells of a request scope, and what goes over from them to its store. Note 24.
extension ContainerCore {
  /// What a registration's cell leads to, until the section ends; `nil` if there is nothing that resolves may have.
  @inline(__always)
  func contentOfCell(
    of record: Unmanaged<RegistrationRecord>, in cells: ScopeCells, _ section: Section
  ) -> CellWord? {
    guard let cell = unsafe cells.cell(ownedBy: record) else { return nil }
    // Whoever takes the content out looks at the section from here on.
    cells.admit(section)
    let word = cell.load()
    return word.isBuilt ? word : nil
  }

  /// What the cell of a slot's registration leads to, until the section ends, for a resolve that is inside of nothing; a
  /// word that is not built if there is more to do.
  @inline(never)
  func contentOfCell(
    behind slot: SlotReference, _ section: Section, within context: ResolutionContext?
  ) -> CellWord {
    let word = slot.load()
    // Resolves that are reported do not come here: their words are diverted.
    guard word.isScoped, context == nil, section.isOutsideOfConstructions, let cells = table.cells
    else { return .empty }
    // Calls nothing but as its last call, which costs no registers.
    guard !ResolutionContext.mayRunInTask, cells.know(section) else {
      return unsafe contentOfCell(of: word.scopedRecord, inTask: cells, section)
    }
    return unsafe cells.cell(ownedBy: word.scopedRecord)?.load() ?? .empty
  }

  @inline(never)
  private func contentOfCell(
    of record: Unmanaged<RegistrationRecord>, inTask cells: ScopeCells, _ section: Section
  ) -> CellWord {
    if ResolutionContext.runningInTask != nil { return .empty }
    return unsafe contentOfCell(of: record, in: cells, section) ?? .empty
  }

  /// The state of a scoped instance; `nil` once this scope is closed. What the cell of the instance holds goes over to it.
  func scopedState(of record: RegistrationRecord, arguments: AnyArguments?) -> InstanceState? {
    guard record.isForCells, let cells = table.cells else {
      return instances.state(of: record, in: self, arguments: arguments)
    }
    switch unsafe cells.place(ownedBy: Unmanaged.passUnretained(record)) {
    case .closed: return nil
    case .none: return instances.state(of: record, in: self, arguments: arguments)
    case .cell(let cell): return state(of: record, insteadOf: cell, cells)
    }
  }

  /// Has the store keep the state of a cell's instance from now on.
  ///
  /// - Returns: `nil` once this scope is closed.
  @discardableResult
  func state(
    of record: RegistrationRecord, insteadOf cell: ScopeCell, _ cells: ScopeCells
  ) -> InstanceState? {
    while true {
      let word = cell.load()
      if word.isSealed { return nil }
      guard let state = instances.state(of: record, in: self, arguments: nil) else { return nil }
      if word.isHandedOver { return state }
      if word.isBuilding {
        join(cell, in: state, record)
      } else if word.isEmpty {
        _ = cell.exchange(word, with: .handedOver)
      } else {
        hand(over: cell, to: state, record, cells)
      }
    }
  }

  /// Makes the construction under way in a cell an ordinary one. Its thread gets a reference to the registration, which
  /// the cell has kept alive for it.
  private func join(_ cell: ScopeCell, in state: InstanceState, _ record: RegistrationRecord) {
    WaitsMutex.lock()
    defer { WaitsMutex.unlock() }
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

  /// Stores the instance of a cell in the state. The cell keeps its own reference, for resolves that have loaded it.
  private func hand(
    over cell: ScopeCell, to state: InstanceState, _ record: RegistrationRecord,
    _ cells: ScopeCells
  ) {
    let section = Section.enter()
    defer { section.leave() }
    cells.admit(section)
    let word = cell.load()
    guard word.isBuilt else { return }
    // Another thread may have stored it just now.
    _ = unsafe state.replace(nil, with: word.box(by: record))
    _ = cell.exchange(word, with: word.handedOver)
  }

  // MARK: - Walks

  /// Hands instances over to the store, those too that are being built.
  ///
  /// - Parameter closing: whether further registrations are kept out: no instance comes into a cell after this.
  func moveFromCells(closing: Bool) {
    forEachOwnedCell(closing: closing) { record, cell, cells in
      state(of: record, insteadOf: cell, cells)
    }
  }

  /// Keeps instances in cells from being built or resolved. Those that are being built go over to the store, and those that
  /// are to be disposed of and have no box. Any number of closers may do this.
  func sealCells() {
    forEachOwnedCell(closing: true) { record, cell, cells in
      while true {
        let word = cell.load()
        if word.isEmpty || word.isBuilt && !(word.holdsInstance && record.hasDisposers) {
          if cell.exchange(word, with: word.sealed) { return }
        } else {
          // `nil` if it is sealed.
          state(of: record, insteadOf: cell, cells)
          return
        }
      }
    }
  }

  /// Calls `body` with the registration of each cell that has an instance, or in which one is being built.
  func forEachUnsealedCell(_ body: (RegistrationRecord) -> Void) {
    forEachOwnedCell { record, cell, _ in
      let word = cell.load()
      if !word.isEmpty, !word.isSealed, !word.isHandedOver { body(record) }
    }
  }

  /// Calls `body` with each box in a sealed cell whose registration has disposers.
  func forEachDisposableBoxInCells(_ body: (RegistrationRecord, AnyInstanceBox) -> Void) {
    forEachOwnedCell { record, cell, _ in
      let word = cell.load()
      guard word.isSealed, !word.holdsInstance, record.hasDisposers else { return }
      // The section keeps the box alive, which another closer may be taking out.
      guard let box = unsafe word.content(as: AnyInstanceBox.self) else { return }
      unsafe body(record, box.takeUnretainedValue())
    }
  }

  @inline(__always)
  private func forEachOwnedCell(
    closing: Bool = false, _ body: (RegistrationRecord, ScopeCell, ScopeCells) -> Void
  ) {
    guard let cells = table.cells else { return }
    // The section keeps the registrations alive, which another closer may be taking out.
    let section = Section.enter()
    defer { section.leave() }
    cells.admit(section)
    var index: UInt32 = 0
    while index < ScopeCells.count {
      let owner = cells[index].owner
      if owner == ScopeCell.closedOwner { return }
      guard let address = unsafe UnsafeRawPointer(bitPattern: owner) else {
        if !closing || cells.close(from: index) { return }
        continue
      }
      // SAFETY: the owners of cells are registrations; the section.
      unsafe Unmanaged<RegistrationRecord>.fromOpaque(address)._withUnsafeGuaranteedRef {
        body($0, cells[index], cells)
      }
      index += 1
    }
  }
}
