// SPDX-License-Identifier: MIT

internal import Synchronization

/// A resolution, or a construction within it: resolves are nested in contexts.
///
/// Contexts form a graph that leads outwards, along ``enclosing`` and ``requesting``. It tells a cycle from a
/// wait: a resolve may not wait for a construction that it is itself a part of.
@usableFromInline
@safe
// SAFETY: stored properties are Sendable or atomic, and constant while somebody else refers to the context; so are those of
// the subclasses, or they say which thread or lock guards them.
class ResolutionContext: @unchecked Sendable {
  /// The context that the thread or task was running when this one was made.
  final var enclosing: ResolutionContext? { nesting.enclosing.object }
  /// The context whose resolver was asked, when that is another one: a factory may hand its resolver to
  /// another thread.
  final var requesting: ResolutionContext? { nesting.requesting.object }
  // Changes only when nobody else has a reference: see `nest`.
  private final var nesting: ContextNesting
  /// The graph instances of the resolution that begins here, open as long as `graphUsers` is not 0.
  final let graph = InstanceStore()
  /// Counts this, until it is finished, and the constructions whose postponed actions will use its instances.
  private let graphUsers = Atomic<Int>(1)
  /// Whether it builds an instance of a request scope, and therefore is inside of nothing that may outlive that.
  final var isScoped = false
  /// Whether all contexts that this is nested in are a part of its resolution.
  final var isOutermost: Bool { nesting.isOutermost }
  /// The thread that has begun this, if it runs a task.
  final var taskThread: TaskThread? { nesting.taskThread }

  private let assignedNumber = Atomic<UInt64>(0)
  /// What has become of it, as bits of ``Mark``.
  final let marks = Atomic<UInt8>(0)
  /// Whether what it resolves is noted.
  final let noting = ContextNoting()
  /// Where the task that runs this has bound it, 0 for nowhere.
  private let binding = Atomic<UInt>(0)
  /// The container whose graph instances a ``GraphContext`` has in its cells. Here, as each of these asks.
  final var keptContainer: Unmanaged<ContainerCore>?

  /// One that is not nested in anything yet.
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

  /// A context of nothing but its two others.
  init(enclosedBy enclosing: ResolutionContext, requestedBy requester: ResolutionContext) {
    nesting = ContextNesting(enclosedBy: enclosing, requestedBy: requester)
    hasReferences = true
  }

  deinit {
    HeldLocks.assertNone(ResolutionContext.self)
    releaseOthers()
  }

  // MARK: - Using it again

  /// Whether nothing has been stored in it. Only its owner may ask, who alone refers to it.
  final var isUntouched: Bool {
    graph.isUnused && graphUsers.load(ordering: .relaxed) == 1
      && assignedNumber.load(ordering: .relaxed) == 0 && marks.load(ordering: .relaxed) == 0
  }

  /// Whether it has references to what it refers to. If not, the frames of the thread that has begun it do, until that ends
  /// it. Only that thread asks, or the deinit.
  private(set) final var hasReferences: Bool

  /// Gives up its references. Called as the last thing in the deinit, or on an untouched one.
  @inline(__always)
  final func releaseOthers() {
    guard hasReferences else { return }
    hasReferences = false
    unsafe keptContainer?.release()
    nesting.end(of: self)
  }

  /// Nests one as new that has no references, and takes none.
  @inline(__always)
  final func nest(requestedBy requester: ResolutionContext?) {
    // SAFETY: the caller has a reference to the requester.
    if let asking = unsafe requester.map({ unsafe Unmanaged.passUnretained($0) }),
      unsafe asking.toOpaque() == RunningConstruction.address
    {
      nesting = unsafe asking._withUnsafeGuaranteedRef { ContextNesting(inside: $0) }
    } else {
      requester?.noting.noteHandOver()
      unsafe nesting = ContextNesting(
        of: ResolutionContext.unretainedCurrent, requestedBy: requester)
    }
  }

  /// Takes references to what it refers to, if it has none: it may outlive the call that has begun it.
  final func takeReferences() {
    if hasReferences { return }
    unsafe _ = keptContainer?.retain()
    nesting.retain()
    hasReferences = true
  }

  /// Whether it has ended: a resolver stored beyond its factory starts resolutions of its own.
  var isFinished: Bool { marks.load(ordering: .sequentiallyConsistent) & Mark.finished != 0 }

  /// Whether it waits for no resolve inside of it: what it has started may outlive it.
  var isDone: Bool { isFinished }

  /// Ends it: from now on, resolves are not a part of it.
  final func storeFinished() {
    // Sequentially consistent, as is the load: pairs with the load of `isFinished` that follows on
    // `Construction.markLinked`.
    marks.bitwiseOr(Mark.finished, ordering: .sequentiallyConsistent)
  }

  /// Ends it, and the resolution that began here. Deinits of graph instances run in this call.
  @usableFromInline
  final func finish() {
    storeFinished()
    closeGraph()
  }

  /// Retains the resolution's graph instances beyond its end, for actions that run later.
  ///
  /// - Returns: `false` if they have been released.
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

  /// Ends what ``retainGraph()`` began, or the resolution itself. Deinits of graph instances run in this call.
  final func closeGraph() {
    if graphUsers.subtract(1, ordering: .acquiringAndReleasing).newValue == 0 { closeInstances() }
  }

  /// Whether it is a ``GraphContext`` of a container.
  @inline(__always)
  final func keepsGraph(of container: ContainerCore) -> Bool {
    unsafe keptContainer?.toOpaque() == Unmanaged.passUnretained(container).toOpaque()
  }

  /// Whether it builds an instance that a scope keeps.
  @inline(__always)
  final func isPart(ofScope scope: ContainerCore) -> Bool { isScoped && keepsGraph(of: scope) }

  /// Ends the resolution's graph instances.
  func closeInstances() { graph.close() }

  /// Whether enclosing contexts wait for this one only through an edge of the wait-for graph.
  var isAwaited: Bool { false }

  /// Whether the postponed actions of `requesting` run here, inside of `enclosing`: see ``RoleContext``.
  var isResumption: Bool { false }

  /// Makes the construction under way in a cell that of a state, which it claims. The mutex of the wait-for graph is held.
  ///
  /// - Returns: `false` if its thread was left behind by a fork.
  func takeOver(_ state: InstanceState) -> Bool {
    preconditionFailure("ResolutionContext.takeOver: only constructions are under way in cells")
  }

  // MARK: - The resolution

  /// The context in which the resolution began that this is a part of.
  final var root: ResolutionContext { unsafe unretainedRoot.takeUnretainedValue() }

  /// The same at +0: alive as long as this one.
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

  /// Gives it the number of a resolution that was numbered before it began.
  final func assign(number: UInt64) {
    assignedNumber.store(number, ordering: .relaxed)
  }

  /// Whether instances have been published into the resolution that begins here.
  final var hasPublished: Bool { marks.load(ordering: .acquiring) & Mark.published != 0 }

  final func markPublished() {
    marks.bitwiseOr(Mark.published, ordering: .releasing)
  }

  // MARK: - In a task

  /// Notes that the calling task has bound it, until ``endBinding()``: one task at a time.
  final func beginBinding(at address: UInt) {
    binding.store(address, ordering: .relaxed)
  }

  /// Called before the value's memory can be used for another one: a copy of a copy may end up there.
  final func endBinding() {
    binding.store(0, ordering: .relaxed)
  }

  /// A child task is made after `beginBinding` and has ended before `endBinding`, which orders the loads for it. Other tasks
  /// see another address or 0.
  final func isBound(at address: UInt) -> Bool {
    binding.load(ordering: .relaxed) == address
  }

  // MARK: - The running context

  /// The innermost context that the calling thread is running, or else the calling task.
  static var current: ResolutionContext? { unsafe unretainedCurrent?.takeUnretainedValue() }

  /// The same at +0: the stack of the thread, or the task that binds it, holds it.
  private static var unretainedCurrent: Unmanaged<ResolutionContext>? {
    if let running = unsafe unretainedRunning { return unsafe running }
    return unsafe unretainedInTask
  }

  /// The innermost context that the calling thread is running.
  static var running: ResolutionContext? { unsafe unretainedRunning?.takeUnretainedValue() }

  // SAFETY: the caller of `enter` holds it until `leave`, on this thread's stack.
  static var unretainedRunning: Unmanaged<ResolutionContext>? {
    unsafe RunningConstruction.address.map { unsafe Unmanaged.fromOpaque($0) }
  }

  /// Makes this the calling thread's running context, until ``leave(to:)``.
  @usableFromInline
  final func enter() {
    unsafe RunningConstruction.address = Unmanaged.passUnretained(self).toOpaque()
  }

  /// Ends what ``enter()`` began, on the same thread: `previous` is running again.
  static func leave(to previous: Unmanaged<ResolutionContext>?) {
    unsafe RunningConstruction.address = previous?.toOpaque()
  }

  /// Runs `body` with this as the calling thread's running context.
  final func whileRunning<Result>(_ body: () throws -> Result) rethrows -> Result {
    let previous = unsafe ResolutionContext.unretainedRunning
    enter()
    defer { unsafe ResolutionContext.leave(to: previous) }
    return try body()
  }
}

// MARK: - Nesting

extension ResolutionContext {
  /// The context, unless it has ended: then its resolver starts resolutions of its own.
  static func unfinished(_ context: ResolutionContext?) -> ResolutionContext? {
    guard let context, !context.isFinished else { return nil }
    return context
  }

  /// Whether a resolver that belongs to `context` has been stored beyond its factory.
  @usableFromInline @inline(never)
  static func isOver(_ context: ResolutionContext?) -> Bool {
    context?.isFinished ?? false
  }

  /// The unfinished contexts that this one is nested in, itself first.
  final var unfinishedChain: [ResolutionContext] {
    ResolutionContext.chain(of: [self], without: \.isFinished) { _ in false }
  }

  /// The unfinished contexts that do not go on before a resolve in this one returns, itself first.
  ///
  /// An asynchronous construction is the last one: what it is a part of waits for it like any other waiter, and
  /// stops waiting when its task is cancelled or gets an early reference. One that is done goes on, and with it those
  /// around it.
  final var blockedChain: [ResolutionContext] {
    ResolutionContext.blockedChain(of: [self])
  }

  /// The same for several that are innermost side by side, the first one's chain first.
  static func blockedChain(of innermost: [ResolutionContext]) -> [ResolutionContext] {
    chain(of: innermost, without: \.isDone, endingAt: \.isAwaited)
  }

  private static func chain(
    of innermost: [ResolutionContext], without isLeftOut: (ResolutionContext) -> Bool,
    endingAt isLast: (ResolutionContext) -> Bool
  ) -> [ResolutionContext] {
    var chain: [ResolutionContext] = []
    var visited = VisitedObjects()
    var pending = Array(innermost.reversed())
    while let next = pending.popLast() {
      if isLeftOut(next) || !visited.visit(next) { continue }
      chain.append(next)
      if isLast(next) { continue }
      if let requesting = next.requesting {
        if !next.isResumption {
          pending.append(requesting)
        } else if !isLeftOut(requesting), visited.visit(requesting) {
          // Not the contexts around it, where it began: its actions run inside of another construction now.
          chain.append(requesting)
        }
      }
      if let enclosing = next.enclosing { pending.append(enclosing) }
    }
    return chain
  }

  /// The innermost contexts of a resolve that the resolver of `requester` was asked for: the one that the
  /// thread or task is running, and the requester.
  static func innermost(requestedBy requester: ResolutionContext?) -> [ResolutionContext] {
    var innermost: [ResolutionContext] = []
    forEachInnermost(requestedBy: requester) { innermost.append($0) }
    return innermost
  }

  /// Calls `body` with each of ``innermost(requestedBy:)``, without an array: each resolve of a scoped instance
  /// does this.
  @inline(__always)
  static func forEachInnermost<Failure: Error>(
    requestedBy requester: ResolutionContext?,
    _ body: (ResolutionContext) throws(Failure) -> Void
  ) throws(Failure) {
    let current = current
    if let current { try body(current) }
    if let requester, requester !== current { try body(requester) }
  }

  /// The context of a resolver made now for a factory that `context` asked for: the more deeply nested of
  /// `context` and the thread's running one, or a join of both if neither encloses the other.
  @usableFromInline
  static func innermost(within context: ResolutionContext?) -> ResolutionContext? {
    guard let running else { return context }
    guard let context, !context.isFinished, !running.isNested(in: context) else { return running }
    return context.isNested(in: running)
      ? context : RoleContext(.join, enclosedBy: running, requestedBy: context)
  }

  final func isNested(in other: ResolutionContext) -> Bool {
    firstInChain { $0 === other } != nil
  }

  /// Whether this began inside of `other`, which what lies in between may have outlived or not.
  final func hasBegun(inside other: ResolutionContext) -> Bool {
    hasBegun { $0 === other }
  }

  /// Whether `predicate` holds for this or a context that it began inside of, ended or not.
  ///
  /// - Parameter limit: neither this context nor those around it are looked at.
  final func hasBegun(
    within limit: ResolutionContext? = nil, inside predicate: (ResolutionContext) -> Bool
  ) -> Bool {
    var visited = VisitedObjects()
    if let limit { _ = visited.visit(limit) }
    var pending = [self]
    while let next = pending.popLast() {
      if !visited.visit(next) { continue }
      if predicate(next) { return true }
      if let requesting = next.requesting { pending.append(requesting) }
      if let enclosing = next.enclosing { pending.append(enclosing) }
    }
    return false
  }

  /// The first of this and the unfinished contexts that it is a part of that satisfies `predicate`. Most
  /// contexts are nested in one way only, and need no list.
  final func firstInChain(where predicate: (ResolutionContext) -> Bool) -> ResolutionContext? {
    var next = self
    while !next.isFinished {
      if next.enclosing != nil, next.requesting != nil {
        return next.unfinishedChain.first(where: predicate)
      }
      if predicate(next) { return next }
      guard let around = next.enclosing ?? next.requesting else { return nil }
      next = around
    }
    return nil
  }
}
