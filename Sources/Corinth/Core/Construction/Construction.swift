// SPDX-License-Identifier: MIT

internal import Synchronization

/// One run of a factory, from the claim of an instance's state until the instance is published or dropped.
///
/// The thread or task that claims the state owns the construction. A factory's transients and refreshes, whose
/// instance no other resolve may get, have one too where waits or cycles are tracked: they claim no state.
@safe
// SAFETY: `madeLinks` is only touched with the mutex of the wait-for graph held, `state`, `outdated`,
// `report` and `surroundings` by the owner; all else is Sendable or atomic, and constant while somebody else
// refers to the construction.
final class Construction: GraphContext, ThreadSpare, @unchecked Sendable {
  /// The key of the registration.
  var key: RegistrationKey {
    keyInFull ?? slotOfKey?.key ?? RegistrationKey(product: product)
  }
  private var product: any Any.Type
  /// The slot of the container that has the key; `nil` if it is here. Nothing is copied, and the container keeps it.
  private var slotOfKey: SlotReference?
  /// `nil` if it is of no more than the product: to copy it takes longer.
  private var keyInFull: RegistrationKey?
  /// The number of the registration, 0 for none yet.
  private(set) var serial: UInt64 = 0
  /// Whether a task of its own builds, if it is shared.
  private(set) var isAsynchronous = false
  /// Whether other resolves may get the instance.
  private(set) var isShared = false
  /// Whether there is an instance that the resolve gets if this fails because of a cycle. It is not shared then.
  private(set) var isRefresh = false
  /// Whether a user's ``CustomStorage`` stores the product. It decides what each resolve gets, but for the one that has
  /// begun this.
  private(set) var isStoredByUser = false
  /// Whether the instance outlives the resolution, and is found by others.
  private(set) var isRetained = false

  private var state: InstanceState?
  /// The box that the claim has unlinked from the state.
  private var outdated: Unmanaged<AnyObject>?
  /// The construction and the path that the building thread returns to.
  private var surroundings = Section.Surroundings.none

  /// What it has resolved, from ``leave()`` on.
  @exclusivity(unchecked) var dependencies: InstanceDependencies?
  /// Whether ``dependencies`` are known.
  @exclusivity(unchecked) var areNotesTaken = false

  /// The report of an instance that its container let go while it was built.
  private var report: UndisposedReport?

  private var madeLinks: ConstructionLinks?
  private let forkGeneration = Atomic<UInt32>(0)
  private let retries = Atomic<UInt32>(0)

  private init(of product: any Any.Type) {
    self.product = product
    super.init()
    _ = WaitForGraph.isPrepared
  }

  deinit { dependencies?.close() }

  static var kind: ThreadSpares.Kind { .construction }

  override var isAwaited: Bool { isShared && isAsynchronous }

  override var isDone: Bool { marks.load(ordering: .relaxed) & Mark.held != 0 || isFinished }

  /// The resolver that its factory gets.
  var resolver: Resolver { Resolver(registry: container, construction: self) }

  /// The container that will store the instance, if it outlives the resolution.
  var retainingContainer: ContainerCore? { isRetained ? container : nil }

  // MARK: - Building

  /// Takes over a state that the caller has claimed for it, in place of an outdated box.
  func own(_ state: InstanceState, replacing outdated: Unmanaged<AnyObject>?) {
    self.state = state
    unsafe self.outdated = outdated
  }

  /// Begins to build on the calling thread, until ``leave()``.
  func enterForBuilding() {
    surroundings = unsafe Section.begin(.passUnretained(self))
    if noting.isOn { ResolveNotes.begin(in: container.table) }
  }

  /// Ends what ``enterForBuilding()`` began, on the same thread.
  func leave() {
    Section.end(inside: surroundings)
    if noting.isOn { endNotes() }
  }

  /// Ends the construction with its instance, which other resolves get from now on.
  ///
  /// Called with no lock held, before ``release()``. The caller gives up its reference to the instance, which must
  /// not outlive those of the waiters because of it.
  ///
  /// - Parameter stored: the object that the state will hold; `nil` if a user's ``CustomStorage`` stores the product.
  /// - Returns: what has left the wait-for graph. The caller lets it go when all constructions that end with this one have
  ///   ended: a deinit may resolve them.
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

  /// The first part of that: other resolves get the instance from now on.
  ///
  /// - Returns: whether one has joined the construction.
  @inline(__always)
  func store(
    _ box: AnyInstanceBox, storedAs stored: AnyObject?, of record: RegistrationRecord,
    in slot: SlotReference, _ arguments: AnyArguments?
  ) -> Bool {
    unsafe box.registration = Unmanaged.passUnretained(record)
    // One that is linked to others may have been completed by what ran in these.
    if areNotesTaken, !isLinked { box.note(dependencies) }
    let isContended = exchangeState(with: stored)
    record.publishToSlot(box, in: slot, arguments)
    if record.mayBeDropped(in: container) { report = record.reportIfDropped(box, in: container) }
    return isContended
  }

  /// The same for a registration that is the state, in fewer steps. The state's reference has been taken.
  @inline(__always)
  func store(
    _ box: AnyInstanceBox, inStateOf record: RegistrationRecord, in slot: SlotReference
  ) -> Bool {
    if record.hasDisposers { record.markCompleted(box, builtBy: self) }
    unsafe box.registration = Unmanaged.passUnretained(record)
    if areNotesTaken, !isLinked { box.note(dependencies) }
    let isContended = record.exchange(with: box)
    record.publishToSlot(box, in: slot, nil)
    if record.isDropped { report = record.reportIfDropped(box, in: container) }
    return isContended
  }

  /// The registration that is the state, with the reference of this.
  @inline(__always)
  func takeRegistration() -> Unmanaged<RegistrationRecord> {
    guard let state = unsafe state.take().map({ unsafe Unmanaged.passRetained($0) }) else {
      preconditionFailure("Construction.takeRegistration: the construction must own a state")
    }
    // SAFETY: the caller has claimed the state of a registration.
    return unsafe Unmanaged.fromOpaque(state.toOpaque())
  }

  /// Ends the construction without an instance, as ``publish(_:storedAs:of:in:arguments:)`` does with one.
  ///
  /// - Parameter error: the error for the waiter that began it.
  @discardableResult
  func drop(becauseOf error: ResolutionError? = nil) -> [AnyObject] {
    let isContended = exchangeState(with: nil)
    return end(isContended, handing: nil, error: error)
  }

  private func exchangeState(with stored: AnyObject?) -> Bool {
    guard let state else {
      preconditionFailure("Construction.exchangeState: the construction must own a state")
    }
    // The state leads to the instance, which may hold this construction.
    self.state = nil
    return state.exchange(with: stored)
  }

  private func end(
    _ isContended: Bool, handing box: consuming AnyInstanceBox?, error: ResolutionError?
  ) -> [AnyObject] {
    storeFinished()
    return isContended || isLinked ? WaitForGraph.end(self, handing: box, error: error) : []
  }

  // MARK: - Using it again

  /// One that the thread has kept, if there is one. The frames of the calling thread hold the container and the requester,
  /// until they end this or have it take references.
  ///
  /// - Parameters:
  ///   - record: the registration that the calling thread or task will build.
  ///   - slot: that in which it was found, if it is one of `container`.
  ///   - container: where the dependencies are resolved.
  ///   - requester: the unfinished context whose resolver asks, if any.
  /// - Returns: with a reference, which a claim takes over, or one of the functions that end it.
  @inline(__always)
  static func begin(
    of record: RegistrationRecord, keyIn slot: SlotReference? = nil, in container: ContainerCore,
    requestedBy requester: ResolutionContext?, isShared: Bool = true, isRefresh: Bool = false
  ) -> Unmanaged<Construction> {
    let spare = unsafe ThreadSpares.take(Construction.self)
    let construction = unsafe spare ?? Unmanaged.passRetained(Construction(of: record.key.product))
    // SAFETY: nobody else refers to it.
    unsafe construction._withUnsafeGuaranteedRef {
      // A name leaves with its construction: see `endAsNew`.
      $0.product = record.key.product
      $0.slotOfKey = slot
      if slot == nil, record.key.name != nil || record.key.arguments != nil {
        $0.keyInFull = record.key
      }
      $0.serial = record.serial
      $0.isAsynchronous = record.isAsynchronous
      $0.isShared = isShared && !isRefresh
      $0.isRefresh = isRefresh
      $0.isStoredByUser = record.policy.box == .user
      $0.isRetained = record.policy.outlivesResolution
      $0.isScoped = record.policy.storage == .requestScope
      if record.notesDependencies, isShared, !isRefresh { $0.noting.begin() }
      $0.forkGeneration.store(ForkHandlers.generation, ordering: .relaxed)
      $0.begin(in: container, requestedBy: requester)
      // Its task outlives what is running now.
      if isShared, record.isAsynchronous { $0.takeReferences() }
    }
    return unsafe construction
  }

  /// The same with references to what it refers to, for a caller that keeps it beyond its frames.
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

  /// Ends one that has been published or dropped, or that its cell does not lead to any more: with the caller's reference, or
  /// that of the state. Deinits of graph instances run in this call, which no waiter waits for, and those of objects retired
  /// meanwhile.
  ///
  /// - Parameters:
  ///   - isContended: whether a resolve has joined it.
  ///   - box: the instance that the waiters get, if there is one.
  ///   - error: why it has failed, if it has.
  static func end(
    _ ended: Unmanaged<Construction>, isContended: Bool = false,
    handing box: AnyInstanceBox? = nil, becauseOf error: ResolutionError? = nil
  ) {
    let isKept = unsafe !isContended && keep(ended)
    if !isKept {
      unsafe endForGood(ended, isContended: isContended, handing: box, becauseOf: error)
    }
    Reclamation.reclaim()
  }

  /// The same with an instance. An optional one would be counted.
  @inline(__always)
  static func end(
    _ ended: Unmanaged<Construction>, isContended: Bool, with box: AnyInstanceBox
  ) {
    if unsafe isContended || !keep(ended) {
      unsafe endForGood(ended, isContended: isContended, handing: box, becauseOf: nil)
    }
    Reclamation.reclaim()
  }

  /// Out of line, to keep the above short.
  @inline(never)
  private static func endForGood(
    _ ended: Unmanaged<Construction>, isContended: Bool, handing box: AnyInstanceBox?,
    becauseOf error: ResolutionError?
  ) {
    // SAFETY: the caller's reference.
    let removed = unsafe ended._withUnsafeGuaranteedRef { construction in
      construction.takeReferences()
      let removed = construction.end(isContended, handing: box, error: error)
      construction.letGo()
      return removed
    }
    unsafe ended.release()
    withExtendedLifetime(removed) {}
  }

  @inline(never)
  override func endAsNew() -> Bool {
    guard isUntouched, unsafe outdated == nil, report == nil, madeLinks == nil,
      retries.load(ordering: .relaxed) == 0
    else { return false }
    if areNotesTaken { closeNotes() }
    if case .some = keyInFull { leaveAll() } else if refersToOthers { leaveUnshared() }
    return true
  }

  @inline(never)
  private func leaveAll() {
    // A name may be the user's.
    keyInFull = nil
    leaveUnshared()
  }

  /// Others have joined what it builds in a cell: its thread takes the mutex before it ends it.
  override func takeOver(_ state: InstanceState) -> Bool {
    if isOrphaned { return false }
    let isClaimed = unsafe state.claim(Unmanaged.passRetained(self), replacing: nil)
    precondition(isClaimed, "Construction.takeOver: nobody else may use the state of a cell")
    self.state = state
    return true
  }

  /// Gives up the reference of its state, and releases what it owns. Deinits of graph instances and of the outdated instance
  /// run in this call, which no waiter waits for, and those of objects retired meanwhile: nothing is destroyed inside of a
  /// construction.
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

  /// A resolve that has begun this many constructions in vain does not retry.
  static let retriesAtMost: UInt32 = 16

  /// Notes that the resolve that begins this, which owns a state, has begun another one in vain.
  func follow(_ previous: Construction) {
    retries.store(previous.retries.load(ordering: .relaxed) + 1, ordering: .relaxed)
  }

  var isLastAttempt: Bool { retries.load(ordering: .relaxed) >= Self.retriesAtMost }

  // MARK: - Links

  /// Whether its end concerns other constructions: one has an early reference to the instance of the other, or
  /// an action of one is postponed until the other has its instance.
  var isLinked: Bool { marks.load(ordering: .sequentiallyConsistent) & Mark.linked != 0 }

  func markLinked() {
    marks.bitwiseOr(Mark.linked, ordering: .sequentiallyConsistent)
  }

  /// Notes whether it is held. The mutex of the wait-for graph is held, with which waits look at this.
  func setHeld(_ isHeld: Bool) {
    if isHeld {
      marks.bitwiseOr(Mark.held, ordering: .relaxed)
    } else {
      marks.bitwiseAnd(~Mark.held, ordering: .relaxed)
    }
  }

  /// Whether it was cancelled, as no resolve wants its instance any more.
  var isCancelled: Bool { marks.load(ordering: .relaxed) & Mark.cancelled != 0 }

  /// Notes that it was cancelled. The mutex of the wait-for graph is held, with which waits look at this.
  func markCancelled() {
    marks.bitwiseOr(Mark.cancelled, ordering: .relaxed)
  }

  /// Its links in the wait-for graph. The graph's mutex is held.
  var links: ConstructionLinks {
    if let madeLinks { return madeLinks }
    let links = ConstructionLinks()
    madeLinks = links
    return links
  }

  // MARK: - Fork

  /// Whether the thread that builds was left behind by a fork.
  var isOrphaned: Bool {
    forkGeneration.load(ordering: .relaxed) != ForkHandlers.generation
  }

  /// In the child of a fork: the forking thread goes on building this. Waits and links that concern other threads
  /// are dropped.
  func adoptAfterFork() {
    forkGeneration.store(ForkHandlers.generation, ordering: .relaxed)
    guard let links = madeLinks else { return }
    // Never released: other threads may have been in the middle of changing it.
    unsafe _ = Unmanaged.passRetained(links)
    madeLinks = links.copyOfPhase()
  }
}
