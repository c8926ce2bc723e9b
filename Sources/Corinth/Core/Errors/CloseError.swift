// SPDX-License-Identifier: MIT

/// What went wrong while a container was closed or shut down.
public enum CloseError: Error {
  /// Some of the instances can only be disposed of asynchronously. Nothing has happened: the container is
  /// still open.
  case asyncCloseRequired([RegistrationKey])
  /// A task is closing the container, and a synchronous close may not block its thread for a task.
  /// `try await close()` waits for the end.
  ///
  /// The asynchronous closing was there first; or an instance that only a task can dispose of was begun while the
  /// synchronous close looked for such, and it has handed the rest to a task. The errors of disposers that this
  /// task runs are reported to no caller.
  case asyncCloseUnderWay
  /// Disposers have failed. All others have run, and the container is closed.
  case disposalFailed([DisposalFailure])
}

/// A disposer that has failed.
public struct DisposalFailure: Sendable {
  /// What the instance was registered under.
  public let key: RegistrationKey
  /// Where its registration was made.
  public let location: SourceLocation
  /// What the disposer threw, or ``TimeLimitExceeded``.
  public let error: any Error

  init(_ record: RegistrationRecord, _ error: any Error) {
    key = record.key
    location = record.location
    self.error = error
  }
}

/// Something took longer than it was given. It has been cancelled, and not waited for.
public struct TimeLimitExceeded: Error, Sendable, CustomStringConvertible {
  /// What it was given.
  public let limit: Duration

  public var description: String { "it took longer than \(limit)." }
}

extension CloseError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .asyncCloseRequired(let keys):
      """
      The container cannot be closed synchronously: it keeps \(keys.map(\.description).joined(separator: ", ")).
        hint: use `try await close()`.
      """
    case .asyncCloseUnderWay:
      """
      The container is being closed asynchronously, which a synchronous close cannot wait for.
        hint: use `try await close()`.
      """
    case .disposalFailed(let failures):
      (["\(failures.count == 1 ? "1 disposer" : "\(failures.count) disposers") failed."]
        + failures.map { "\($0.key): \($0.error)\n  registered at \($0.location)" })
        .joined(separator: "\n")
    }
  }
}
