// SPDX-License-Identifier: MIT

/// The resolution that a transient resolve is a part of, while the factory runs.
@usableFromInline
struct OpenResolution {
  /// The context of the factory's resolver.
  @usableFromInline let context: ResolutionContext?
  private let isOwn: Bool
  private let isEntered: Bool
  private let previous: ResolutionContext?

  /// A resolution that begins with the resolve.
  init(beginning context: ResolutionContext) {
    self.context = context
    isOwn = true
    isEntered = false
    previous = nil
  }

  /// A resolution that began before. A resolver may have been handed to the calling thread: the resolves of the
  /// factory are then part of the resolution even if it does not use its own resolver.
  init(continuing context: ResolutionContext?) {
    self.context = context
    isOwn = false
    previous = ResolutionContext.running
    isEntered = context !== previous && !ResolutionContext.isOver(context)
    if isEntered { context?.enter() }
  }

  /// Ends the resolution if it began here. On the thread that has made this.
  @usableFromInline
  func end() {
    if isEntered { context?.leave(to: previous) }
    if isOwn { context?.finish() }
  }
}
