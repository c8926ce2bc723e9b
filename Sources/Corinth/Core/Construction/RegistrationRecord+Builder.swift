// SPDX-License-Identifier: MIT

/// A construction under way in a cell that a call site has claimed. All other constructions own the
/// place that was claimed for them.
@safe
struct CellClaim {
  /// With the cell's reference, consumed by the function that ends the construction.
  let construction: Unmanaged<Construction>
  let cell: ScopeCell

  /// The owner of a cell's memory.
  @safe
  enum Keeper {
    /// The request scope that was asked.
    case container
    /// A resolution, held by the contexts around the resolve.
    case resolution(Unmanaged<ResolutionContext>)
    /// The resolution that begins with the construction, and ends with the instance.
    case construction
  }

  /// The word of the cell while nobody has joined the construction.
  fileprivate var word: PlaceWord { unsafe PlaceWord(builtBy: construction) }
}

/// The builder: runs the factory of a claimed construction, and publishes the instance or fails.
/// Threads build the instances of all scopes here; ``UnpublishedInstance`` has the further steps.
///
/// Inlined in debug builds too, within this file: constructions nest, and every frame takes from
/// the thread's stack.
// SAFETY: a claimed construction comes with the reference of its place.
extension RegistrationRecord {
  /// The instance of a shared scope, built by this call or by a concurrent call.
  ///
  /// - Parameter earlier: the attempts of the resolve. The caller's variable, to avoid copies.
  final func resolveBox(
    _ request: Request, after earlier: inout EarlierAttempts
  ) throws(ResolutionError) -> AnyInstanceBox {
    while true {
      var box: AnyInstanceBox?
      if let construction = unsafe try findOrClaim(&box, request, &earlier) {
        box = unsafe try build(construction, request, &earlier)
      }
      if let box { return box }
    }
  }

  /// Builds an instance claimed by the ordinary steps.
  ///
  /// - Parameter earlier: the attempts of the resolve. The caller's variable, to avoid copies.
  /// - Returns: `nil` after a construction in vain, which asks for a further attempt.
  @_transparent
  final func build(
    _ claimed: Unmanaged<Construction>, _ request: Request, _ earlier: inout EarlierAttempts
  ) throws(ResolutionError) -> AnyInstanceBox? {
    var built = PlaceWord.empty
    var failure: (any Error)?
    do {
      built = PlaceWord(holding: unsafe try run(claimed, request.arguments))
    } catch { failure = error }
    // A single call for both outcomes, as every throwing call enlarges the frame.
    return unsafe try conclude(
      claimed, built, failure, in: request.slot, request.arguments, &earlier)
  }

  /// Builds a singleton claimed by a call site. The construction's place keeps the record alive
  /// until the end: the function does not touch the record afterwards.
  ///
  /// - Returns: a built word, with a reference to its content.
  @_transparent
  final func build(
    _ claimed: Unmanaged<Construction>, for container: ContainerCore, in slot: SlotReference,
    within context: ResolutionContext?
  ) throws(ResolutionError) -> PlaceWord {
    var built = PlaceWord.empty
    var failure: (any Error)?
    do { built = PlaceWord(holding: unsafe try run(claimed, nil)) } catch { failure = error }
    if failure == nil, unsafe publish(built, builtBy: claimed, in: slot, nil) { return built }
    var earlier = EarlierAttempts()
    return unsafe try conclude(
      claimed, built, failure, for: container, in: slot, within: context, &earlier)
  }

  /// Builds an instance in a cell claimed by a call site. The cell keeps the record alive until the
  /// cell has the instance or is empty, as then a closer may close the scope: the function does not
  /// touch the record afterwards.
  ///
  /// - Returns: a built word, with a reference to its content.
  @_transparent
  final func build(
    _ claim: CellClaim, keptBy keeper: CellClaim.Keeper, for container: ContainerCore,
    in slot: SlotReference, within context: ResolutionContext?
  ) throws(ResolutionError) -> PlaceWord {
    var built = PlaceWord.empty
    var failure: (any Error)?
    do {
      let resolver = unsafe Construction.enter(claim.construction)
      built =
        resolver.isComposed
        ? try buildComposedForCell(resolver) : try buildForCell(resolver)
    } catch { failure = error }
    if failure == nil, publish(built, in: claim, keptBy: keeper, for: container) { return built }
    return try conclude(
      claim, keptBy: keeper, built, failure, for: container, in: slot, within: context)
  }

  /// Runs the factory. No closure around the call.
  @_transparent
  private func run(
    _ claimed: Unmanaged<Construction>, _ arguments: AnyArguments?
  ) throws -> AnyInstanceBox {
    let resolver = unsafe Construction.enter(claimed)
    return try resolver.isComposed
      ? buildComposed(resolver.counted, arguments) : build(resolver, arguments)
  }

  // MARK: - Publication

  /// Publishes a complete instance in a cell, unless more has to be done: a resolve has joined, the
  /// scope is closing, constructions are linked.
  @inline(__always)
  private func publish(
    _ built: PlaceWord, in claim: CellClaim, keptBy keeper: CellClaim.Keeper,
    for container: ContainerCore
  ) -> Bool {
    // A dropped instance may need a report. If it is dropped later, the scope's closing finds it.
    guard !isDropped, unsafe !claim.construction._withUnsafeGuaranteedRef({ $0.isLinked }) else {
      return false
    }
    if case .container = keeper, hasDisposers {
      number(built, in: claim.cell, container.nextCompletion())
    }
    if !built.holdsInstance { unsafe built.box?.registration = Unmanaged.passUnretained(self) }
    var word = PlaceWord.sealed
    if case .construction = keeper {} else { word = built.retained }
    guard claim.cell.exchange(claim.word, with: word) else {
      unsafe word.content(as: AnyObject.self)?.release()
      return false
    }
    unsafe claim.construction._withUnsafeGuaranteedRef { $0.leaveUnnoted() }
    unsafe Construction.end(claim.construction)
    return true
  }

  /// Numbers a built instance before its publication.
  private func number(_ built: PlaceWord, in cell: ScopeCell, _ number: UInt64) {
    if built.holdsInstance { cell.completion = number } else { built.box?.markCompleted(number) }
  }

  /// Publishes a complete instance in a place that the construction owns, unless more has to be
  /// done: actions run, constructions are linked.
  @inline(__always)
  private func publish(
    _ built: PlaceWord, builtBy claimed: Unmanaged<Construction>, in slot: SlotReference,
    _ arguments: AnyArguments?
  ) -> Bool {
    guard servesInstanceUnchanged, unsafe !claimed._withUnsafeGuaranteedRef({ $0.isLinked })
    else { return false }
    // SAFETY: the word's reference.
    unsafe built.content(as: AnyInstanceBox.self).unsafelyUnwrapped._withUnsafeGuaranteedRef {
      box in
      let isContended = unsafe claimed._withUnsafeGuaranteedRef { construction in
        construction.noting.seesAll ? construction.leaveNoted() : construction.leave()
        if hasDisposers {
          markCompleted(box, in: disposingContainer(around: construction.container))
        }
        return construction.store(box, storedAs: box, of: self, in: slot, arguments)
      }
      unsafe Construction.end(claimed, isContended: isContended, with: box)
    }
    return true
  }

  // MARK: - More to do

  /// Has the construction of a cell own the cell, and ends the construction.
  @inline(never)
  private func conclude(
    _ claim: CellClaim, keptBy keeper: CellClaim.Keeper, _ built: PlaceWord,
    _ failure: (any Error)?, for container: ContainerCore, in slot: SlotReference,
    within context: ResolutionContext?
  ) throws(ResolutionError) -> PlaceWord {
    let construction = unsafe claim.construction.takeUnretainedValue()
    let owner: any InstanceKeeper =
      switch keeper {
      case .container: container
      case .resolution(let resolution): unsafe resolution.takeUnretainedValue()
      case .construction: construction
      }
    let place = Place.cell(claim.cell, of: owner)
    unsafe construction.own(place)
    var earlier = EarlierAttempts()
    if case .construction = keeper {
      earlier.located = Shared(InstanceLocation(place: place, root: construction))
    }
    return unsafe try conclude(
      claim.construction, built.boxed(by: self), failure, for: container, in: slot,
      within: context, &earlier)
  }

  /// Ends a call site's construction that has failed, or has more to do, and goes on with the
  /// ordinary steps after a construction in vain.
  @inline(never)
  private func conclude(
    _ claimed: Unmanaged<Construction>, _ built: PlaceWord, _ failure: (any Error)?,
    for container: ContainerCore, in slot: SlotReference, within context: ResolutionContext?,
    _ earlier: inout EarlierAttempts
  ) throws(ResolutionError) -> PlaceWord {
    // The place may lose the registration as soon as it has the instance.
    unsafe _ = Unmanaged.passRetained(self)
    defer { unsafe Unmanaged.passUnretained(self).release() }
    do throws(ResolutionError) {
      let concluded = unsafe try conclude(claimed, built, failure, in: slot, nil, &earlier)
      if let concluded { return PlaceWord(holding: concluded) }
      let request = Request(slot, for: container, within: context)
      return PlaceWord(holding: try resolveBox(request, after: &earlier))
    } catch {
      tell(of: error, from: container)
      throw error
    }
  }

  /// Publishes the built instance, at once if complete; or gives the claim back.
  ///
  /// - Parameters:
  ///   - built: the instance, in a box, with a reference to the box; empty for none.
  ///   - failure: the error of the factory, without an instance.
  /// - Returns: `nil` if the caller must retry: the instance is incomplete, or was dropped because
  ///   of an early reference.
  @inline(never)
  private func conclude(
    _ claimed: Unmanaged<Construction>, _ built: PlaceWord, _ failure: (any Error)?,
    in slot: SlotReference, _ arguments: AnyArguments?, _ earlier: inout EarlierAttempts
  ) throws(ResolutionError) -> AnyInstanceBox? {
    if failure == nil, unsafe publish(built, builtBy: claimed, in: slot, arguments) {
      return built.takeBox()
    }
    let construction = unsafe claimed.takeUnretainedValue()
    earlier.begin(construction)
    do {
      if let failure { throw failure }
      let instance = try UnpublishedInstance(
        taking: built.takeBox(), of: self, builtBy: construction, in: slot, arguments: arguments)
      let isDone = try instance.initialize()
      construction.leave()
      guard isDone else { return nil }
      let product = instance.earlyReference
      return try instance.finishWork() ? product : nil
    } catch let error as ResolutionError where construction.isFinished {
      throw error
    } catch {
      // A refused product is destroyed by now, inside the construction: later, the deinit could
      // wait for the construction of which the deinit is a part.
      construction.leave()
      if let error = construction.fail(self, error) { throw error }
      return nil
    }
  }
}

extension ContainerCore {
  /// A built word, with a reference to the box, newly built in the state of a singleton's
  /// registration; `nil` to ask for the ordinary steps. Ends the section. Out of line, to keep the
  /// frames of unrelated nested resolves small.
  // SAFETY: the section keeps the registration alive, then the place of the construction does.
  @inline(never)
  func contentOfSingleton(
    behind word: SlotWord, in slot: SlotReference, _ section: Section,
    within context: ResolutionContext?
  ) throws -> PlaceWord? {
    table.checkImage()
    let record = unsafe word.record
    let claimed = unsafe record._withUnsafeGuaranteedRef {
      unsafe $0.claimState(in: self, slot, endingSection: section, requestedBy: context)
    }
    guard let claimed = unsafe claimed else { return nil }
    return unsafe try record._withUnsafeGuaranteedRef {
      unsafe try $0.build(claimed, for: self, in: slot, within: context)
    }
  }
}
