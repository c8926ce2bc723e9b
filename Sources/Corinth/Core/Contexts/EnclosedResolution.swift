// SPDX-License-Identifier: MIT

/// A resolution that was begun for a property of an object.
// SAFETY: see the superclass; the reference is constant.
final class EnclosedResolution: ResolutionContext, @unchecked Sendable {
  // Not strong: a resolver that is stored beyond its factory holds the context.
  private let reference: UncountedReference

  init(for enclosing: AnyObject) {
    reference = UncountedReference(enclosing)
    super.init(requestedBy: nil)
  }

  /// `nil` once the resolution has ended.
  fileprivate var objectInUse: AnyObject? { isFinished ? nil : reference.object }
}

extension ResolutionContext {
  /// The object that this is resolved for; `nil` for none.
  final var enclosingObject: AnyObject? {
    (firstInChain { $0 is EnclosedResolution } as? EnclosedResolution)?.objectInUse
  }

  /// Runs `body` in a context, on the calling thread.
  static func run<Result>(
    _ context: ResolutionContext, _ body: (ResolutionContext) throws -> Result
  ) rethrows -> Result {
    let previous = running
    context.enter()
    defer {
      context.leave(to: previous)
      context.finish()
    }
    return try body(context)
  }
}
