// SPDX-License-Identifier: MIT

internal import Synchronization

/// A resolution, or a construction within it: resolves are nested in contexts.
///
/// Contexts form a graph that leads outwards, along ``enclosing`` and ``requesting``. The graph
/// tells a cycle from a wait: a resolve may not wait for a construction it is a part of.
@usableFromInline
@safe
// SAFETY: stored properties are Sendable or atomic, and constant while anybody else refers to the
// context; subclasses follow the rule, or name the thread or lock that guards a property.
class ResolutionContext: @unchecked Sendable {
  /// The context that the thread or task was running when the context was made.
  final var enclosing: ResolutionContext? { nesting.enclosing.object }
  /// The context whose resolver was asked, if not ``enclosing``: a factory may lend its resolver.
  final var requesting: ResolutionContext? { nesting.requesting.object }
  // Changes only when nobody else has a reference: see `nest`.
  private final var nesting: ContextNesting
  /// The graph instances of a resolution that begins here, in the container of ``keptContainer``.
  /// Further cells hold the ``GraphCells`` of other containers. Open while `graphUsers` is not 0.
  final let ownCells = MadeCells()
  final let published = PublishedInstances()
  /// Counts the unfinished context, and constructions whose postponed actions use the instances.
  private let graphUsers = Atomic<Int>(1)
  /// The owner of the instance under construction, if any.
  final var storage = ScopePolicy.Storage.none
  /// Whether all contexts around the context belong to its resolution.
  final var isOutermost: Bool { nesting.isOutermost }
  final var addressAround: UnsafeRawPointer? { unsafe nesting.addressAround }
  /// Whether the thread that began the context was running a task.
  final var isOnTaskThread: Bool { nesting.isOnTaskThread }

  private let assignedNumber = Atomic<UInt64>(0)
  /// The events in the context's life, as bits of ``Mark``.
  final let marks = Atomic<UInt8>(0)
  /// Whether the thread that runs the context notes its resolves.
  final let noting = ContextNoting()
  /// Where the task that runs the context has bound it, 0 for nowhere.
  private let binding = Atomic<UInt>(0)
  /// The container whose graph instances are in ``ownCells``, of a ``GraphContext``.
  final var keptContainer: Unmanaged<ContainerCore>?

  /// A context not nested in any context yet.
  init() {
    nesting = ContextNesting()
    hasReferences = false
  }

  /// - Parameter requester: the unfinished context whose resolver asks, if any.
  init(requestedBy requester: ResolutionContext?) {
    unsafe nesting = ContextNesting(
      of: ResolutionContext.unretainedCurrent, requestedBy: requester)
    hasReferences = true
    nesting.retain()
  }

  /// A context that consists of two contexts around it.
  init(enclosedBy enclosing: ResolutionContext, requestedBy requester: ResolutionContext) {
    nesting = ContextNesting(enclosedBy: enclosing, requestedBy: requester)
    hasReferences = true
  }

  deinit {
    HeldLocks.assertNone(ResolutionContext.self)
    releaseOthers()
  }

  // MARK: - Using it again

  /// Whether nothing was stored in the context. Asked only by an owner with the sole reference.
  final var isUntouched: Bool {
    graphUsers.load(ordering: .relaxed) == 1
      && assignedNumber.load(ordering: .relaxed) == 0 && marks.load(ordering: .relaxed) == 0
  }

  /// Whether the context has references to the contexts around. If not, frames of the thread that
  /// began the context have them, until the thread ends it. Read by the thread or in the deinit.
  private(set) final var hasReferences: Bool

  /// Gives up the references. The last action of the deinit, or on an untouched context.
  @inline(__always)
  final func releaseOthers() {
    guard hasReferences else { return }
    hasReferences = false
    unsafe keptContainer?.release()
    nesting.end(of: self)
  }

  /// Nests a reused context without references, and takes none.
  @inline(__always)
  final func nest(requestedBy requester: ResolutionContext?) {
    // SAFETY: the caller has a reference to the requester.
    if let asking = unsafe requester.map({ unsafe Unmanaged.passUnretained($0) }),
      unsafe asking.toOpaque() == RunningConstruction.address
    {
      nesting = unsafe asking._withUnsafeGuaranteedRef { ContextNesting(inside: $0) }
    } else {
      unsafe requester?.noteHandOver(toThreadRunning: ResolutionContext.unretainedRunning)
      unsafe nesting = ContextNesting(
        of: ResolutionContext.unretainedCurrent, requestedBy: requester)
    }
  }

  /// Takes references to the contexts around: the context may outlive the call that began it.
  final func takeReferences() {
    if hasReferences { return }
    unsafe _ = keptContainer?.retain()
    nesting.retain()
    hasReferences = true
  }

  /// Whether the context has ended: its resolver, if stored, then starts resolutions of its own.
  var isFinished: Bool { marks.load(ordering: .sequentiallyConsistent) & Mark.finished != 0 }

  /// Whether the context waits for no resolve inside: such resolves may outlive the context.
  var isDone: Bool { isFinished }

  /// Ends the context: from now on, resolves do not take part in it.
  final func storeFinished() {
    // Sequentially consistent, as is the load: pairs with the load of `isFinished` that follows
    // `Construction.markLinked`.
    marks.bitwiseOr(Mark.finished, ordering: .sequentiallyConsistent)
  }

  /// Ends the context, and a resolution begun here. Runs deinits of graph instances.
  @usableFromInline
  final func finish() {
    storeFinished()
    closeGraph()
  }

  /// Retains the resolution's graph instances beyond its end, for postponed actions.
  ///
  /// - Returns: `false` after the release of the instances.
  final func retainGraph() -> Bool {
    var found = graphUsers.load(ordering: .relaxed)
    while found > 0 {
      let (exchanged, current) = graphUsers.compareExchange(
        expected: found, desired: found + 1, ordering: .relaxed)
      if exchanged { return true }
      found = current
    }
    return false
  }

  /// Ends a ``retainGraph()``, or the resolution. Runs deinits of graph instances.
  final func closeGraph() {
    // Sequentially consistent, as the loads of both marks are: see `publish`.
    if graphUsers.subtract(1, ordering: .sequentiallyConsistent).newValue > 0 { return }
    ownCells.close()
    if hasPublished { published.close() }
  }

  /// Whether the graph instances of a resolution that began here have been let go.
  final var isGraphClosed: Bool { graphUsers.load(ordering: .sequentiallyConsistent) == 0 }

  /// Whether the context's own cells have the graph instances of a container.
  @inline(__always)
  final func keepsGraph(of container: ContainerCore) -> Bool {
    unsafe keptContainer?.toOpaque() == Unmanaged.passUnretained(container).toOpaque()
  }

  /// Whether the context builds an instance kept by a scope.
  @inline(__always)
  final func isPart(ofScope scope: ContainerCore) -> Bool {
    storage == .requestScope && keepsGraph(of: scope)
  }

  /// Whether enclosing contexts wait for this context only through an edge of the wait-for graph.
  var isAwaited: Bool { false }

  /// The purpose of a context that builds nothing itself.
  var role: RoleContext.Role? { nil }
  /// The slot of a transient that the context builds, if requesters are tracked.
  var builtSlot: SlotReference? { nil }
  /// The arguments of the resolve, if the context brings them to an initializer.
  var wiredArguments: WiredArguments? { nil }

  // MARK: - The resolution

  /// The context that began the resolution to which this context belongs.
  final var root: ResolutionContext { unsafe unretainedRoot.takeUnretainedValue() }

  /// The root context at +0: alive as long as this context.
  final var unretainedRoot: Unmanaged<ResolutionContext> {
    guard let beginning = unsafe nesting.beginning,
      unsafe beginning._withUnsafeGuaranteedRef({ $0.graphUsers.load(ordering: .acquiring) > 0 })
    else { return unsafe Unmanaged.passUnretained(self) }
    return unsafe beginning
  }

  /// Identifies the resolution, also after its end.
  final var number: UInt64 {
    let found = assignedNumber.load(ordering: .relaxed)
    if found != 0 { return found }
    let number = ResolutionContext.nextNumber()
    let (isFirst, first) = assignedNumber.compareExchange(
      expected: 0, desired: number, ordering: .relaxed)
    return isFirst ? number : first
  }

  /// Gives the resolution a number assigned before the resolution began.
  final func assign(number: UInt64) {
    assignedNumber.store(number, ordering: .relaxed)
  }

  /// Whether instances have been published into the resolution that begins here.
  final var hasPublished: Bool {
    marks.load(ordering: .sequentiallyConsistent) & Mark.published != 0
  }

  final func markPublished() {
    marks.bitwiseOr(Mark.published, ordering: .sequentiallyConsistent)
  }

  // MARK: - In a task

  /// Notes where the calling task bound the context, until ``endBinding()``: one task at a time.
  final func beginBinding(at address: UInt) {
    binding.store(address, ordering: .relaxed)
  }

  /// Called before the value's memory is reused: a copy of a copy may come to lie there.
  final func endBinding() {
    binding.store(0, ordering: .relaxed)
  }

  /// A child task is made after `beginBinding` and has ended before `endBinding`, and so the loads
  /// are ordered. Unrelated tasks see a different address or 0.
  final func isBound(at address: UInt) -> Bool {
    binding.load(ordering: .relaxed) == address
  }

  // MARK: - The running context

  /// The innermost context of the calling thread, or else of the calling task.
  static var current: ResolutionContext? { unsafe unretainedCurrent?.takeUnretainedValue() }

  /// The current context at +0: held by the stack of the thread, or by the task's binding.
  private static var unretainedCurrent: Unmanaged<ResolutionContext>? {
    if let running = unsafe unretainedRunning { return unsafe running }
    return unsafe unretainedInTask
  }

  /// The innermost context that the calling thread is running.
  static var running: ResolutionContext? { unsafe unretainedRunning?.takeUnretainedValue() }

  // SAFETY: the caller of `enter` holds the context until `leave`, on the stack of this thread.
  static var unretainedRunning: Unmanaged<ResolutionContext>? {
    unsafe RunningConstruction.address.map { unsafe Unmanaged.fromOpaque($0) }
  }

  /// Makes the context the calling thread's running one, until ``leave(to:)``.
  @usableFromInline
  final func enter() {
    unsafe RunningConstruction.address = Unmanaged.passUnretained(self).toOpaque()
  }

  /// Ends an ``enter()`` on the same thread: `previous` is running again.
  static func leave(to previous: Unmanaged<ResolutionContext>?) {
    unsafe RunningConstruction.address = previous?.toOpaque()
  }

  /// Runs `body` with the context as the calling thread's running one.
  final func whileRunning<Result>(_ body: () throws -> Result) rethrows -> Result {
    let previous = unsafe ResolutionContext.unretainedRunning
    enter()
    defer { unsafe ResolutionContext.leave(to: previous) }
    return try body()
  }
}
