// SPDX-License-Identifier: MIT

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
