// SPDX-License-Identifier: MIT

/// The failures of eager singletons, and the registrations that are invalid.
///
/// ```swift
/// do { try await container.warmUp() } catch let error as WarmUpError {
///   for failure in error.failures { log(failure) }
/// }
/// ```
public struct WarmUpError: Error {
  /// One failure for each eager registration that could not be built, and for each invalid one, in the order of
  /// registration.
  public let failures: [ResolutionError]
}

extension WarmUpError: CustomStringConvertible {
  /// All failures, one below the other. Those with the same cause are told together.
  public var description: String {
    let noun = failures.contains(.invalidRegistration) ? "registration" : "eager singleton"
    let count = failures.count == 1 ? "1 \(noun)" : "\(failures.count) \(noun)s"
    return (["\(count) could not be built."] + textsByCause).joined(separator: "\n")
  }

  private var textsByCause: [String] {
    var order: [Cause] = []
    var failuresByCause: [Cause: [ResolutionError]] = [:]
    for failure in failures {
      let cause = Cause(failure)
      if failuresByCause[cause] == nil { order.append(cause) }
      failuresByCause[cause, default: []].append(failure)
    }
    return order.flatMap { cause in
      let failures = failuresByCause[cause] ?? []
      return failures.prefix(1).map(\.description)
        + failures.dropFirst().map { "  and: \(ResolutionError.Context.text(of: $0.path))" }
    }
  }

  private struct Cause: Hashable {
    let key: RegistrationKey
    let location: SourceLocation?
    let text: String

    init(_ failure: ResolutionError) {
      key = failure.key
      location = failure.context.location
      text = "\(failure.summary.prefix { !$0.isNewline })\(failure.context.underlyingErrorText)"
    }
  }
}
