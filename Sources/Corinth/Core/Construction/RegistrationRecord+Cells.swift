// SPDX-License-Identifier: MIT

/// How a resolve gets an instance from a cell of its request scope, or builds it there. Note 24.
///
/// Each step may find that there is more to do: the ordinary steps of RegistrationRecord+Construction.swift then do it.
// SAFETY, of this file: a section keeps boxes of cells alive; a claim has one reference to its construction, which one of
// the functions that end it takes over.
extension RegistrationRecord {
  /// The instance from the cell of the container's scope, or built in it.
  ///
  /// - Returns: `nil` if the ordinary steps are to be taken.
  final func boxInCell(
    in slot: SlotReference, for container: ContainerCore, within context: ResolutionContext?,
    _ earlier: inout EarlierAttempts
  ) throws(ResolutionError) -> AnyInstanceBox? {
    guard let scope = container.isScope ? container : container.scope, let cells = scope.table.cells
    else { return nil }
    let requester = ResolutionContext.unfinished(context)
    try refuseCapture(beyond: scope, requester)
    var box: AnyInstanceBox?
    guard let claim = try claimCell(of: scope, cells, orTaking: &box, for: container, requester)
    else { return box }
    // A box that stays the same belongs to it: decorators may be put around the instance for other keys.
    let built = try build(claim, for: scope, in: slot, isBoxed: true, &earlier)
    return unsafe built?.content(as: AnyInstanceBox.self)?.takeRetainedValue()
  }

  private func claimCell(
    of scope: ContainerCore, _ cells: ScopeCells, orTaking box: inout AnyInstanceBox?,
    for container: ContainerCore, _ requester: ResolutionContext?
  ) throws(ResolutionError) -> CellClaim? {
    let section = Section.enter()
    defer { section.leave() }
    let record = unsafe Unmanaged.passUnretained(self)
    if let word = unsafe scope.contentOfCell(of: record, in: cells, section) {
      // An instance without a box goes over to the store, with one.
      if !word.holdsInstance { box = word.box(by: self) }
      return nil
    }
    // A child of the scope may have its own dependencies.
    return scope === container ? try claimCell(of: scope, cells, requester, section) : nil
  }

  /// A construction under way in a cell.
  @safe
  struct CellClaim {
    fileprivate let construction: Unmanaged<Construction>
    fileprivate let cell: ScopeCell
    fileprivate let cells: ScopeCells
    /// Whether the registration had disposers before.
    fileprivate let isDisposable: Bool

    fileprivate var word: CellWord { unsafe CellWord(builtBy: construction) }
  }

  /// Claims the cell of the instance, if that is empty and nothing is put around constructions.
  ///
  /// - Returns: what the caller has to build, once it has left the section. The cell keeps the registration alive.
  @inline(__always)
  final func claimCell(
    of scope: ContainerCore, _ cells: ScopeCells, _ requester: ResolutionContext?,
    _ section: Section
  ) throws(ResolutionError) -> CellClaim? {
    if Composition.isUsed && scope.isComposed { return nil }
    guard case .cell(let cell) = unsafe cells.place(ownedBy: Unmanaged.passUnretained(self)),
      cell.load().isEmpty, !WaitForGraph.isAbandoned(requestedBy: requester)
    else { return nil }
    let construction = unsafe Construction.recycled(of: self, in: scope, requestedBy: requester)
    if unsafe construction._withUnsafeGuaranteedRef({ $0.isTooDeep(section) }) {
      unsafe construction.release()
      throw .resolutionTooDeep(self)
    }
    let isDisposable = hasDisposers
    // Before the claim, which a closer finds.
    if isDisposable { scope.instances.expectDisposal() }
    let claim = unsafe CellClaim(
      construction: construction, cell: cell, cells: cells, isDisposable: isDisposable)
    if cell.exchange(.empty, with: claim.word) { return claim }
    unsafe construction.release()
    return nil
  }

  /// Builds the instance of a cell that the caller has claimed.
  ///
  /// The cell keeps the registration alive, until it has the instance, or is empty: others may then close the scope. So this
  /// does not touch the registration afterwards.
  ///
  /// - Parameter isBoxed: whether the caller needs the instance in a box.
  /// - Returns: a built word, with a reference to its content; `nil` if the caller must retry.
  final func build(
    _ claim: CellClaim, for scope: ContainerCore, in slot: SlotReference, isBoxed: Bool,
    _ earlier: inout EarlierAttempts
  ) throws(ResolutionError) -> CellWord? {
    let holdsInstance = isClassInstance && !isBoxed && !claim.isDisposable
    var content: UInt = 0
    do {
      unsafe try claim.construction._withUnsafeGuaranteedRef { construction in
        construction.enterForBuilding()
        if holdsInstance {
          unsafe try build(in: scope, construction, into: &content)
        } else {
          let box = try build(Resolver(registry: scope, construction: construction), nil)
          if claim.isDisposable { box.markCompleted() }
          unsafe box.registration = Unmanaged.passUnretained(self)
          content = unsafe UInt(bitPattern: Unmanaged.passRetained(box).toOpaque())
        }
      }
    } catch {
      return try giveBack(claim, of: scope, because: error, &earlier)
    }
    let built = unsafe CellWord(
      Unmanaged<AnyObject>.fromOpaque(
        UnsafeRawPointer(bitPattern: content).unsafelyUnwrapped),
      isInstance: holdsInstance)
    // One that was dropped meanwhile may have to be reported. If it is dropped later, the scope's closing finds the instance.
    let isOrdinary =
      unsafe isDropped || claim.construction._withUnsafeGuaranteedRef { $0.isLinked }
    // The cell's reference.
    unsafe _ = built.content(as: AnyObject.self)?.retain()
    if isOrdinary || !claim.cell.exchange(claim.word, with: built) {
      unsafe built.content(as: AnyObject.self)?.release()
      return try completeOrdinary(claim, of: scope, built, in: slot, &earlier)
    }
    unsafe claim.construction._withUnsafeGuaranteedRef { $0.leave() }
    unsafe Construction.endInCell(claim.construction, becauseOf: nil)
    return built
  }

  @inline(never)
  private func giveBack(
    _ claim: CellClaim, of scope: ContainerCore, because error: any Error,
    _ earlier: inout EarlierAttempts
  ) throws(ResolutionError) -> CellWord? {
    let isLinked = unsafe claim.construction._withUnsafeGuaranteedRef { $0.isLinked }
    let thrown = ResolutionError(error, thrownBy: self)
    if !isLinked, claim.cell.exchange(claim.word, with: .empty) {
      unsafe claim.construction._withUnsafeGuaranteedRef { $0.leave() }
      unsafe Construction.endInCell(claim.construction, becauseOf: thrown)
      throw thrown
    }
    let construction = ordinary(claim, of: scope)
    // The reference that `ContainerCore.join` has left for this thread. What calls this may have no other.
    defer { unsafe Unmanaged.passUnretained(self).release() }
    try give(back: construction, because: error)
    earlier.begin(construction)
    return nil
  }

  /// Completes a construction that has begun in a cell as any other.
  ///
  /// - Parameter built: the instance, with a reference to its content.
  @inline(never)
  private func completeOrdinary(
    _ claim: CellClaim, of scope: ContainerCore, _ built: CellWord, in slot: SlotReference,
    _ earlier: inout EarlierAttempts
  ) throws(ResolutionError) -> CellWord? {
    let construction = ordinary(claim, of: scope)
    defer { unsafe Unmanaged.passUnretained(self).release() }
    var product: AnyInstanceBox? = built.box(by: self)
    // Nothing else may keep the instance alive when those who wait for it go on.
    unsafe built.content(as: AnyObject.self)?.release()
    guard let completed = try complete(&product, construction, in: slot, nil) else {
      earlier.begin(construction)
      return nil
    }
    return unsafe CellWord(Unmanaged.passRetained(completed), isInstance: false)
  }

  /// The construction, which owns a state from now on. Another thread may be joining it just now.
  private func ordinary(_ claim: CellClaim, of scope: ContainerCore) -> Construction {
    scope.state(of: self, insteadOf: claim.cell, claim.cells)
    WaitsMutex.lock()
    WaitsMutex.unlock()
    return unsafe claim.construction.takeRetainedValue()
  }
}
