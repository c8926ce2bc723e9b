// SPDX-License-Identifier: MIT

/// The resolution that a transient resolve is a part of, or the context of the transient, while the factory runs.
@usableFromInline
@safe
struct OpenResolution {
  // SAFETY: each with a reference, until `end`.
  private let own: Unmanaged<TransientResolution>?
  private let continued: Unmanaged<ResolutionContext>?
  private let isEntered: Bool
  // SAFETY: what the thread runs around this lives for longer.
  private let previous: Unmanaged<ResolutionContext>?

  /// A resolution that begins with the resolve.
  init(beginningIn container: ContainerCore) {
    unsafe own = TransientResolution.begin(in: container)
    unsafe continued = nil
    isEntered = false
    unsafe previous = nil
  }

  /// A context of the transient's own, which what its factory resolves can tell its requester by.
  ///
  /// - Parameter context: the one whose resolver asks, if any.
  init(
    building slot: SlotReference, in container: ContainerCore, within context: ResolutionContext?
  ) {
    // A join of two contexts is nobody else's.
    let requester = ResolutionContext.unfinished(context)
      .flatMap { ResolutionContext.innermost(within: $0) }
    unsafe own = TransientResolution.begin(
      in: container, building: slot, requestedBy: requester)
    unsafe continued = requester.map { unsafe Unmanaged.passRetained($0) }
    unsafe previous = ResolutionContext.unretainedRunning
    isEntered = true
    unsafe own?._withUnsafeGuaranteedRef { $0.enter() }
  }

  /// A resolution that began before. A resolver may have been handed to the calling thread: the resolves of the
  /// factory are then part of the resolution even if it does not use its own resolver.
  init(continuing context: ResolutionContext?) {
    unsafe own = nil
    unsafe continued = context.map { unsafe Unmanaged.passRetained($0) }
    unsafe previous = ResolutionContext.unretainedRunning
    isEntered =
      unsafe continued?.toOpaque() != previous?.toOpaque() && !ResolutionContext.isOver(context)
    if isEntered { context?.enter() }
  }

  /// The context of the factory's resolver.
  @usableFromInline var context: ResolutionContext? {
    unsafe own?.takeUnretainedValue() ?? continued?.takeUnretainedValue()
  }

  /// Ends the resolution if it began here. Called once, on the thread that has made this. Deinits of graph instances run in
  /// this call.
  @usableFromInline
  func end() {
    if isEntered { unsafe ResolutionContext.leave(to: previous) }
    if let own = unsafe own { unsafe TransientResolution.endUnshared(own) }
    unsafe continued?.release()
  }
}

extension ContainerCore {
  /// The resolution that a transient resolve is a part of.
  ///
  /// - Parameter slot: that of the transient; `nil` for what only passes the instances of others on.
  @usableFromInline @inline(never)
  func openResolution(
    within context: ResolutionContext?, building slot: SlotReference?
  ) -> OpenResolution {
    if tracksResolutions {
      if let slot, tracksRequesters {
        return OpenResolution(building: slot, in: self, within: context)
      }
      if ResolutionContext.unfinished(context) == nil { return OpenResolution(beginningIn: self) }
    }
    return OpenResolution(continuing: .innermost(within: context))
  }
}
