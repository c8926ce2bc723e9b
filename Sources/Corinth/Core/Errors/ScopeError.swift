// SPDX-License-Identifier: MIT

/// The work in a request scope has failed, and its scope was then not closed without failures either.
///
/// If only one of the two fails, `withScope` throws that error as it is.
public struct ScopeError: Error {
  /// What the work has thrown.
  public let error: any Error
  /// What the closing has thrown.
  public let closeError: CloseError
}

extension ScopeError: CustomStringConvertible {
  /// Both messages, the first cause first.
  public var description: String { "\(error)\nThe scope was closed after that: \(closeError)" }
}

extension ScopeOutcome {
  /// - Parameter error: what the work has thrown.
  init(after error: any Error) {
    let cause = (error as? ResolutionError)?.underlyingError ?? error
    self = cause is CancellationError ? .cancelled : .failed(error)
  }
}
