// SPDX-License-Identifier: MIT

/// The resolution that a transient resolve is a part of, while the factory runs.
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
  @usableFromInline @inline(never)
  func openResolution(within context: ResolutionContext?) -> OpenResolution {
    if tracksResolutions, ResolutionContext.unfinished(context) == nil {
      return OpenResolution(beginningIn: self)
    }
    return OpenResolution(continuing: .innermost(within: context))
  }
}
