// SPDX-License-Identifier: MIT

/// How a resolve of a call site finds or builds an instance in a cell of its request scope or
/// resolution: the steps of RegistrationRecord+Construction.swift, without parts for other
/// instances and without a box. Note 24. Any step may find more to do, and leave it to the ordinary
/// steps.
// SAFETY, of this file: a section keeps the contents of cells alive; a claim has one reference to
// its construction, consumed by a function that ends it.
extension RegistrationRecord {
  /// A construction under way in a cell.
  @safe
  struct CellClaim {
    fileprivate let construction: Unmanaged<Construction>
    fileprivate let cell: ScopeCell
    /// Whether the registration had disposers before.
    fileprivate let isDisposable: Bool

    /// Whether a resolution begins with the construction, and keeps the instance.
    fileprivate let beginsResolution: Bool

    fileprivate var word: PlaceWord { unsafe PlaceWord(builtBy: construction) }
  }

  /// Claims the instance's cell, if empty and without behaviors or decorators around constructions.
  ///
  /// - Parameters:
  ///   - firstFree: the cells before have different owners.
  ///   - section: the section in which the registration was found in its slot.
  /// - Returns: the construction to build after the section. The cell keeps the record alive.
  @inline(__always)
  final func claimCell(
    of scope: ContainerCore, _ cells: ScopeCells, from firstFree: ScopeCell?,
    _ requester: ResolutionContext?, _ section: Section
  ) throws(ResolutionError) -> CellClaim? {
    if Composition.isUsed && scope.isComposed { return nil }
    guard
      let cell = unsafe cells.place(
        ownedBy: .passUnretained(self), foundIn: section, from: firstFree),
      cell.load().isEmpty, !WaitForGraph.mayRefuse(requestedBy: requester)
    else { return nil }
    let construction = unsafe Construction.begin(of: self, in: scope, requestedBy: requester)
    let isDisposable = hasDisposers
    // Before the claim: a closer that finds the claim must find the disposal expected.
    if isDisposable { scope.ending.expectDisposal(isAwaited: hasAsynchronousDisposers) }
    return unsafe try claim(
      cell, construction, isDisposable: isDisposable, beginsResolution: false, section)
  }

  /// - Parameter construction: the reference is consumed.
  @inline(__always)
  private func claim(
    _ cell: ScopeCell, _ construction: Unmanaged<Construction>, isDisposable: Bool,
    beginsResolution: Bool, _ section: Section
  ) throws(ResolutionError) -> CellClaim? {
    if unsafe construction._withUnsafeGuaranteedRef({ $0.isTooDeep(section) }) {
      unsafe construction.release()
      throw .resolutionTooDeep(self)
    }
    let claim = unsafe CellClaim(
      construction: construction, cell: cell, isDisposable: isDisposable,
      beginsResolution: beginsResolution)
    if unsafe cell.claim(construction, replacing: .empty) { return claim }
    unsafe construction.release()
    return nil
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
      ? try contentOfOwnGraph(section, in: slot, for: container)
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
      let claim = unsafe try claimCell(
        of: keeper, orTaking: &content, for: container, requester, endingSection: section)
    else { return content }
    return unsafe try build(claim, of: keeper, for: container, in: slot)
  }

  @inline(__always)
  private func claimCell(
    of keeper: Unmanaged<ResolutionContext>, orTaking content: inout PlaceWord?,
    for container: ContainerCore, _ requester: ResolutionContext?, endingSection section: Section
  ) throws(ResolutionError) -> CellClaim? {
    defer { section.leave() }
    let found = unsafe keeper._withUnsafeGuaranteedRef {
      $0.hasPublished && hasPublished(in: $0, of: container) ? nil : $0.ownCells.orMake()
    }
    guard let cells = found else { return nil }
    var firstFree: ScopeCell?
    if let word = unsafe cells.content(
      ofCellOwnedBy: .passUnretained(self), section, orAfter: &firstFree)
    {
      content = word.retained
      return nil
    }
    if Composition.isUsed && container.isComposed { return nil }
    guard
      let cell = unsafe cells.place(
        ownedBy: .passUnretained(self), foundIn: section, from: firstFree),
      cell.load().isEmpty, !WaitForGraph.mayRefuse(requestedBy: requester)
    else { return nil }
    let construction = unsafe try beginInGraph(of: container, requestedBy: requester)
    return unsafe try claim(
      cell, construction, isDisposable: false, beginsResolution: false, section)
  }

  /// Out of line: rare.
  @inline(never)
  private func hasPublished(in keeper: ResolutionContext, of container: ContainerCore) -> Bool {
    keeper.published(key, in: container) != nil
  }

  /// A new resolution, which begins with this instance.
  @inline(never)
  private func contentOfOwnGraph(
    _ section: Section, in slot: SlotReference, for container: ContainerCore
  ) throws(ResolutionError) -> PlaceWord? {
    guard let claim = try claimFirstCell(in: container, endingSection: section) else { return nil }
    return unsafe try build(claim, for: container, in: slot)
  }

  private func claimFirstCell(
    in container: ContainerCore, endingSection section: Section
  ) throws(ResolutionError) -> CellClaim? {
    defer { section.leave() }
    if Composition.isUsed && container.isComposed || WaitForGraph.mayRefuse(requestedBy: nil) {
      return nil
    }
    let construction = unsafe try beginInGraph(of: container, requestedBy: nil)
    let found = unsafe construction._withUnsafeGuaranteedRef { $0.ownCells.orMake() }
    guard let cells = found,
      let cell = unsafe cells.place(ownedBy: .passUnretained(self), foundIn: section)
    else { preconditionFailure("RegistrationRecord.claimFirstCell: cells just made are open") }
    return unsafe try claim(
      cell, construction, isDisposable: false, beginsResolution: true, section)
  }

  // MARK: - Building

  /// Builds the instance of a cell claimed by the caller.
  ///
  /// The cell keeps the registration alive until the cell has the instance or is empty: then a
  /// closer may close the scope. So the function does not touch the record afterwards.
  ///
  /// - Parameter resolution: the resolution with the cell; `nil` for a cell of the container, or of
  ///   a resolution begun with the construction.
  /// - Returns: a built word, with a reference to its content; `nil` to ask for the ordinary steps.
  @inline(__always)
  final func build(
    _ claim: CellClaim, of resolution: Unmanaged<ResolutionContext>? = nil,
    for container: ContainerCore, in slot: SlotReference
  ) throws(ResolutionError) -> PlaceWord? {
    var built = PlaceWord.empty
    var failure: (any Error)?
    do {
      built = unsafe try claim.construction._withUnsafeGuaranteedRef { construction in
        construction.enterUnnoted()
        guard isClassInstance else { return try buildInBox(in: container, construction) }
        let object = unsafe try build(in: container, construction)
        return unsafe PlaceWord.canHold(UInt(bitPattern: object.toOpaque()))
          ? PlaceWord(object, isInstance: true) : boxed(takingOver: object)
      }
    } catch { failure = error }
    // A dropped instance may need a report. If it is dropped later, the scope's closing finds it.
    if failure == nil, !isDropped,
      unsafe !claim.construction._withUnsafeGuaranteedRef({ $0.isLinked })
    {
      if claim.isDisposable { number(built, in: claim.cell, container.nextCompletion()) }
      // The cell's reference. A resolution begun with the construction ends with the instance.
      if !claim.beginsResolution { _ = built.retained }
      if claim.cell.exchange(claim.word, with: claim.beginsResolution ? .sealed : built) {
        unsafe claim.construction._withUnsafeGuaranteedRef { $0.leaveUnnoted() }
        unsafe Construction.end(claim.construction)
        return built
      }
      if !claim.beginsResolution { unsafe built.content(as: AnyObject.self)?.release() }
    }
    return unsafe try conclude(claim, of: resolution, for: container, built, failure, in: slot)
  }

  /// Numbers a built instance before its publication.
  private func number(_ built: PlaceWord, in cell: ScopeCell, _ number: UInt64) {
    if built.holdsInstance { cell.completion = number } else { built.box?.markCompleted(number) }
  }

  // Out of line, both: the compiler inlines `build` only as long as it is small.

  /// A new value in a box.
  @inline(never)
  private func buildInBox(
    in container: ContainerCore, _ construction: Construction
  ) throws -> PlaceWord {
    word(withBox: try build(Resolver(registry: container, construction: construction), nil))
  }

  /// An instance that no word can hold, in a box.
  @inline(never)
  private func boxed(takingOver instance: Unmanaged<AnyObject>) -> PlaceWord {
    defer { unsafe instance.release() }
    var address = unsafe UInt(bitPattern: instance.toOpaque())
    return unsafe word(withBox: box(ofObjectAt: &address))
  }

  private func word(withBox box: AnyInstanceBox) -> PlaceWord {
    unsafe box.registration = Unmanaged.passUnretained(self)
    return unsafe PlaceWord(Unmanaged.passRetained(box), isInstance: false)
  }

  /// Ends a construction that has failed, or has more to do, as any construction.
  ///
  /// - Parameters:
  ///   - built: the instance, with a reference to the content; empty for none.
  ///   - failure: the error of the factory, without an instance.
  /// - Returns: `nil` to ask for the ordinary steps, after a construction in vain.
  @inline(never)
  private func conclude(
    _ claim: CellClaim, of resolution: Unmanaged<ResolutionContext>?, for container: ContainerCore,
    _ built: PlaceWord, _ failure: (any Error)?, in slot: SlotReference
  ) throws(ResolutionError) -> PlaceWord? {
    // The cell may lose the registration as soon as it has the instance.
    unsafe _ = Unmanaged.passRetained(self)
    defer { unsafe Unmanaged.passUnretained(self).release() }
    let construction = unsafe claim.construction.takeUnretainedValue()
    let keeper: any InstanceKeeper =
      claim.beginsResolution
      ? construction : unsafe resolution?.takeUnretainedValue() ?? container
    let place = Place.cell(claim.cell, of: keeper)
    unsafe construction.own(place)
    var product = built.isEmpty ? nil : built.box(by: self)
    // No further reference may keep the instance alive when its waiters go on.
    unsafe built.content(as: AnyObject.self)?.release()
    var earlier = EarlierAttempts()
    var concluded = unsafe try Construction.conclude(
      claim.construction, &product, failure, of: self, in: slot, nil, &earlier)
    if concluded == nil, claim.beginsResolution {
      earlier.located = Shared(InstanceLocation(place: place, root: construction))
      concluded = try resolveBox(Request(slot, for: container), after: &earlier)
    }
    return concluded.map {
      unsafe PlaceWord(Unmanaged.passRetained($0), isInstance: false)
    }
  }
}
