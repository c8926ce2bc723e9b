// SPDX-License-Identifier: MIT

/// A container opens no request scopes any more: ``Container/shutdown(draining:timeLimit:totalTimeLimit:)`` has begun
/// to wait for the open ones.
///
/// `withScope` throws it before its body runs. A scope of ``Container/makeScope(file:line:)`` throws
/// ``ResolutionError/scopeRefused(_:)`` instead, when something is resolved from it.
public struct ScopeRefused: Error, Sendable, CustomStringConvertible {
  public var description: String {
    """
    The container is shutting down and opens no scopes any more.
      hint: \(Self.hint)
    """
  }

  static let hint =
    "tell the client that the service stops; work that has begun makes nested scopes of its own scope."
}
