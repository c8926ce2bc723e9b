// SPDX-License-Identifier: MIT

/// A context that builds nothing itself.
// SAFETY: see the superclass; the role is constant.
final class RoleContext: ResolutionContext, @unchecked Sendable {
  enum Role {
    /// Leads to two contexts: a resolver was handed to a thread that runs a different context.
    case join
    /// The postponed actions of `requesting` run in this context, inside `enclosing`. Contexts
    /// between may be finished by now, so the first does not lead to the second.
    case resumption
    /// A resolution begun by a container for a caller's block, and joined by all nested blocks.
    case block(of: ObjectIdentifier)
    /// A resolution of a property of an object.
    // Not strong: a resolver stored beyond its factory holds the context.
    case property(of: UncountedReference)
  }

  private let role: Role

  init(
    _ role: Role, enclosedBy enclosing: ResolutionContext, requestedBy requester: ResolutionContext
  ) {
    self.role = role
    super.init(enclosedBy: enclosing, requestedBy: requester)
  }

  init(_ role: Role) {
    self.role = role
    super.init(requestedBy: nil)
  }

  override var isFinished: Bool {
    guard case .join = role else { return super.isFinished }
    return (enclosing?.isFinished ?? true) && (requesting?.isFinished ?? true)
  }

  override var isResumption: Bool {
    if case .resumption = role { true } else { false }
  }

  func isBlock(of container: ContainerCore) -> Bool {
    if case .block(ObjectIdentifier(container)) = role { true } else { false }
  }

  fileprivate var isForProperty: Bool {
    if case .property = role { true } else { false }
  }

  /// The object whose property is resolved; `nil` once the resolution has ended.
  fileprivate var object: AnyObject? {
    guard case .property(let owner) = role, !isFinished else { return nil }
    return owner.object
  }
}

extension ResolutionContext {
  /// The object for which this context resolves a property; `nil` for none.
  final var enclosingObject: AnyObject? {
    (firstInChain { ($0 as? RoleContext)?.isForProperty ?? false } as? RoleContext)?.object
  }

  /// Runs `body` in a context, on the calling thread.
  static func run<Result>(
    _ context: ResolutionContext, _ body: (ResolutionContext) throws -> Result
  ) rethrows -> Result {
    defer { context.finish() }
    return try context.whileRunning { try body(context) }
  }
}
