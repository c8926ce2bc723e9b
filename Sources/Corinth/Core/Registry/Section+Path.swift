// SPDX-License-Identifier: MIT

internal import CCorinth

/// The recorded path of deep transient resolutions, in which their cycles are found.
extension Section {
  /// One recorded level of a deep resolution.
  @usableFromInline
  @safe
  struct Level {
    // SAFETY: allocated by `pushFrame`, freed by `end`, linked into the thread's path in between. On the heap,
    // because a frame on the stack would need a closure around all that follows.
    fileprivate let frame: UnsafeMutablePointer<corinth_frame>?
    fileprivate let thread: OpaquePointer

    @usableFromInline
    func end() {
      guard let frame = unsafe frame else { return }
      unsafe corinth_thread_set_path(thread, frame.pointee.outer)
      unsafe frame.deallocate()
    }
  }

  /// The number of recorded levels that a recursion of factories with arguments may take: with other arguments it
  /// may well end. Twice the tracking depth in all.
  static var argumentRecursions: Int { 64 }

  /// Past the tracking depth, puts the slot on the thread's recorded path; an error, which ends the
  /// section, if that closes a cycle, or too little is left of the stack.
  ///
  /// - Parameter recursions: the number of recorded levels before a slot found again counts as a cycle.
  ///   None without arguments; with arguments it may be a recursion that ends.
  @usableFromInline
  func pushFrame(_ slot: SlotReference, recursions: Int = 0) throws(ResolutionError) -> Level {
    guard depth > CORINTH_PATH_TRACKING_THRESHOLD else {
      return unsafe Level(frame: nil, thread: thread)
    }
    let outer = unsafe corinth_thread_path(thread)
    if let cycle = unsafe Section.cycle(closedBy: slot, on: outer, recursions: recursions) {
      leave()
      throw .circularDependencyDetected(ResolutionError.Context(cycle: cycle))
    }
    if isStackLow {
      let error = ResolutionError.resolutionTooDeep(
        ResolutionError.Context(refusing: slot.key, at: slot.registration?.location))
      leave()
      throw error
    }
    let frame = UnsafeMutablePointer<corinth_frame>.allocate(capacity: 1)
    unsafe frame.initialize(to: corinth_frame(outer: outer, slot: slot.pointer))
    unsafe corinth_thread_set_path(thread, frame)
    return unsafe Level(frame: frame, thread: thread)
  }

  /// Whether so little is left of the thread's stack that nothing more should be nested on it.
  var isStackLow: Bool { unsafe corinth_thread_is_stack_low(thread) }

  /// The construction that a thread runs around another one, and the path that it has recorded there.
  @safe
  struct Surroundings {
    // SAFETY: the construction is compared only, and the frames stay until their levels end; both are around the other one.
    fileprivate let surroundings: corinth_surroundings

    static var none: Surroundings { unsafe Surroundings(surroundings: corinth_surroundings()) }
  }

  /// Has the calling thread run a construction, with a path of its own. A transient that is needed around the shared instance
  /// and again inside is no cycle: the instance is found under way then.
  @inline(__always)
  static func begin(_ construction: Unmanaged<some AnyObject>) -> Surroundings {
    unsafe Surroundings(
      surroundings: corinth_construction_begin(
        corinth_thread_current(), construction.toOpaque()))
  }

  /// Ends what ``begin(_:)`` began, on the same thread.
  @inline(__always)
  static func end(inside outer: Surroundings) {
    unsafe corinth_construction_end(corinth_thread_current(), outer.surroundings)
  }

  // SAFETY, of both below: a path is read by its own thread only, and its frames stay until their levels end.

  /// The keys since the slot was last on the path, if it was and the path is long enough.
  private static func cycle(
    closedBy slot: SlotReference, on path: UnsafeMutablePointer<corinth_frame>?, recursions: Int
  ) -> [RegistrationKey]? {
    var levels = 0
    var lastLevel: Int?
    unsafe forEachSlot(on: path) { recorded in
      if recorded == slot, lastLevel == nil { lastLevel = levels }
      levels += 1
    }
    guard let lastLevel, levels >= recursions else { return nil }
    var keys = [slot.key]
    unsafe forEachSlot(on: path) { recorded in
      if keys.count <= lastLevel + 1 { keys.append(recorded.key) }
    }
    return keys.reversed()
  }

  private static func forEachSlot(
    on path: UnsafeMutablePointer<corinth_frame>?, _ body: (SlotReference) -> Void
  ) {
    var next = unsafe path
    while let frame = unsafe next {
      unsafe body(SlotReference(frame.pointee.slot))
      unsafe next = frame.pointee.outer
    }
  }
}
