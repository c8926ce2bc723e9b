// SPDX-License-Identifier: MIT

/// The reason why a container was not closed, or not without failures.
@nonexhaustive
public enum CloseError: Error {
  /// Instances of the container have asynchronous disposers. No disposer has run, and the container is still
  /// open.
  case asyncCloseRequired([RegistrationKey])
  /// A task is closing the container, and a synchronous close must not block its thread for a task.
  /// `try await close()` waits for the end.
  ///
  /// Either the asynchronous closing came first, or an instance that only a task can dispose of was begun during the
  /// synchronous close, which has handed the rest to a task. The errors of that task's disposers reach no caller.
  case asyncCloseUnderWay
  /// Disposers have failed, or constructions have not ended in time. All other disposers have run, and the container is
  /// closed.
  case disposalFailed([DisposalFailure])
  /// Request scopes were still open when the time for draining had passed. All disposers have run, and the container
  /// is closed; `failures` has those that have failed.
  case drainingTimedOut(openScopes: Int, failures: [DisposalFailure])
  /// The work of a request scope has called the shutdown, which would have waited for the end of that work. Nothing has been
  /// closed, and the container lets new scopes in. The location is that of `withScope`.
  case shutdownInScope(madeAt: SourceLocation)
  /// The work in a request scope, or with overrides, has failed, and its container was then not closed without failures
  /// either. If only one of the two fails, `withScope` and `withOverrides` throw that error as it is.
  ///
  /// - Parameters:
  ///   - error: the error of the work.
  ///   - closeError: the error of the closing.
  indirect case workFailed(error: any Error, closeError: CloseError)
}

/// A disposer that has failed.
public struct DisposalFailure: Sendable {
  /// The key of the instance's registration; that of ``Container`` for a request scope that did not end in time.
  public let key: RegistrationKey
  /// The source location of its registration; of a scope, where it was made.
  public let location: SourceLocation
  /// The error that the disposer threw, or ``TimeLimitExceeded``, also of a construction.
  public let error: any Error

  fileprivate var work: TimeLimitExceeded.Work {
    (error as? TimeLimitExceeded)?.work ?? .disposer
  }
}

/// A disposer took longer than its time limit: it has been cancelled, and not waited for. Or it was not begun, because the
/// time limit of all disposers together had passed, or because those before block all threads that there are for them. Or
/// a construction had not ended in time: its instance is disposed of when it has. Or a reload had not, which is left to fail.
public struct TimeLimitExceeded: Error, Sendable, CustomStringConvertible {
  /// The work that was to end in time.
  enum Work: Sendable {
    case disposer, construction, reload
    /// The end of a scope, by its own work.
    case scope
  }

  /// The time limit: its own, or that of all together.
  public let limit: Duration
  /// Whether the disposer was begun; of a construction, whether that was waited for.
  public let wasBegun: Bool
  let work: Work
  /// The number of blocked threads that left none for it; `nil` if that is not why.
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
    }
  }
}

extension CloseError {
  /// The error of two shutdowns of one container that ran at once.
  ///
  /// The one that has come first to the disposers has their failures. The other one may have scopes that were still open.
  static func joining(_ first: CloseError?, _ second: CloseError?) -> CloseError? {
    switch (first, second) {
    case (.drainingTimedOut(let count, let failures), .disposalFailed(let others)),
      (.disposalFailed(let others), .drainingTimedOut(let count, let failures)):
      .drainingTimedOut(openScopes: count, failures: failures + others)
    case (.disposalFailed(let failures), .disposalFailed(let others)):
      .disposalFailed(failures + others)
    default: first ?? second
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
      // Reloads run one after the other.
      failures.contains { $0.work == .reload } ? "1 reload did not end in time" : nil,
      count(.scope, "request scope", "did not end in time"),
    ].compactMap(\.self).joined(separator: ", and ")
    return
      (["\(summary)."]
      + failures.map { failure in
        "\(failure.key): \(failure.error)\n  \(failure.work == .scope ? "made" : "registered") at \(failure.location)"
      })
      .joined(separator: "\n")
  }
}
