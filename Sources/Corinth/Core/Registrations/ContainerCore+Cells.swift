// SPDX-License-Identifier: MIT

/// The cells of a request scope. Note 24.
extension ContainerCore: InstanceKeeper {
  var cells: ScopeCells? { table.cells }

  func storedState(of record: RegistrationRecord) -> InstanceState? {
    instances.state(of: record, in: self, arguments: nil)
  }

  /// What the cell of a slot's registration leads to, until the section ends, for a resolve that is inside of nothing; a
  /// word that is not built if there is more to do.
  @inline(never)
  func contentOfCell(
    behind slot: SlotReference, _ section: Section, within context: ResolutionContext?
  ) -> CellWord {
    let word = slot.load()
    // Resolves that are reported do not come here: their words are diverted.
    guard word.isScoped, context == nil, section.isOutsideOfConstructions, let cells
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
    var firstFree: ScopeCell?
    return unsafe cells.content(ofCellOwnedBy: record, section, orAfter: &firstFree) ?? .empty
  }

  /// The state of a scoped instance; `nil` once this scope is closed. What the cell of the instance holds goes over to it.
  func scopedState(of record: RegistrationRecord, arguments: AnyArguments?) -> InstanceState? {
    guard record.isForCells, let cells else {
      return instances.state(of: record, in: self, arguments: arguments)
    }
    return state(of: record, in: cells)
  }
}
