// SPDX-License-Identifier: MIT

/// The reason why a container was not closed, or was closed with failures.
@nonexhaustive
public enum CloseError: Error {
  /// Instances of the container have asynchronous disposers, and the closing was synchronous. No
  /// disposer has run, and the container is still open.
  case asyncCloseRequired([RegistrationKey])
  /// A task is closing the container, and a synchronous close must not block its thread for a task.
  /// `try await close()` waits for the end.
  ///
  /// Either an asynchronous closing came first, or an instance that only a task can dispose of was
  /// begun during the synchronous close, which has then handed the remaining disposers to a task.
  /// The errors of the task's disposers reach no caller.
  case asyncCloseUnderWay
  /// Disposers have failed, or constructions have not ended in time. All remaining disposers have
  /// run, and the container is closed.
  case disposalFailed([DisposalFailure])
  /// Request scopes were still open when the time for draining had passed. All disposers have run,
  /// and the container is closed; `failures` lists the failed disposers.
  case drainingTimedOut(openScopes: Int, failures: [DisposalFailure])
  /// The work of a request scope has called the shutdown, which would have waited for the end of
  /// the work. Nothing has been closed, and the container still makes scopes. The location is the
  /// location of the `withScope` call.
  case shutdownInScope(madeAt: SourceLocation)
  /// The work in a request scope, or with overrides, has failed, and the closing of the scope or
  /// fork has failed too. If only the work or only the closing fails, `withScope` and
  /// `withOverrides` throw the error unchanged.
  ///
  /// - Parameters:
  ///   - error: the error of the work.
  ///   - closeError: the error of the closing.
  indirect case workFailed(error: any Error, closeError: CloseError)
}

/// A failed disposer, with the registration and the error.
public struct DisposalFailure: Sendable {
  /// The key of the instance's registration; the key of ``Container`` for a request scope that did
  /// not end in time, and for a container that another caller had not closed in time.
  public let key: RegistrationKey
  /// The source location of the registration; for a scope, of the call that made the scope; line 0
  /// of a file named `unknown` for another container.
  public let location: SourceLocation
  /// The error that the disposer threw; ``TimeLimitExceeded`` if work did not end in time.
  public let error: any Error

  fileprivate var work: TimeLimitExceeded.Work {
    (error as? TimeLimitExceeded)?.work ?? .disposer
  }
}

/// A time limit passed during a closing.
///
/// - A disposer took longer than its limit: the disposer has been cancelled, and is not waited for.
/// - A disposer was not begun: the limit of all disposers together had passed, or earlier disposers
///   block all threads for disposers.
/// - A construction had not ended in time: the instance is disposed of upon completion.
/// - A reload had not ended in time: the reload is left to fail.
public struct TimeLimitExceeded: Error, Sendable, CustomStringConvertible {
  /// The work that was to end in time.
  enum Work: Sendable {
    case disposer, construction, reload
    /// The end of a scope, by the scope's own work.
    case scope
    /// The end of a container, by another caller.
    case closing
  }

  /// The time limit that has passed: for the disposer, or for all disposers together.
  public let limit: Duration
  /// Whether the disposer was begun; for a construction, whether the closing waited.
  public let wasBegun: Bool
  let work: Work
  /// The number of blocked threads that left no thread for the work; `nil` for any other reason.
  let blockedThreads: Int?

  init(
    limit: Duration, wasBegun: Bool, of work: Work = .disposer, blockedThreads: Int? = nil
  ) {
    (self.limit, self.wasBegun) = (limit, wasBegun)
    (self.work, self.blockedThreads) = (work, blockedThreads)
  }

  public var description: String {
    switch (work, wasBegun) {
    case (.disposer, true): "timed out after \(limit)."
    case (.disposer, false):
      if let blockedThreads {
        "not begun within \(limit): disposers that have timed out block all \(blockedThreads) threads for them."
      } else {
        "not begun: the disposers before have taken \(limit) together."
      }
    case (.construction, true):
      "the construction had not ended after \(limit). The instance is disposed of when it has."
    case (.construction, false):
      """
      the construction had not ended, and the disposers before have taken \(limit) together. The instance is disposed of \
      when it has.
      """
    case (.reload, _): "the reload that registers it had not ended after \(limit)."
    case (.scope, true):
      "its own end had not come after \(limit). What it disposes of may still go on."
    case (.scope, false):
      "its own end had not come, and the disposers before have taken \(limit) together."
    case (.closing, _):
      "another caller closes it, and had not ended after \(limit). What that disposes of may still go on."
    }
  }
}

extension CloseError {
  /// The error of two concurrent shutdowns of a container.
  ///
  /// The first shutdown to reach the disposers has their failures; the second may have open scopes,
  /// and may have waited in vain for the first, which is then left out.
  static func joining(_ first: CloseError?, _ second: CloseError?) -> CloseError? {
    let haveWaited = [first, second].map { $0?.failures.contains { $0.work == .closing } ?? false }
    let (first, second) =
      haveWaited[0] == haveWaited[1]
      ? (first, second) : (first?.withoutWaitsForClosings, second?.withoutWaitsForClosings)
    return switch (first, second) {
    case (.drainingTimedOut(let count, let failures), .disposalFailed(let others)),
      (.disposalFailed(let others), .drainingTimedOut(let count, let failures)):
      .drainingTimedOut(openScopes: count, failures: failures + others)
    case (.disposalFailed(let failures), .disposalFailed(let others)):
      .disposalFailed(failures + others)
    default: first ?? second
    }
  }

  private var failures: [DisposalFailure] {
    switch self {
    case .disposalFailed(let failures), .drainingTimedOut(openScopes: _, let failures): failures
    default: []
    }
  }

  private var withoutWaitsForClosings: CloseError? {
    let others = failures.filter { $0.work != .closing }
    return switch self {
    case .drainingTimedOut(let count, _): .drainingTimedOut(openScopes: count, failures: others)
    case .disposalFailed: others.first == nil ? nil : .disposalFailed(others)
    default: self
    }
  }
}

extension CloseError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .asyncCloseRequired(let keys):
      """
      The container cannot be closed synchronously: \
      \(keys.map(\.description).joined(separator: ", ")) \(keys.count == 1 ? "has" : "have") an asynchronous disposer.
        hint: use `try await close()`.
      """
    case .asyncCloseUnderWay:
      """
      The container is being closed asynchronously, which a synchronous close cannot wait for.
        hint: use `try await close()`.
      """
    case .disposalFailed(let failures):
      Self.text(of: failures)
    case .shutdownInScope(let location):
      """
      The container cannot be shut down by the work of a request scope whose end the shutdown would wait for. Nothing was closed.
        the scope was made at \(location)
        hint: shut down after `withScope` has returned, or in a task that the work does not await.
      """
    case .workFailed(let error, let closeError):
      "\(error)\nThe container was closed after that: \(closeError)"
    case .drainingTimedOut(let count, let failures):
      """
      \(quantity(count, "request scope was", "request scopes were")) still open when the time for \
      draining had passed.
        hint: close each scope, or use `withScope`; let draining take as long as the longest request.
      """ + (failures.first == nil ? "" : "\n" + Self.text(of: failures))
    }
  }

  private static func text(of failures: [DisposalFailure]) -> String {
    func count(_ work: TimeLimitExceeded.Work, _ name: String, _ fate: String) -> String? {
      let count = failures.count { $0.work == work }
      return count == 0 ? nil : "\(quantity(count, name)) \(fate)"
    }
    let summary = [
      count(.disposer, "disposer", "failed"),
      count(.construction, "construction", "did not end in time"),
      // Reloads run one at a time.
      failures.contains { $0.work == .reload } ? "1 reload did not end in time" : nil,
      count(.scope, "request scope", "did not end in time"),
      count(.closing, "closing by another caller", "did not end in time"),
    ].compactMap(\.self).joined(separator: ", and ")
    return
      (["\(summary)."]
      + failures.map { failure in
        let text = "\(failure.key): \(failure.error)"
        return switch failure.work {
        case .closing: text
        case .scope: "\(text)\n  made at \(failure.location)"
        case .disposer, .construction, .reload: "\(text)\n  registered at \(failure.location)"
        }
      }).joined(separator: "\n")
  }
}
