// SPDX-License-Identifier: MIT

/// What several instances could not be built for.
extension ResolutionError {
  /// Of ``warmUpFailed(_:)``: one failure for each eager registration that could not be built, and for each invalid one, in
  /// the order of registration. Of any other case: the error itself.
  ///
  /// ```swift
  /// do { try await container.warmUp() } catch let error as ResolutionError {
  ///   for failure in error.failures { log(failure) }
  /// }
  /// ```
  public var failures: [ResolutionError] { context.failures ?? [self] }

  static func warmUpFailed(_ failures: [ResolutionError]) -> ResolutionError {
    .warmUpFailed(Context(failures))
  }

  /// All failures, one below the other. Those with the same cause are told together.
  ///
  /// - Parameter text: that of one failure.
  func textOfFailures(_ text: (ResolutionError) -> String) -> String {
    let noun = failures.contains(.invalidRegistration) ? "registration" : "eager singleton"
    let count = failures.count == 1 ? "1 \(noun)" : "\(failures.count) \(noun)s"
    var order: [FailureCause] = []
    var failuresByCause: [FailureCause: [ResolutionError]] = [:]
    for failure in failures {
      let cause = FailureCause(failure)
      if failuresByCause[cause] == nil { order.append(cause) }
      failuresByCause[cause, default: []].append(failure)
    }
    let lines = order.flatMap { cause in
      let failures = failuresByCause[cause] ?? []
      return failures.prefix(1).map(text)
        + failures.dropFirst().map { "  and: \(Context.text(of: $0.path))" }
    }
    return (["\(count) could not be built."] + lines).joined(separator: "\n")
  }
}

/// What failures have in common that are told together.
private struct FailureCause: Hashable {
  let key: RegistrationKey
  let location: SourceLocation?
  let text: String

  init(_ failure: ResolutionError) {
    key = failure.key
    location = failure.context.location
    text = "\(failure.summary.prefix { !$0.isNewline })\(failure.context.underlyingErrorText)"
  }
}
