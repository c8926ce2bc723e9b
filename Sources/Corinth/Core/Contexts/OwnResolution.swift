// SPDX-License-Identifier: MIT

/// A resolution that a container has begun for a caller's block, for all blocks nested in that to join.
// SAFETY: see the superclass; the identity is constant.
final class OwnResolution: ResolutionContext, @unchecked Sendable {
  private let container: ObjectIdentifier

  init(of container: ContainerCore) {
    self.container = ObjectIdentifier(container)
    super.init(requestedBy: nil)
  }

  override func isOwn(of container: ContainerCore) -> Bool {
    self.container == ObjectIdentifier(container)
  }
}

extension ContainerCore {
  /// The innermost unfinished resolution of this container's own that the calling thread or task runs.
  var ownResolution: ResolutionContext? {
    ResolutionContext.current?.firstInChain { $0.isOwn(of: self) }
  }

  /// Runs `body` in ``ownResolution``, or else in a new one.
  func withOwnResolution<Result>(
    _ body: (ResolutionContext) throws -> Result
  ) rethrows -> Result {
    if let own = ownResolution { return try body(own) }
    return try ResolutionContext.run(OwnResolution(of: self), body)
  }
}
