// SPDX-License-Identifier: MIT

/// How a resolve of a call site finds or builds an instance in a cell of its request scope or
/// resolution: the steps of RegistrationRecord+Construction.swift, without parts for other instances
/// and without a box. Note 24. Any step may find more to do, and leave it to the ordinary steps.
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

    fileprivate var word: CellWord { unsafe CellWord(builtBy: construction) }
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
    if isDisposable { scope.instances.expectDisposal(isAwaited: hasAsynchronousDisposers) }
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
    if cell.exchange(.empty, with: claim.word) { return claim }
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
  ) throws(ResolutionError) -> CellWord? {
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
  ) throws(ResolutionError) -> CellWord? {
    var content: CellWord?
    // SAFETY: the requester holds its root.
    let keeper = unsafe requester?.unretainedRoot._withUnsafeGuaranteedRef {
      unsafe $0.keeper(in: container).map { unsafe Unmanaged.passUnretained($0) }
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
    of keeper: Unmanaged<GraphContext>, orTaking content: inout CellWord?,
    for container: ContainerCore, _ requester: ResolutionContext?, endingSection section: Section
  ) throws(ResolutionError) -> CellClaim? {
    defer { section.leave() }
    let found = unsafe keeper._withUnsafeGuaranteedRef {
      $0.hasPublished && $0.published(key, in: container) != nil ? nil : $0.cellsForUse
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

  /// A new resolution, which begins with this instance.
  @inline(never)
  private func contentOfOwnGraph(
    _ section: Section, in slot: SlotReference, for container: ContainerCore
  ) throws(ResolutionError) -> CellWord? {
    guard let claim = try claimFirstCell(in: container, endingSection: section) else { return nil }
    return unsafe try build(claim, of: claim.construction, for: container, in: slot)
  }

  private func claimFirstCell(
    in container: ContainerCore, endingSection section: Section
  ) throws(ResolutionError) -> CellClaim? {
    defer { section.leave() }
    if Composition.isUsed && container.isComposed || WaitForGraph.mayRefuse(requestedBy: nil) {
      return nil
    }
    let construction = unsafe try beginInGraph(of: container, requestedBy: nil)
    let found = unsafe construction._withUnsafeGuaranteedRef { $0.cellsForUse }
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
  /// - Returns: a built word, with a reference to its content; `nil` to ask for the ordinary steps.
  @inline(__always)
  final func build(
    _ claim: CellClaim, of keeper: Unmanaged<some InstanceKeeper>, for container: ContainerCore,
    in slot: SlotReference
  ) throws(ResolutionError) -> CellWord? {
    var holdsInstance = isClassInstance
    var content: UInt
    do {
      content = unsafe try claim.construction._withUnsafeGuaranteedRef { construction in
        construction.enterUnnoted()
        if holdsInstance {
          let built = unsafe UInt(bitPattern: try build(in: container, construction).toOpaque())
          if CellWord.canHold(built) { return built }
          holdsInstance = false
          return boxed(takingOver: built)
        }
        let box = try build(Resolver(registry: container, construction: construction), nil)
        unsafe box.registration = Unmanaged.passUnretained(self)
        return unsafe UInt(bitPattern: Unmanaged.passRetained(box).toOpaque())
      }
    } catch {
      return unsafe try conclude(claim, of: keeper, for: container, nil, error, in: slot)
    }
    let built = unsafe CellWord(
      Unmanaged<AnyObject>.fromOpaque(
        UnsafeRawPointer(bitPattern: content).unsafelyUnwrapped),
      isInstance: holdsInstance)
    // A dropped instance may need a report. If it is dropped later, the scope's closing finds it.
    let isOrdinary =
      unsafe isDropped || claim.construction._withUnsafeGuaranteedRef { $0.isLinked }
    if claim.isDisposable, !isOrdinary {
      number(content, in: claim.cell, container.nextCompletion(), isBoxed: !holdsInstance)
    }
    // The cell's reference. A resolution begun with the construction ends with the instance.
    if !claim.beginsResolution { unsafe _ = built.content(as: AnyObject.self)?.retain() }
    if isOrdinary
      || !claim.cell.exchange(claim.word, with: claim.beginsResolution ? .sealed : built)
    {
      if !claim.beginsResolution { unsafe built.content(as: AnyObject.self)?.release() }
      return unsafe try conclude(claim, of: keeper, for: container, built, nil, in: slot)
    }
    unsafe claim.construction._withUnsafeGuaranteedRef { $0.leaveUnnoted() }
    unsafe Construction.end(claim.construction)
    return built
  }

  /// Numbers a built instance before its publication.
  private func number(_ content: UInt, in cell: ScopeCell, _ number: UInt64, isBoxed: Bool) {
    cell.completion = number
    guard isBoxed, let box = unsafe UnsafeRawPointer(bitPattern: content) else { return }
    unsafe Unmanaged<AnyInstanceBox>.fromOpaque(box)._withUnsafeGuaranteedRef {
      $0.markCompleted(number)
    }
  }

  /// The address of a box of an instance, with a reference.
  @inline(never)
  private func boxed(takingOver instance: UInt) -> UInt {
    let object = unsafe Unmanaged<AnyObject>.fromOpaque(
      UnsafeRawPointer(bitPattern: instance).unsafelyUnwrapped)
    defer { unsafe object.release() }
    var instance = instance
    let box = unsafe box(ofObjectAt: &instance)
    unsafe box.registration = Unmanaged.passUnretained(self)
    return unsafe UInt(bitPattern: Unmanaged.passRetained(box).toOpaque())
  }

  /// Ends a construction that has failed, or has more to do, as any construction.
  ///
  /// - Parameters:
  ///   - built: the instance, with a reference to the content.
  ///   - failure: the error of the factory, without an instance.
  /// - Returns: `nil` to ask for the ordinary steps, after a construction in vain.
  @inline(never)
  private func conclude(
    _ claim: CellClaim, of keeper: Unmanaged<some InstanceKeeper>, for container: ContainerCore,
    _ built: CellWord?, _ failure: (any Error)?, in slot: SlotReference
  ) throws(ResolutionError) -> CellWord? {
    // The cell may lose the registration as soon as it has the instance.
    unsafe _ = Unmanaged.passRetained(self)
    defer { unsafe Unmanaged.passUnretained(self).release() }
    let construction = unsafe claim.construction.takeUnretainedValue()
    let place = unsafe keeper._withUnsafeGuaranteedRef { CellPlace(claim.cell, of: $0) }
    unsafe construction.own(place)
    var product = built?.box(by: self)
    // No further reference may keep the instance alive when its waiters go on.
    unsafe built?.content(as: AnyObject.self)?.release()
    var earlier = EarlierAttempts()
    var concluded = unsafe try Construction.conclude(
      claim.construction, &product, failure, of: self, in: slot, nil, &earlier)
    if concluded == nil, claim.beginsResolution {
      earlier.located = InstanceLocation(place: place, root: construction)
      concluded = try resolveBox(Request(slot, for: container), after: &earlier)
    }
    return concluded.map {
      unsafe CellWord(Unmanaged.passRetained($0), isInstance: false)
    }
  }
}
