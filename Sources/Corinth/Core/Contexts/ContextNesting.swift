// SPDX-License-Identifier: MIT

internal import Synchronization

extension ResolutionContext {
  static func nextNumber() -> UInt64 {
    lastNumber.wrappingAdd(1, ordering: .relaxed).newValue
  }

  private static let lastNumber = Atomic<UInt64>(0)

  /// What has become of a context.
  enum Mark {
    static var finished: UInt8 { 1 }
    static var published: UInt8 { 2 }
    static var linked: UInt8 { 4 }
    static var held: UInt8 { 8 }
    static var cancelled: UInt8 { 16 }
    static var passingOn: UInt8 { 32 }
  }
}

/// What a context is nested in.
@safe
struct ContextNesting {
  // Asynchronous constructions may be nested as deeply as memory allows.
  let enclosing: ChainLink<ResolutionContext>
  let requesting: ChainLink<ResolutionContext>
  /// The resolution that it is a part of; `nil` when that begins with it.
  // SAFETY: the requesting context is a part of it and holds it, or is it.
  let beginning: Unmanaged<ResolutionContext>?
  let isOutermost: Bool
  let taskThread: TaskThread?

  /// None.
  init() {
    enclosing = unsafe ChainLink(unretained: Optional<Unmanaged>.none)
    requesting = enclosing
    unsafe beginning = nil
    isOutermost = true
    taskThread = nil
  }

  /// Without references, inside of a context that the calling thread is running.
  @inline(__always)
  init(inside requester: ResolutionContext) {
    enclosing = unsafe ChainLink(unretained: Unmanaged.passUnretained(requester))
    requesting = ChainLink(nil)
    unsafe beginning = requester.unretainedRoot
    isOutermost = requester.isOutermost
    // Not the requester's: its resolver may have been handed to this thread.
    taskThread = TaskThread.current
  }

  /// Without references: ``retain()`` takes them, and ``end(of:)`` gives them up.
  ///
  /// - Parameter current: the innermost context that the calling thread or task is running.
  @inline(__always)
  init(of current: Unmanaged<ResolutionContext>?, requestedBy requester: ResolutionContext?) {
    let requesting = unsafe requester.map { unsafe Unmanaged.passUnretained($0) }
    let isEnclosing = unsafe requesting?.toOpaque() == current?.toOpaque()
    enclosing = unsafe ChainLink(unretained: current)
    self.requesting = unsafe ChainLink(unretained: isEnclosing ? nil : requesting)
    unsafe beginning = requester?.unretainedRoot
    isOutermost = unsafe (requester?.isOutermost ?? true) && (current == nil || isEnclosing)
    taskThread = TaskThread.current
  }

  init(enclosedBy enclosing: ResolutionContext, requestedBy requester: ResolutionContext) {
    self.enclosing = ChainLink(enclosing)
    requesting = ChainLink(requester)
    unsafe beginning = requester.unretainedRoot
    isOutermost = false
    taskThread = TaskThread.current
  }

  func retain() {
    enclosing.retain()
    requesting.retain()
  }

  /// Gives up what it refers to. Called once, as the last thing that `holder` does with it.
  @inline(__always)
  func end(of holder: ResolutionContext) {
    // The caller of `enter` holds what the thread is running: most nested constructions end inside of that.
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
