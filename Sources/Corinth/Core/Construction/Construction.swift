// SPDX-License-Identifier: MIT

internal import Synchronization

/// A run of a factory, from the claim of a state until the instance is published or dropped.
///
/// The thread or task that claims the state owns the construction. A transient or refresh, which no
/// further resolve gets, has one too where waits or cycles are tracked, without a state.
@safe
// SAFETY: `madeLinks` is only touched with the mutex of the wait-for graph held, `place`,
// `outdated`, `report`, `surroundings`, `notingAround` and `notes` by the owner; all else is
// Sendable or atomic, and constant while anybody else refers to the construction.
final class Construction: GraphContext, ThreadSpare, @unchecked Sendable {
  /// The key of the registration.
  var key: RegistrationKey {
    keyInFull ?? slotOfKey?.key ?? RegistrationKey(product: product)
  }
  private var product: any Any.Type
  /// The slot with the key, kept by the container or an ancestor; `nil` for the other two.
  private var slotOfKey: SlotReference?
  /// `nil` if the key is only a product: copying a key takes longer.
  private var keyInFull: RegistrationKey?
  /// The number of the registration, 0 for none yet.
  private(set) var serial: UInt64 = 0
  /// Whether a task of its own builds a shared instance.
  private(set) var isAsynchronous = false
  /// Whether further resolves may get the instance.
  private(set) var isShared = false
  /// Whether the resolve falls back on an old instance after a cycle. A refresh is not shared.
  private(set) var isRefresh = false
  /// Whether a user's ``CustomStorage`` stores the product. The storage then decides what every
  /// resolve gets, except the resolve that began the construction.
  var isStoredByUser: Bool { reference == .user }
  /// The reference to the instance from its state.
  private var reference = ScopePolicy.Box.strong
  /// Whether the instance outlives the resolution, so that later resolves find the instance.
  var isRetained: Bool { storage.outlivesResolution }

  /// The place claimed.
  private var place: Place?
  /// The box unlinked from the place by the claim, or what else the place has given up.
  private var outdated: Unmanaged<AnyObject>? { didSet { unsafe markLaden(outdated != nil) } }
  /// The construction and the path to which the building thread returns.
  var surroundings = Section.Surroundings.none
  /// The construction around for which the building thread notes, while ``noting`` is on.
  var notingAround = ResolveNotes.Recipient.none
  /// The notes of the resolves, from ``leave()`` on, until the instance alone has the notes.
  var notes: ResolveNotes?

  /// The report of an instance that the container let go of during the construction.
  private var report: UndisposedReport? { didSet { markLaden(report != nil) } }

  private var madeLinks: ConstructionLinks? { didSet { markLaden(true) } }
  private let forkGeneration = Atomic<UInt32>(0)
  private let retries = Atomic<UInt32>(0)

  private init(of product: any Any.Type) {
    self.product = product
    super.init()
    _ = WaitForGraph.isPrepared
  }

  deinit { notes?.release() }

  static var kind: ThreadSpares.Kind { .construction }

  override var isAwaited: Bool { isShared && isAsynchronous }

  override var isDone: Bool { marks.load(ordering: .relaxed) & Mark.done != 0 || isFinished }

  /// The resolver for the factory.
  var resolver: Resolver { Resolver(registry: container, construction: self) }

  /// The container to store the instance, if the instance outlives the resolution.
  var retainingContainer: ContainerCore? { isRetained ? container : nil }

  // MARK: - Building

  /// Takes over a place claimed for the construction by the caller, in place of an outdated box.
  func own(_ place: Place, replacing outdated: Unmanaged<AnyObject>? = nil) {
    self.place = place
    unsafe self.outdated = outdated
  }

  /// Ends the construction with its instance, which further resolves get from now on.
  ///
  /// Called with no lock held, before ``release()``. Consumes the caller's reference, which must
  /// not keep the instance alive beyond the waiters' references.
  ///
  /// - Parameter stored: the object for the state; `nil` if a ``CustomStorage`` stores the product.
  /// - Returns: the references that have left the wait-for graph. The caller releases them once all
  ///   constructions ending together have ended: a deinit may resolve their keys.
  @discardableResult
  func publish(
    _ box: consuming AnyInstanceBox, storedAs stored: consuming AnyObject?,
    of record: RegistrationRecord, in slot: SlotReference, arguments: AnyArguments?
  ) -> [AnyObject] {
    let isContended = store(box, storedAs: stored, of: record, in: slot, arguments)
    _ = consume stored
    var handed: AnyInstanceBox? = consume box
    return end(isContended, handing: handed.take(), error: nil)
  }

  /// The first part of ``publish``: further resolves get the instance from now on.
  ///
  /// - Returns: whether a resolve has joined the construction.
  @inline(__always)
  func store(
    _ box: AnyInstanceBox, storedAs stored: AnyObject?, of record: RegistrationRecord,
    in slot: SlotReference, _ arguments: AnyArguments?
  ) -> Bool {
    unsafe box.registration = Unmanaged.passUnretained(record)
    if noting.isOn { handNotesIfAny(to: box) }
    if arguments != nil { return storeForArguments(box, storedAs: stored, of: record) }
    // The place may have the last reference to the record.
    let place = takePlace()
    let isContended = exchange(place, with: stored)
    record.publishToSlot(box, in: slot, nil)
    if record.mayBeDropped(in: container) { report = record.reportIfDropped(box, in: container) }
    return isContended
  }

  @inline(never)
  private func storeForArguments(
    _ box: AnyInstanceBox, storedAs stored: AnyObject?, of record: RegistrationRecord
  ) -> Bool {
    // A released state has left its table, and the place may have the last reference.
    let place = takePlace()
    let isContended = exchange(place, with: stored)
    if record.mayBeDropped(in: container) || place.state?.release == .dropped {
      report = record.reportIfDropped(box, in: container)
    }
    return isContended
  }

  /// Ends the construction without an instance; ``publish(_:storedAs:of:in:arguments:)`` with one.
  ///
  /// - Parameter error: the error for the waiter that began the construction.
  @discardableResult
  func drop(becauseOf error: ResolutionError? = nil) -> [AnyObject] {
    let isContended = exchange(takePlace(), with: nil)
    return end(isContended, handing: nil, error: error)
  }

  /// The place, not the construction's from now on: before the exchange, as the place then leads to
  /// the instance, which may hold the construction.
  @inline(__always)
  private func takePlace() -> Place {
    guard let place = place.take() else {
      preconditionFailure("Construction.takePlace: the construction must own a place")
    }
    return place
  }

  @inline(__always)
  private func exchange(_ place: Place, with stored: AnyObject?) -> Bool {
    let word = place.exchange(with: stored)
    if word.isLeft, case .cell(let cell, _) = place { unsafe outdated = cell.takeOwner() }
    return word.isContended
  }

  private func end(
    _ isContended: Bool, handing box: consuming AnyInstanceBox?, error: ResolutionError?
  ) -> [AnyObject] {
    storeFinished()
    return isContended || isLinked ? WaitForGraph.end(self, handing: box, error: error) : []
  }

  // MARK: - Using it again

  /// Ends a construction that was published or dropped, or that its cell no longer leads to, and
  /// consumes the caller's reference or the state's. Runs deinits of graph instances, for which no
  /// waiter waits, and of objects retired meanwhile. No resolve has joined the construction.
  static func end(_ ended: Unmanaged<Construction>) {
    if unsafe !keep(ended) { unsafe endForGood(ended, isContended: false, handing: nil) }
    Reclamation.reclaim()
  }

  /// As ``end(_:)``, with the instance for the waiters. An optional would be counted.
  ///
  /// - Parameter isContended: whether a resolve has joined the construction.
  @inline(__always)
  static func end(
    _ ended: Unmanaged<Construction>, isContended: Bool, with box: AnyInstanceBox
  ) {
    if unsafe isContended || !keep(ended) {
      unsafe endForGood(ended, isContended: isContended, handing: box)
    }
    Reclamation.reclaim()
  }

  /// Out of line, to keep the above short.
  @inline(never)
  private static func endForGood(
    _ ended: Unmanaged<Construction>, isContended: Bool, handing box: AnyInstanceBox?
  ) {
    // SAFETY: the caller's reference.
    let removed = unsafe ended._withUnsafeGuaranteedRef { construction in
      construction.takeReferences()
      let removed = construction.end(isContended, handing: box, error: nil)
      construction.letGo()
      return removed
    }
    unsafe ended.release()
    withExtendedLifetime(removed) {}
  }

  @inline(never)
  override func endAsNew() -> Bool {
    guard isUntouched, notes == nil else { return false }
    if case .some = keyInFull { leaveAll() } else if refersToOthers { leaveUnshared() }
    return true
  }

  /// Notes a property that ``endAsNew()`` would lose.
  @inline(__always)
  private func markLaden(_ isLaden: Bool) {
    if isLaden { marks.bitwiseOr(Mark.laden, ordering: .relaxed) }
  }

  @inline(never)
  private func leaveAll() {
    // A name may be the user's.
    keyInFull = nil
    leaveUnshared()
  }

  /// Releases the state's reference, and everything owned by the construction. Runs deinits of
  /// graph instances and of the outdated instance, for which no waiter waits, and of objects
  /// retired meanwhile: nothing is destroyed inside a construction.
  func release() {
    takeReferences()
    letGo()
    unsafe Unmanaged.passUnretained(self).release()
    Reclamation.reclaim()
  }

  private func letGo() {
    closeGraph()
    if let report { UndisposedReports.make(report, of: container) }
    if let outdated = unsafe outdated { unsafe Reclamation.retire(outdated) }
  }

  // MARK: - Retries

  /// After so many constructions in vain, a resolve does not retry.
  static let retriesAtMost: UInt32 = 16

  /// Notes that the resolve of this construction, owner of a state, has begun `previous` in vain.
  func follow(_ previous: Construction) {
    retries.store(previous.retries.load(ordering: .relaxed) + 1, ordering: .relaxed)
    markLaden(true)
  }

  var isLastAttempt: Bool { retries.load(ordering: .relaxed) >= Self.retriesAtMost }

  // MARK: - Links

  /// Whether the end concerns further constructions: by an early reference to an instance, or by an
  /// action postponed until a construction has its instance.
  var isLinked: Bool { marks.load(ordering: .sequentiallyConsistent) & Mark.linked != 0 }

  func markLinked() {
    marks.bitwiseOr(Mark.linked, ordering: .sequentiallyConsistent)
  }

  /// Notes whether the construction's own work is done. The mutex of the wait-for graph, under
  /// which waits look at the note, is held by the caller.
  func setDone(_ isDone: Bool) {
    if isDone {
      marks.bitwiseOr(Mark.done, ordering: .relaxed)
    } else {
      marks.bitwiseAnd(~Mark.done, ordering: .relaxed)
    }
  }

  /// Whether the construction was cancelled, as no resolve wants the instance any more.
  var isCancelled: Bool { marks.load(ordering: .relaxed) & Mark.cancelled != 0 }

  /// Notes a cancellation. The mutex of the wait-for graph, under which waits look, is held.
  func markCancelled() {
    marks.bitwiseOr(Mark.cancelled, ordering: .relaxed)
  }

  /// The links in the wait-for graph. The graph's mutex is held.
  @inline(never) var links: ConstructionLinks {
    if let madeLinks { return madeLinks }
    let links = ConstructionLinks()
    madeLinks = links
    return links
  }

  // MARK: - Fork

  /// Whether a fork left the building thread behind.
  var isOrphaned: Bool {
    forkGeneration.load(ordering: .relaxed) != ForkHandlers.generation
  }

  /// In the child of a fork: the forking thread goes on building. Waits and links of the lost
  /// threads are dropped.
  func adoptAfterFork() {
    forkGeneration.store(ForkHandlers.generation, ordering: .relaxed)
    guard let links = madeLinks else { return }
    // Never released: a lost thread may have been changing the links during the fork.
    unsafe _ = Unmanaged.passRetained(links)
    madeLinks = links.copyOfPhase()
  }
}

// MARK: - Using it again

extension Construction {
  /// A construction, reused if the thread has a spare. The frames of the calling thread hold the
  /// container and the requester until its end, or until it takes references.
  ///
  /// - Parameters:
  ///   - record: the registration to be built by the calling thread or task.
  ///   - slot: the slot of the registration, if a slot of `container` or an ancestor.
  ///   - container: where the dependencies are resolved.
  ///   - requester: the unfinished context whose resolver asks, if any.
  ///   - isNoting: whether the thread notes what the factory resolves.
  /// - Returns: with a reference, consumed by a claim or by a function that ends it.
  @_transparent
  static func begin(
    of record: RegistrationRecord, keyIn slot: SlotReference? = nil, in container: ContainerCore,
    requestedBy requester: ResolutionContext?, isShared: Bool = true, isRefresh: Bool = false,
    isNoting: Bool = false
  ) -> Unmanaged<Construction> {
    let spare = unsafe ThreadSpares.take(Construction.self)
    let construction = unsafe spare ?? Unmanaged.passRetained(Construction(of: record.key.product))
    // SAFETY: nobody else refers to a spare or new construction.
    unsafe construction._withUnsafeGuaranteedRef {
      $0.slotOfKey = slot
      if slot == nil {
        $0.product = record.key.product
        // A name stays until the end of the construction: see `endAsNew`.
        if record.key.name != nil || record.key.arguments != nil { $0.keyInFull = record.key }
      }
      $0.serial = record.serial
      $0.isAsynchronous = record.isAsynchronous
      $0.isShared = isShared && !isRefresh
      $0.isRefresh = isRefresh
      $0.reference = record.policy.box
      $0.storage = record.policy.storage
      $0.noting.begin(isOn: isNoting)
      $0.forkGeneration.store(ForkHandlers.generation, ordering: .relaxed)
      $0.begin(in: container, requestedBy: requester)
      // The construction's task outlives the frames running now.
      if isShared, record.isAsynchronous { $0.takeReferences() }
    }
    return unsafe construction
  }

  /// As `begin`, with references to container and requester, for use beyond the caller's frames.
  static func begun(
    of record: RegistrationRecord, in container: ContainerCore,
    requestedBy requester: ResolutionContext?, isShared: Bool = true, isRefresh: Bool = false
  ) -> Construction {
    let construction = unsafe begin(
      of: record, in: container, requestedBy: requester, isShared: isShared, isRefresh: isRefresh
    ).takeRetainedValue()
    construction.takeReferences()
    return construction
  }
}
