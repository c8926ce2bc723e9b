// SPDX-License-Identifier: MIT

/// How a resolve finds or builds an instance in a cell of its request scope or resolution. Note 24.
///
/// Any step may find more to do, and leave it to RegistrationRecord+Construction.swift.
// SAFETY, of this file: a section keeps boxes of cells alive; a claim has one reference to its
// construction, consumed by a function that ends it; the attempts are a variable of a caller.
extension RegistrationRecord {
  /// The instance from the cell of the container's scope, or newly built there.
  ///
  /// - Returns: `nil` if the ordinary steps are to be taken.
  final func boxInCell(
    in slot: SlotReference, for container: ContainerCore, within context: ResolutionContext?,
    _ earlier: inout EarlierAttempts
  ) throws(ResolutionError) -> AnyInstanceBox? {
    if policy.storage == .resolution {
      let section = Section.enter()
      let content = unsafe try contentOfGraph(
        section, in: slot, for: container, within: context, isBoxed: true, &earlier)
      return unsafe content?.content(as: AnyInstanceBox.self)?.takeRetainedValue()
    }
    guard let scope = container.isScope ? container : container.scope, let cells = scope.cells
    else { return nil }
    let requester = ResolutionContext.unfinished(context)
    try refuseCapture(beyond: scope, requester)
    var box: AnyInstanceBox?
    guard let claim = try claimCell(of: scope, cells, orTaking: &box, for: container, requester)
    else { return box }
    // A box shared by all resolves keeps the decorated instances for further keys.
    let built = unsafe try build(
      claim, of: .passUnretained(scope), for: scope, in: slot, isBoxed: true, &earlier)
    return unsafe built?.content(as: AnyInstanceBox.self)?.takeRetainedValue()
  }

  private func claimCell(
    of scope: ContainerCore, _ cells: ScopeCells, orTaking box: inout AnyInstanceBox?,
    for container: ContainerCore, _ requester: ResolutionContext?
  ) throws(ResolutionError) -> CellClaim? {
    let section = Section.enter()
    defer { section.leave() }
    let record = unsafe Unmanaged.passUnretained(self)
    var firstFree: ScopeCell?
    if let word = unsafe cells.content(ofCellOwnedBy: record, section, orAfter: &firstFree) {
      // An instance without a box moves to the store, with a new box.
      if !word.holdsInstance { box = word.box(by: self) }
      return nil
    }
    // A child of the scope may have different dependencies.
    return scope === container
      ? try claimCell(of: scope, cells, from: firstFree, requester, section, foundIn: nil) : nil
  }

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
  ///   - lookup: the section in which the registration was found in its slot, if still open.
  /// - Returns: the construction to build after the section. The cell keeps the record alive.
  @inline(__always)
  final func claimCell(
    of scope: ContainerCore, _ cells: ScopeCells, from firstFree: ScopeCell?,
    _ requester: ResolutionContext?, _ section: Section, foundIn lookup: Section?
  ) throws(ResolutionError) -> CellClaim? {
    if Composition.isUsed && scope.isComposed { return nil }
    guard
      case .cell(let cell) = unsafe cells.place(
        ownedBy: .passUnretained(self), foundIn: lookup, from: firstFree),
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
  /// - Parameters:
  ///   - isBoxed: whether the caller needs the instance in a box.
  ///   - earlier: the attempts of the caller; `nil` if the caller begins its ordinary steps anew.
  /// - Returns: a built word, with a reference; `nil` to ask for the ordinary steps.
  @inline(__always)
  final func contentOfGraph(
    _ section: Section, in slot: SlotReference, for container: ContainerCore,
    within context: ResolutionContext?, isBoxed: Bool,
    _ earlier: UnsafeMutablePointer<EarlierAttempts>?
  ) throws(ResolutionError) -> CellWord? {
    // Neither unwrapped here nor passed to `unfinished`, which would count references to the
    // context. A context that the thread is running has not ended.
    context == nil || !section.isRunning(context) && ResolutionContext.isOver(context)
      ? unsafe try contentOfOwnGraph(section, in: slot, for: container, isBoxed: isBoxed, earlier)
      : unsafe try contentOfGraph(
        of: context, section, in: slot, for: container, isBoxed: isBoxed, earlier)
  }

  @inline(never)
  private func contentOfGraph(
    of requester: ResolutionContext?, _ section: Section, in slot: SlotReference,
    for container: ContainerCore, isBoxed: Bool, _ earlier: UnsafeMutablePointer<EarlierAttempts>?
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
        of: keeper, orTaking: &content, for: container, requester, isBoxed: isBoxed,
        endingSection: section)
    else { return content }
    return unsafe try build(
      claim, of: keeper, for: container, in: slot, isBoxed: isBoxed, earlier)
  }

  private func claimCell(
    of keeper: Unmanaged<GraphContext>, orTaking content: inout CellWord?,
    for container: ContainerCore, _ requester: ResolutionContext?, isBoxed: Bool,
    endingSection section: Section
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
      // An instance without a box moves to the store, with a new box.
      if word.holdsInstance && isBoxed { return nil }
      unsafe _ = word.content(as: AnyObject.self)?.retain()
      content = word
      return nil
    }
    if Composition.isUsed && container.isComposed { return nil }
    // A resolve that needs a box has found the registration in a section already ended.
    guard
      case .cell(let cell) = unsafe cells.place(
        ownedBy: .passUnretained(self), foundIn: isBoxed ? nil : section, from: firstFree),
      cell.load().isEmpty, !WaitForGraph.mayRefuse(requestedBy: requester)
    else { return nil }
    let construction = unsafe try beginInGraph(of: container, requestedBy: requester)
    return unsafe try claim(
      cell, construction, isDisposable: false, beginsResolution: false, section)
  }

  /// A new resolution, which begins with this instance.
  @inline(never)
  private func contentOfOwnGraph(
    _ section: Section, in slot: SlotReference, for container: ContainerCore, isBoxed: Bool,
    _ earlier: UnsafeMutablePointer<EarlierAttempts>?
  ) throws(ResolutionError) -> CellWord? {
    guard let claim = try claimFirstCell(in: container, isBoxed: isBoxed, endingSection: section)
    else { return nil }
    return unsafe try build(
      claim, of: claim.construction, for: container, in: slot, isBoxed: isBoxed, earlier)
  }

  private func claimFirstCell(
    in container: ContainerCore, isBoxed: Bool, endingSection section: Section
  ) throws(ResolutionError) -> CellClaim? {
    defer { section.leave() }
    if Composition.isUsed && container.isComposed || WaitForGraph.mayRefuse(requestedBy: nil) {
      return nil
    }
    let construction = unsafe try beginInGraph(of: container, requestedBy: nil)
    let found = unsafe construction._withUnsafeGuaranteedRef { $0.cellsForUse }
    guard let cells = found,
      case .cell(let cell) = unsafe cells.place(
        ownedBy: .passUnretained(self), foundIn: isBoxed ? nil : section)
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
  /// - Parameters:
  ///   - isBoxed: whether the caller needs the instance in a box.
  ///   - earlier: as above. By address: attempts, unneeded by most resolves, take time to destroy.
  /// - Returns: a built word, with a reference to its content; `nil` if the caller must retry.
  final func build(
    _ claim: CellClaim, of keeper: Unmanaged<some InstanceKeeper>, for container: ContainerCore,
    in slot: SlotReference, isBoxed: Bool, _ earlier: UnsafeMutablePointer<EarlierAttempts>?
  ) throws(ResolutionError) -> CellWord? {
    var holdsInstance = isClassInstance && !isBoxed
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
      if claim.isDisposable {
        number(content, in: claim.cell, container.nextCompletion(), isBoxed: !holdsInstance)
      }
    } catch {
      return unsafe try giveBack(
        claim, of: keeper, for: container, in: slot, because: error, earlier)
    }
    let built = unsafe CellWord(
      Unmanaged<AnyObject>.fromOpaque(
        UnsafeRawPointer(bitPattern: content).unsafelyUnwrapped),
      isInstance: holdsInstance)
    // A dropped instance may need a report. If it is dropped later, the scope's closing finds it.
    let isOrdinary =
      unsafe isDropped || claim.construction._withUnsafeGuaranteedRef { $0.isLinked }
    // The cell's reference. A resolution begun with the construction ends with the instance.
    if !claim.beginsResolution { unsafe _ = built.content(as: AnyObject.self)?.retain() }
    if isOrdinary
      || !claim.cell.exchange(claim.word, with: claim.beginsResolution ? .sealed : built)
    {
      if !claim.beginsResolution { unsafe built.content(as: AnyObject.self)?.release() }
      return unsafe try completeOrdinary(
        claim, of: keeper, for: container, built, in: slot, earlier)
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
    var instance = instance
    let box = unsafe box(ofObjectAt: &instance)
    unsafe box.registration = Unmanaged.passUnretained(self)
    if let object = unsafe UnsafeRawPointer(bitPattern: instance) {
      unsafe Unmanaged<AnyObject>.fromOpaque(object).release()
    }
    return unsafe UInt(bitPattern: Unmanaged.passRetained(box).toOpaque())
  }

  @inline(never)
  private func giveBack(
    _ claim: CellClaim, of keeper: Unmanaged<some InstanceKeeper>, for container: ContainerCore,
    in slot: SlotReference, because error: any Error,
    _ earlier: UnsafeMutablePointer<EarlierAttempts>?
  ) throws(ResolutionError) -> CellWord? {
    let isLinked = unsafe claim.construction._withUnsafeGuaranteedRef { $0.isLinked }
    let thrown = ResolutionError(error, thrownBy: self)
    if !isLinked,
      claim.cell.exchange(claim.word, with: claim.beginsResolution ? .sealed : .empty)
    {
      unsafe claim.construction._withUnsafeGuaranteedRef { $0.leave() }
      unsafe Construction.end(claim.construction, becauseOf: thrown)
      throw thrown
    }
    let location = unsafe ordinary(claim, of: keeper)
    // The reference left by `InstanceKeeper.join` for this thread, whose callers may have no other.
    defer { unsafe Unmanaged.passUnretained(self).release() }
    try location.root.giveBack(self, because: error)
    return unsafe try retry(claim, at: location, for: container, in: slot, earlier)
  }

  /// Completes a construction begun in a cell like any ordinary construction.
  ///
  /// - Parameter built: the instance, with a reference to the content.
  @inline(never)
  private func completeOrdinary(
    _ claim: CellClaim, of keeper: Unmanaged<some InstanceKeeper>, for container: ContainerCore,
    _ built: CellWord, in slot: SlotReference, _ earlier: UnsafeMutablePointer<EarlierAttempts>?
  ) throws(ResolutionError) -> CellWord? {
    let location = unsafe ordinary(claim, of: keeper)
    defer { unsafe Unmanaged.passUnretained(self).release() }
    var product: AnyInstanceBox? = built.box(by: self)
    // No further reference may keep the instance alive when its waiters go on.
    unsafe built.content(as: AnyObject.self)?.release()
    guard let completed = try location.root.complete(&product, of: self, in: slot, nil) else {
      return unsafe try retry(claim, at: location, for: container, in: slot, earlier)
    }
    return unsafe CellWord(Unmanaged.passRetained(completed), isInstance: false)
  }

  /// The construction, now owner of a state, and the state. A concurrent thread may be joining.
  private func ordinary(
    _ claim: CellClaim, of keeper: Unmanaged<some InstanceKeeper>
  ) -> (root: Construction, state: InstanceState?) {
    unsafe claim.construction._withUnsafeGuaranteedRef { $0.takeReferences() }
    let state = unsafe keeper._withUnsafeGuaranteedRef { $0.state(of: self, insteadOf: claim.cell) }
    WaitsMutex.withLock {}
    return unsafe (claim.construction.takeRetainedValue(), state)
  }

  /// Goes on with the ordinary steps after a construction in vain: in the resolution begun with the
  /// construction, found only by this resolve.
  ///
  /// - Returns: `nil` if the caller must retry.
  private func retry(
    _ claim: CellClaim, at location: (root: Construction, state: InstanceState?),
    for container: ContainerCore, in slot: SlotReference,
    _ earlier: UnsafeMutablePointer<EarlierAttempts>?
  ) throws(ResolutionError) -> CellWord? {
    guard let earlier = unsafe earlier else {
      var earlier = EarlierAttempts()
      return unsafe try retry(claim, at: location, for: container, in: slot, &earlier)
    }
    unsafe earlier.pointee.begin(location.root)
    guard claim.beginsResolution, let state = location.state else { return nil }
    unsafe earlier.pointee.located = InstanceLocation(state: state, root: location.root)
    if unsafe earlier.pointee.isInTask { return nil }
    unsafe earlier.pointee.isUnderWay = true
    let box = unsafe try resolveBox(Request(slot, for: container), after: &earlier.pointee)
    return unsafe CellWord(Unmanaged.passRetained(box), isInstance: false)
  }
}
