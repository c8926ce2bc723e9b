// SPDX-License-Identifier: MIT

/// A request scope or a resolution: a keeper of instances, in cells and in a store. Note 24.
protocol InstanceKeeper: AnyObject, Sendable {
  /// The cells; `nil` before the first cell is needed.
  var cells: ScopeCells? { get }
}

extension InstanceKeeper {
  /// Ends resolving in cells: constructions under way are the last. Any number of closers may call
  /// this function.
  func sealCells() {
    forEachOwnedCell(closing: true) { _, cell in
      while true {
        let word = cell.load()
        if word.isSealed || cell.exchange(word, with: word.sealed) { return }
      }
    }
  }

  /// Calls `body` with the registration of every cell with an instance, or a construction.
  func forEachUnsealedCell(_ body: (RegistrationRecord, CellWord) -> Void) {
    forEachOwnedCell { record, cell in
      let word = cell.load()
      if !word.isEmpty, !word.isSealed { body(record, word) }
    }
  }

  /// Calls `body` with every sealed cell that holds an instance, or a construction, and the cell's
  /// word. The section keeps an instance alive: a concurrent closer may be taking it out.
  @inline(__always)
  func forEachSealedCell(_ body: (RegistrationRecord, ScopeCell, CellWord) -> Void) {
    forEachOwnedCell { record, cell in
      let word = cell.load()
      if word.isSealed, word.address != 0 { body(record, cell, word) }
    }
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
}
