// SPDX-License-Identifier: MIT

/// A request scope or a resolution: a keeper of instances, in the cells of the registrations.
/// The cell of a registration with arguments holds ``ArgumentInstances``. Note 24.
protocol InstanceKeeper: AnyObject, Sendable {
  /// The cells; `nil` before the first cell is needed.
  var cells: ScopeCells? { get }
}

extension InstanceKeeper {
  /// The place of a registration's instance, made on first use; `nil` after the end.
  ///
  /// - Parameter cells: the cells, made on first use.
  func place(
    of record: RegistrationRecord, in cells: ScopeCells?, _ arguments: AnyArguments?
  ) -> Place? {
    let owner = unsafe Unmanaged.passUnretained(record)
    if let arguments, let hashing = arguments.hashing {
      return unsafe cells?.object(ownedBy: owner) {
        ArgumentInstances(hashing, isWeak: false, cache: nil)
      }.map { .state($0.state(for: arguments)) }
    }
    return unsafe cells?.place(ownedBy: owner).flatMap(openPlace)
  }

  /// As ``place(of:in:_:)``, if made already.
  func existingPlace(
    of record: RegistrationRecord, _ arguments: AnyArguments?
  ) -> Place? {
    let owner = unsafe Unmanaged.passUnretained(record)
    if let arguments, arguments.hashing != nil {
      let instances: ArgumentInstances? = unsafe cells?.object(ownedBy: owner)
      return instances?.existingState(for: arguments).map { .state($0) }
    }
    return unsafe cells?.cell(ownedBy: owner).flatMap(openPlace)
  }

  private func openPlace(_ cell: ScopeCell) -> Place? {
    cell.load().isSealed ? nil : .cell(cell, of: self)
  }
}

extension ResolutionContext: InstanceKeeper {
  /// The cells of the instances in the container of the context's resolver.
  final var cells: ScopeCells? { ownCells.cells }
}

extension GraphCells: InstanceKeeper {
  var cells: ScopeCells? { made.cells }
}

extension ContainerCore: InstanceKeeper {
  var cells: ScopeCells? { table.cells }

  /// Ends resolving in cells: constructions under way are the last. Any number of closers may call
  /// this function.
  func sealCells() { cells?.seal() }

  /// Calls `body` with each place of an instance or construction, the oldest cell first. The
  /// section keeps an instance alive: a concurrent closer may be taking the instance out.
  ///
  /// - Parameter isSealed: selects the cells: those sealed before, by ``sealCells()``, or else the
  ///   open ones. No word is sealed here; instances by argument in a sealed cell are closed to
  ///   further arguments, and their states are the caller's to seal.
  @inline(never) func forEachPlace(
    inSealedCells isSealed: Bool = false, _ body: (RegistrationRecord, Place) -> Void
  ) {
    forEachOwnedCell { record, cell in
      let word = cell.load()
      if word.address == 0 || word.isSealed != isSealed { return }
      if record.key.arguments == nil { return body(record, .cell(cell, of: self)) }
      // SAFETY: the section; the cells of registrations with arguments hold nothing else.
      let instances = unsafe word.content(as: ArgumentInstances.self)?.takeUnretainedValue()
      let states = isSealed ? instances?.seal() : instances?.all
      for state in states ?? [] { body(record, .state(state)) }
    }
  }

  /// Calls `body` with every sealed cell that holds an instance, a construction, or instances by
  /// argument, and the cell's word. Section as in ``forEachPlace(inSealedCells:_:)``.
  @inline(__always)
  func forEachSealedCell(_ body: (RegistrationRecord, ScopeCell, PlaceWord) -> Void) {
    forEachOwnedCell { record, cell in
      let word = cell.load()
      if word.isSealed, word.address != 0 { body(record, cell, word) }
    }
  }

  /// Calls `body` with every cell and the registration, the oldest first. Section as above.
  @inline(__always)
  func forEachOwnedCell(_ body: (RegistrationRecord, ScopeCell) -> Void) {
    guard let cells else { return }
    // The section keeps the registrations alive: a concurrent closer may be releasing them.
    let section = Section.enter()
    defer { section.leave() }
    guard cells.admit(section) else { return }
    cells.forEachOwned { owner, cell in
      // SAFETY: the owners of a scope's cells are registrations; the section.
      unsafe Unmanaged<RegistrationRecord>.fromOpaque(
        UnsafeRawPointer(bitPattern: owner).unsafelyUnwrapped
      )._withUnsafeGuaranteedRef { body($0, cell) }
    }
  }

  /// The content of the cell owned by a slot's registration, until the section ends, for a resolve
  /// outside of all constructions. A word that is not built means: take the slow path.
  @inline(never)
  func contentOfCell(
    behind slot: SlotReference, _ section: Section, within context: ResolutionContext?
  ) -> PlaceWord {
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
  ) -> PlaceWord {
    if ResolutionContext.runningInTask != nil { return .empty }
    var firstFree: ScopeCell?
    return unsafe cells.content(ofCellOwnedBy: record, section, orAfter: &firstFree) ?? .empty
  }
}
