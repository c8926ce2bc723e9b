// SPDX-License-Identifier: MIT

/// A context that builds nothing itself.
// SAFETY: see the superclass; the property is constant.
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
    case property(of: UncountedReference<AnyObject>)
  }

  private let ownRole: Role

  init(
    _ role: Role, enclosedBy enclosing: ResolutionContext, requestedBy requester: ResolutionContext
  ) {
    ownRole = role
    super.init(enclosedBy: enclosing, requestedBy: requester)
  }

  init(_ role: Role) {
    ownRole = role
    super.init(requestedBy: nil)
  }

  override var role: Role? { ownRole }

  override var isFinished: Bool {
    guard case .join = ownRole else { return super.isFinished }
    return (enclosing?.isFinished ?? true) && (requesting?.isFinished ?? true)
  }
}

extension ResolutionContext {
  /// Whether the postponed actions of `requesting` run here, in `enclosing`.
  final var isResumption: Bool {
    if case .resumption? = role { true } else { false }
  }

  final func isBlock(of container: ContainerCore) -> Bool {
    if case .block(ObjectIdentifier(container))? = role { true } else { false }
  }

  private final var isForProperty: Bool {
    if case .property? = role { true } else { false }
  }

  /// The object for which this context resolves a property; `nil` for none.
  final var enclosingObject: AnyObject? {
    guard case .property(let owner)? = firstInChain(where: \.isForProperty)?.role else {
      return nil
    }
    return owner.object
  }

  /// Runs `body` in a context, on the calling thread.
  static func run<Result>(
    _ context: ResolutionContext, _ body: (ResolutionContext) throws -> Result
  ) rethrows -> Result {
    defer { context.finish() }
    return try context.whileRunning { try body(context) }
  }
}
