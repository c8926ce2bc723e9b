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
    static var held: UInt8 { 8 }
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
