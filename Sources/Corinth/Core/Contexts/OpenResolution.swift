// SPDX-License-Identifier: MIT

/// The resolution that a transient resolve is a part of, while the factory runs.
@usableFromInline
struct OpenResolution {
  /// What the factory's resolver is made for.
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

  /// A resolution that began before. A resolver may have been handed to the calling thread: what the factory
  /// resolves in other ways than through its own resolver is then a part of the resolution, too.
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
