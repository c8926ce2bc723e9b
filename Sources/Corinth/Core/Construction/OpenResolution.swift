// SPDX-License-Identifier: MIT

/// The resolution that a transient resolve is a part of, while the factory runs.
@usableFromInline
@safe
struct OpenResolution {
  private let own: Unmanaged<TransientResolution>?
  private let continued: ResolutionContext?
  private let isEntered: Bool
  private let previous: ResolutionContext?

  /// A resolution that begins with the resolve.
  init(beginningIn container: ContainerCore) {
    unsafe own = TransientResolution.begin(in: container)
    continued = nil
    isEntered = false
    previous = nil
  }

  /// A resolution that began before. A resolver may have been handed to the calling thread: the resolves of the
  /// factory are then part of the resolution even if it does not use its own resolver.
  init(continuing context: ResolutionContext?) {
    unsafe own = nil
    continued = context
    previous = ResolutionContext.running
    isEntered = context !== previous && !ResolutionContext.isOver(context)
    if isEntered { context?.enter() }
  }

  /// The context of the factory's resolver.
  @usableFromInline var context: ResolutionContext? {
    // SAFETY: the reference of this, until its end.
    unsafe own?.takeUnretainedValue() ?? continued
  }

  /// Ends the resolution if it began here. Called once, on the thread that has made this. Deinits of graph instances run in
  /// this call.
  @usableFromInline
  func end() {
    if isEntered { continued?.leave(to: previous) }
    if let own = unsafe own { unsafe TransientResolution.end(own) }
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
