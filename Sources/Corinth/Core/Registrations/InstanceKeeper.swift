// SPDX-License-Identifier: MIT

/// A request scope or a resolution: a keeper of instances, in cells and in a store. Note 24.
protocol InstanceKeeper: AnyObject {
  /// The cells; `nil` before the first cell is needed.
  var cells: ScopeCells? { get }
  /// The state, in the store, of an instance without arguments; `nil` once the store is sealed.
  func storedState(of record: RegistrationRecord) -> InstanceState?
}

extension InstanceKeeper {
  /// The state of an instance for cells, which takes over the cell's content; `nil` after the end.
  func state(of record: RegistrationRecord, in cells: ScopeCells) -> InstanceState? {
    switch unsafe cells.place(ownedBy: Unmanaged.passUnretained(record)) {
    case .closed: nil
    case .none: storedState(of: record)
    case .cell(let cell): state(of: record, insteadOf: cell)
    }
  }

  /// Has the store keep the state of a cell's instance from now on.
  ///
  /// - Returns: `nil` once the keeper has ended.
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

  /// Turns the construction in a cell into an ordinary construction with a state. The building
  /// thread gets a reference to the registration, until now kept alive by the cell.
  private func join(_ cell: ScopeCell, in state: InstanceState, _ record: RegistrationRecord) {
    WaitsMutex.withLock {
      let word = cell.load()
      // Mark first: an unmarked construction may be ended by its thread, and reused, at any moment.
      guard word.isBuilding, cell.exchange(word, with: word.contended) else { return }
      // SAFETY: a thread that finds the mark takes the mutex before it releases the construction.
      if let context = unsafe word.content(as: ResolutionContext.self),
        unsafe context._withUnsafeGuaranteedRef({ $0.takeOver(state) })
      {
        unsafe _ = Unmanaged.passRetained(record)
      }
      _ = cell.exchange(word.contended, with: .handedOver)
    }
  }

  /// Stores a cell's instance in the state. The cell keeps its reference for resolves under way.
  private func hand(
    over cell: ScopeCell, to state: InstanceState, _ record: RegistrationRecord
  ) {
    let section = Section.enter()
    defer { section.leave() }
    cells?.admit(section)
    let word = cell.load()
    guard word.isBuilt else { return }
    // A concurrent caller may have stored the instance already.
    _ = unsafe state.replace(nil, with: cell.box(of: word, by: record))
    _ = cell.exchange(word, with: word.handedOver)
  }

  // MARK: - Walks

  /// Hands all instances over to the store, including those under construction.
  ///
  /// - Parameter closing: whether to close the cells, after which no further registration gets one.
  func moveFromCells(closing: Bool) {
    forEachOwnedCell(closing: closing) { record, cell in
      state(of: record, insteadOf: cell)
    }
  }

  /// Ends building and resolving in cells. Constructions under way go over to the store. Any number
  /// of closers may call this function.
  func sealCells() {
    forEachOwnedCell(closing: true) { record, cell in
      while true {
        let word = cell.load()
        if word.isEmpty || word.isBuilt {
          if cell.exchange(word, with: word.sealed) { return }
        } else {
          // `nil` if the cell is sealed.
          state(of: record, insteadOf: cell)
          return
        }
      }
    }
  }

  /// Calls `body` with the registration of every cell with an instance, or a construction.
  func forEachUnsealedCell(_ body: (RegistrationRecord) -> Void) {
    forEachOwnedCell { record, cell in
      let word = cell.load()
      if !word.isEmpty, !word.isSealed, !word.isHandedOver { body(record) }
    }
  }

  /// Calls `body` with every sealed cell that holds an instance, and the cell's word. The section
  /// keeps the content alive: a concurrent closer may be taking the instance out.
  @inline(__always)
  func forEachSealedCell(_ body: (RegistrationRecord, ScopeCell, CellWord) -> Void) {
    forEachOwnedCell { record, cell in
      let word = cell.load()
      if word.isSealed, word.address != 0 { body(record, cell, word) }
    }
  }

  /// As ``forEachSealedCell(_:)``, for registrations with disposers.
  @inline(__always)
  func forEachDisposableCell(_ body: (RegistrationRecord, ScopeCell, CellWord) -> Void) {
    forEachSealedCell { if $0.hasDisposers { body($0, $1, $2) } }
  }

  @inline(__always)
  private func forEachOwnedCell(
    closing: Bool = false, _ body: (RegistrationRecord, ScopeCell) -> Void
  ) {
    guard let cells else { return }
    // The section keeps the registrations alive: a concurrent closer may be releasing them.
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

/// The cells of a request scope. Note 24.
extension ContainerCore: InstanceKeeper {
  var cells: ScopeCells? { table.cells }

  func storedState(of record: RegistrationRecord) -> InstanceState? {
    instances.state(of: record, in: self, arguments: nil)
  }

  /// The content of the cell owned by a slot's registration, until the section ends, for a resolve
  /// outside of all constructions. A word that is not built means: take the slow path.
  @inline(never)
  func contentOfCell(
    behind slot: SlotReference, _ section: Section, within context: ResolutionContext?
  ) -> CellWord {
    let word = slot.load()
    // Reported resolves do not come here: the words of their slots are diverted.
    guard word.isScoped, context == nil, section.isOutsideOfConstructions, let cells
    else { return .empty }
    // The call in tail position saves registers.
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
    var firstFree: ScopeCell?
    return unsafe cells.content(ofCellOwnedBy: record, section, orAfter: &firstFree) ?? .empty
  }

  /// The state of a scoped instance; `nil` once the scope is closed. Takes over the cell's content.
  func scopedState(of record: RegistrationRecord, arguments: AnyArguments?) -> InstanceState? {
    guard record.plan == .inCells, let cells else {
      return instances.state(of: record, in: self, arguments: arguments)
    }
    return state(of: record, in: cells)
  }
}
