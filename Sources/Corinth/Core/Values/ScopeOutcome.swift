// SPDX-License-Identifier: MIT

/// How the work in a request scope has ended, for its disposers.
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
/// ``Container/withScope(named:timeLimit:file:line:_:)`` passes the outcome of its body. A scope that is closed, and a container that is shut
/// down, has completed unless the call says otherwise.
public enum ScopeOutcome: Sendable {
  /// It has come to its end.
  case completed
  /// It has thrown.
  case failed(any Error)
  /// It has ended because its task was cancelled.
  case cancelled
  /// It was closed from outside while its work went on: by ``OpenScope/close(workLimit:timeLimit:totalTimeLimit:)``, or by a
  /// ``ContainerService`` that closes open scopes. The work may still run beside the disposers.
  case interrupted
}
