// SPDX-License-Identifier: MIT

/// The work in a request scope, or with overrides, has failed, and its container was then not closed without failures
/// either.
///
/// If only one of the two fails, `withScope` and `withOverrides` throw that error as it is.
public struct ScopeError: Error {
  /// The error of the work.
  public let error: any Error
  /// The error of the closing.
  public let closeError: CloseError
}

extension ScopeError: CustomStringConvertible {
  /// Both messages, the first cause first.
  public var description: String { "\(error)\nThe container was closed after that: \(closeError)" }
}

extension ScopeOutcome {
  /// - Parameter error: the error of the work.
  init(after error: any Error) {
    self = error.cause(as: CancellationError.self) == nil ? .failed(error) : .cancelled
  }
}
