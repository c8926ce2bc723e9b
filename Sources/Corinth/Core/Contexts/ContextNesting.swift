// SPDX-License-Identifier: MIT

internal import Synchronization

extension ResolutionContext {
  static func nextNumber() -> UInt64 {
    lastNumber.wrappingAdd(1, ordering: .relaxed).newValue
  }

  private static let lastNumber = Atomic<UInt64>(0)

  /// The marks of a context, for events in its life.
  enum Mark {
    static var finished: UInt8 { 1 }
    static var published: UInt8 { 2 }
    static var linked: UInt8 { 4 }
    static var done: UInt8 { 8 }
    static var cancelled: UInt8 { 16 }
    static var passingOn: UInt8 { 32 }
    /// The end of the context must hand something on, or release something.
    static var laden: UInt8 { 64 }
  }
}

/// The contexts around a context.
@safe
struct ContextNesting {
  // Asynchronous constructions may be nested as deeply as memory allows.
  let enclosing: ChainLink<ResolutionContext>
  let requesting: ChainLink<ResolutionContext>
  /// The resolution's first context; `nil` for a context that begins a resolution.
  // SAFETY: the requesting context holds the first context, or is that context.
  let beginning: Unmanaged<ResolutionContext>?
  let isOutermost: Bool
  let isOnTaskThread: Bool

  /// None.
  init() {
    enclosing = unsafe ChainLink(unretained: Optional<Unmanaged>.none)
    requesting = enclosing
    unsafe beginning = nil
    isOutermost = true
    isOnTaskThread = false
  }

  /// Without references, inside a context that the calling thread runs.
  @inline(__always)
  init(inside requester: ResolutionContext) {
    enclosing = unsafe ChainLink(unretained: Unmanaged.passUnretained(requester))
    requesting = ChainLink(nil)
    unsafe beginning = requester.unretainedRoot
    isOutermost = requester.isOutermost
    // Not the requester's thread: the resolver may have been handed to the calling thread.
    isOnTaskThread = TaskThread.isCurrent
  }

  /// Without references, until ``retain()`` takes them; ``end(of:)`` gives them up.
  ///
  /// - Parameter current: the innermost context run by the calling thread or task.
  @inline(__always)
  init(of current: Unmanaged<ResolutionContext>?, requestedBy requester: ResolutionContext?) {
    let requesting = unsafe requester.map { unsafe Unmanaged.passUnretained($0) }
    let isEnclosing = unsafe requesting?.toOpaque() == current?.toOpaque()
    enclosing = unsafe ChainLink(unretained: current)
    self.requesting = unsafe ChainLink(unretained: isEnclosing ? nil : requesting)
    unsafe beginning = requester?.unretainedRoot
    isOutermost = unsafe (requester?.isOutermost ?? true) && (current == nil || isEnclosing)
    isOnTaskThread = TaskThread.isCurrent
  }

  init(enclosedBy enclosing: ResolutionContext, requestedBy requester: ResolutionContext) {
    self.enclosing = ChainLink(enclosing)
    requesting = ChainLink(requester)
    unsafe beginning = requester.unretainedRoot
    isOutermost = false
    isOnTaskThread = TaskThread.isCurrent
  }

  /// The address of the context directly around.
  var addressAround: UnsafeRawPointer? {
    unsafe enclosing.unretained.map { unsafe UnsafeRawPointer($0.toOpaque()) }
  }

  func retain() {
    enclosing.retain()
    requesting.retain()
  }

  /// Gives up the references. Called once, as the last use of the nesting by `holder`.
  @inline(__always)
  func end(of holder: ResolutionContext) {
    // The thread's running context is held by the caller of `enter`: most constructions end inside.
    if let around = unsafe enclosing.unretained,
      unsafe around.toOpaque() == RunningConstruction.address
    {
      enclosing.releaseBeforeOthers()
    } else {
      enclosing.release(asPartOf: holder)
    }
    requesting.release(asPartOf: holder)
  }
}

extension ResolutionContext {
  /// The context, unless ended: a stored resolver then starts resolutions of its own.
  static func unfinished(_ context: ResolutionContext?) -> ResolutionContext? {
    guard let context, !context.isFinished else { return nil }
    return context
  }

  /// Whether a resolver of `context` was stored beyond the end of its factory.
  @usableFromInline @inline(never)
  static func isOver(_ context: ResolutionContext?) -> Bool {
    context?.isFinished ?? false
  }

  /// The unfinished contexts around the context, beginning with the context.
  @inline(never) final var unfinishedChain: [ResolutionContext] {
    ResolutionContext.chain(of: [self], without: \.isFinished) { _ in false }
  }

  /// The unfinished contexts that wait for a resolve in this context, beginning with this context.
  ///
  /// The chain ends with an asynchronous construction: the contexts around it wait for it as any
  /// waiter does, and stop waiting when a task is cancelled or gets an early reference. A done
  /// context goes on, and with it the contexts around it.
  final var blockedChain: [ResolutionContext] {
    ResolutionContext.blockedChain(of: [self])
  }

  /// As ``blockedChain``, for several innermost contexts, the first one's chain first.
  static func blockedChain(of innermost: [ResolutionContext]) -> [ResolutionContext] {
    chain(of: innermost, without: \.isDone, endingAt: \.isAwaited)
  }

  @inline(never) private static func chain(
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
          // Not the contexts around its beginning: the actions now run inside a different one.
          chain.append(requesting)
        }
      }
      if let enclosing = next.enclosing { pending.append(enclosing) }
    }
    return chain
  }

  /// The innermost contexts of a resolve through the resolver of `requester`: the context run by
  /// the thread or task, and the requester.
  static func innermost(requestedBy requester: ResolutionContext?) -> [ResolutionContext] {
    var innermost: [ResolutionContext] = []
    forEachInnermost(requestedBy: requester) { innermost.append($0) }
    return innermost
  }

  /// Calls `body` with every context of ``innermost(requestedBy:)``, without an array: every
  /// resolve of a scoped instance calls this.
  @inline(__always)
  static func forEachInnermost<Failure: Error>(
    requestedBy requester: ResolutionContext?,
    _ body: (ResolutionContext) throws(Failure) -> Void
  ) throws(Failure) {
    let current = current
    if let current { try body(current) }
    if let requester, requester !== current { try body(requester) }
  }

  /// The context of a resolver made now for a factory asked for by `context`: the more deeply
  /// nested of `context` and the thread's running one, or a join if neither encloses the other.
  @usableFromInline
  static func innermost(within context: ResolutionContext?) -> ResolutionContext? {
    guard let running else { return context }
    guard let context, !context.isFinished, !running.isNested(in: context) else { return running }
    if context.isNested(in: running) { return context }
    context.noting.noteHandOver()
    return RoleContext(.join, enclosedBy: running, requestedBy: context)
  }

  final func isNested(in other: ResolutionContext) -> Bool {
    firstInChain { $0 === other } != nil
  }

  /// Whether the context began inside `other`, even if contexts between have ended.
  final func hasBegun(inside other: ResolutionContext) -> Bool {
    hasBegun { $0 === other }
  }

  /// Whether `predicate` holds for the context or any context it began inside, ended or not.
  ///
  /// - Parameter limit: a context to skip, with all contexts around it.
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

  /// The first context to satisfy `predicate`, from the context outwards through unfinished
  /// contexts. Most contexts are nested in a single way, and need no list.
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
