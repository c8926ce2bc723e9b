// SPDX-License-Identifier: MIT

/// The outcome of the work in a request scope, for the scope's disposers.
///
/// ```swift
/// try container.register(
///   Session.self, scope: .scoped,
///   with: .onDispose { session, outcome in
///     if case .completed = outcome { try session.commit() } else { session.rollBack() }
///   }
/// ) { _ in try Session.begin() }
/// ```
///
/// ``Container/withScope(named:timeLimit:file:line:_:)`` passes the outcome of the body. A scope
/// closed by a call, and a container that is shut down, has completed, unless the call names a
/// different outcome.
public enum ScopeOutcome: Sendable {
  /// The work has returned.
  case completed
  /// The work has thrown an error.
  case failed(any Error)
  /// The work has ended because the task was cancelled.
  case cancelled
  /// The scope was closed from outside during the work: by
  /// ``OpenScope/close(workLimit:timeLimit:totalTimeLimit:)``, or by a ``ContainerService`` that
  /// closes open scopes. The work may still run beside the disposers.
  case interrupted
}
