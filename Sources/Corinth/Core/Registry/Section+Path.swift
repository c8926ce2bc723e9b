// SPDX-License-Identifier: MIT

internal import CCorinth

/// The recorded path of deep transient resolutions, searched for cycles.
extension Section {
  /// A recorded level of a deep resolution.
  @usableFromInline
  @safe
  struct Level {
    // SAFETY: allocated by `pushFrame`, freed by `end`, linked into the thread's path in between.
    // On the heap: a frame on the stack would need a closure around the whole rest.
    fileprivate let frame: UnsafeMutablePointer<corinth_frame>?
    fileprivate let thread: OpaquePointer

    @usableFromInline
    func end() {
      guard let frame = unsafe frame else { return }
      unsafe corinth_thread_set_path(thread, frame.pointee.outer)
      unsafe frame.deallocate()
    }
  }

  /// The number of recorded levels allowed to a recursion of factories with arguments, which may
  /// end with different arguments. Twice the tracking depth in all.
  static var argumentRecursions: Int { 64 }

  /// Past the tracking depth, puts the slot on the thread's recorded path; an error, which ends the
  /// section, if that closes a cycle, or too little is left of the stack.
  ///
  /// - Parameter recursions: the number of recorded levels before a slot found again counts as a
  ///   cycle. None without arguments; a recursion with arguments may end.
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

  /// Whether the thread has too little stack left for further nesting.
  var isStackLow: Bool { unsafe corinth_thread_is_stack_low(thread) }

  /// The construction around a construction on a thread, and the path recorded for the outer one.
  @safe
  struct Surroundings {
    // SAFETY: the construction is only compared, and the frames stay until the levels around end.
    let surroundings: corinth_surroundings

    static var none: Surroundings { unsafe Surroundings(surroundings: corinth_surroundings()) }
  }

  /// Has the calling thread run a construction, with a path of its own. A transient needed around
  /// the shared instance and again inside is no cycle: the inner resolve finds the construction.
  @inline(__always)
  static func begin(_ construction: Unmanaged<some AnyObject>) -> Surroundings {
    unsafe Surroundings(
      surroundings: corinth_construction_begin(
        corinth_thread_current(), construction.toOpaque()))
  }

  /// Ends the construction of ``begin(_:)``, on the same thread.
  @inline(__always)
  static func end(inside outer: Surroundings) {
    unsafe corinth_construction_end(corinth_thread_current(), outer.surroundings)
  }

  // SAFETY, of both below: only its own thread reads a path, and frames stay until the levels end.

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
