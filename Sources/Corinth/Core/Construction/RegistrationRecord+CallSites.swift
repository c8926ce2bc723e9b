// SPDX-License-Identifier: MIT

/// How a call site claims a place where it expects no instance: a singleton's state, a cell of a
/// request scope or resolution (note 24). The steps of RegistrationRecord+Construction.swift,
/// without parts for other instances. Any step may find more to do, and leave it to the ordinary
/// steps.
// SAFETY, of this file: a section keeps the registration and the contents of cells alive, then the
// place of the construction does; a claim's reference is consumed by the function that ends it.
extension RegistrationRecord {
  // MARK: - Singletons

  /// Claims the state of a singleton without an instance, if its dependencies are the container's.
  /// Ends the section.
  ///
  /// - Returns: the construction to build; `nil` to ask for the ordinary steps.
  @inline(__always)
  final func claimState(
    in container: ContainerCore, _ slot: SlotReference, endingSection section: Section,
    requestedBy requester: ResolutionContext?
  ) -> Unmanaged<Construction>? {
    defer { section.leave() }
    guard load().isEmpty, isOwned(by: container),
      section.isRunning(requester) || !ResolutionContext.isOver(requester),
      !WaitForGraph.mayRefuse(requestedBy: requester)
    else { return nil }
    let construction = unsafe Construction.begin(
      of: self, keyIn: slot, in: container, requestedBy: requester,
      isNoting: factoryKind.notesDependencies)
    guard unsafe !construction._withUnsafeGuaranteedRef({ $0.isTooDeep(section) }),
      unsafe claim(construction, replacing: .empty)
    else {
      unsafe construction.release()
      return nil
    }
    unsafe construction._withUnsafeGuaranteedRef { unsafe $0.own(.state(self)) }
    return unsafe construction
  }

  /// - Parameter construction: the reference is consumed, unless the result has it.
  @inline(__always)
  private func claim(
    _ cell: ScopeCell, _ construction: Unmanaged<Construction>, _ section: Section
  ) -> CellClaim? {
    guard unsafe !construction._withUnsafeGuaranteedRef({ $0.isTooDeep(section) }),
      unsafe cell.claim(construction, for: .passUnretained(self), foundIn: section)
    else {
      unsafe construction.release()
      return nil
    }
    return unsafe CellClaim(construction: construction, cell: cell)
  }

  // MARK: - Request scopes

  /// The instance from a cell of the scope, or newly built there. Ends the section.
  ///
  /// - Returns: a built word, with a reference; `nil` to ask for the ordinary steps.
  @inline(never)
  final func contentOfScope(
    _ section: Section, in slot: SlotReference, for scope: ContainerCore,
    within context: ResolutionContext?
  ) throws(ResolutionError) -> PlaceWord? {
    var content: PlaceWord?
    guard
      let claim = claimCell(
        of: scope, orTaking: &content, in: slot, context, endingSection: section)
    else { return content }
    return try build(claim, keptBy: .container, for: scope, in: slot, within: context)
  }

  @inline(__always)
  private func claimCell(
    of scope: ContainerCore, orTaking content: inout PlaceWord?, in slot: SlotReference,
    _ requester: ResolutionContext?, endingSection section: Section
  ) -> CellClaim? {
    defer { section.leave() }
    guard let cells = scope.cells,
      ResolutionContext.mayAsk(scope, section, within: requester)
        || !ResolutionContext.isOver(requester)
          && ResolutionContext.captor(beyond: scope, requestedBy: requester) == nil,
      let cell = emptyCell(in: cells, orTaking: &content, section, requester)
    else { return nil }
    scope.table.checkImage()
    let construction = unsafe Construction.begin(
      of: self, keyIn: slot, in: scope, requestedBy: requester)
    // Before the claim: a closer that finds the claim must find the disposal expected.
    if hasDisposers { scope.ending.expectDisposal(isAwaited: hasAsynchronousDisposers) }
    return unsafe claim(cell, construction, section)
  }

  /// A cell in which a construction may begin: free, or the record's.
  ///
  /// - Parameters:
  ///   - content: the content of a cell that has an instance, retained.
  ///   - section: the section in which the registration was found in its slot.
  @inline(__always)
  private func emptyCell(
    in cells: ScopeCells, orTaking content: inout PlaceWord?, _ section: Section,
    _ requester: ResolutionContext?
  ) -> ScopeCell? {
    var firstFree: ScopeCell?
    if let word = unsafe cells.content(
      ofCellOwnedBy: .passUnretained(self), section, orAfter: &firstFree)
    {
      content = word.retained
      return nil
    }
    guard
      let cell = unsafe cells.place(
        for: .passUnretained(self), foundIn: section, from: firstFree),
      cell.load().isEmpty, !WaitForGraph.mayRefuse(requestedBy: requester)
    else { return nil }
    return cell
  }

  // MARK: - Resolutions

  /// The instance from a cell of the context's resolution, or of a new resolution, or newly built
  /// there. Ends the section.
  ///
  /// - Returns: a built word, with a reference; `nil` to ask for the ordinary steps.
  @inline(__always)
  final func contentOfGraph(
    _ section: Section, in slot: SlotReference, for container: ContainerCore,
    within context: ResolutionContext?
  ) throws(ResolutionError) -> PlaceWord? {
    // Neither unwrapped here nor passed to `unfinished`, which would count references to the
    // context. A context that the thread is running has not ended.
    context == nil || !section.isRunning(context) && ResolutionContext.isOver(context)
      ? try contentOfOwnGraph(section, in: slot, for: container, within: context)
      : try contentOfGraph(of: context, section, in: slot, for: container)
  }

  @inline(never)
  private func contentOfGraph(
    of requester: ResolutionContext?, _ section: Section, in slot: SlotReference,
    for container: ContainerCore
  ) throws(ResolutionError) -> PlaceWord? {
    var content: PlaceWord?
    // SAFETY: the requester holds its root.
    let keeper = unsafe requester?.unretainedRoot._withUnsafeGuaranteedRef {
      unsafe $0.keepsGraph(of: container) ? Unmanaged.passUnretained($0) : nil
    }
    guard let keeper = unsafe keeper ?? nil else {
      section.leave()
      return nil
    }
    guard
      let claim = unsafe claimCell(
        of: keeper, orTaking: &content, in: slot, for: container, requester,
        endingSection: section)
    else { return content }
    return unsafe try build(
      claim, keptBy: .resolution(keeper), for: container, in: slot, within: requester)
  }

  @inline(__always)
  private func claimCell(
    of keeper: Unmanaged<ResolutionContext>, orTaking content: inout PlaceWord?,
    in slot: SlotReference, for container: ContainerCore, _ requester: ResolutionContext?,
    endingSection section: Section
  ) -> CellClaim? {
    defer { section.leave() }
    let found = unsafe keeper._withUnsafeGuaranteedRef {
      $0.hasPublished && hasPublished(in: $0, of: container) ? nil : $0.ownCells.orMake()
    }
    guard let cells = found else { return nil }
    guard let cell = emptyCell(in: cells, orTaking: &content, section, requester),
      let construction = unsafe try? beginInGraph(
        of: container, keyIn: slot, requestedBy: requester)
    else { return nil }
    return unsafe claim(cell, construction, section)
  }

  /// Out of line: rare.
  @inline(never)
  private func hasPublished(in keeper: ResolutionContext, of container: ContainerCore) -> Bool {
    keeper.published(key, in: container) != nil
  }

  /// A new resolution, which begins with this instance.
  @inline(never)
  private func contentOfOwnGraph(
    _ section: Section, in slot: SlotReference, for container: ContainerCore,
    within context: ResolutionContext?
  ) throws(ResolutionError) -> PlaceWord? {
    guard let claim = claimFirstCell(for: container, in: slot, endingSection: section)
    else { return nil }
    return try build(claim, keptBy: .construction, for: container, in: slot, within: context)
  }

  @inline(__always)
  private func claimFirstCell(
    for container: ContainerCore, in slot: SlotReference, endingSection section: Section
  ) -> CellClaim? {
    defer { section.leave() }
    guard !WaitForGraph.mayRefuse(requestedBy: nil),
      let construction = unsafe try? beginInGraph(
        of: container, keyIn: slot, requestedBy: nil)
    else { return nil }
    let found = unsafe construction._withUnsafeGuaranteedRef { $0.ownCells.orMake() }
    guard let cells = found,
      let cell = unsafe cells.place(
        for: .passUnretained(self), foundIn: section, from: cells.first)
    else { preconditionFailure("RegistrationRecord.claimFirstCell: cells just made are open") }
    return unsafe claim(cell, construction, section)
  }
}
