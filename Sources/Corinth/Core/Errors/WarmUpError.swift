// SPDX-License-Identifier: MIT

/// The failures of eager singletons.
///
/// ```swift
/// do { try await container.warmUp() } catch let error as WarmUpError {
///   for failure in error.failures { log(failure) }
/// }
/// ```
public struct WarmUpError: Error {
  /// One failure for each eager registration that could not be built, in the order of registration.
  public let failures: [ResolutionError]
}

extension WarmUpError: CustomStringConvertible {
  /// All failures, one below the other.
  public var description: String {
    let count = failures.count == 1 ? "1 eager singleton" : "\(failures.count) eager singletons"
    return (["\(count) could not be built."] + failures.map(\.description)).joined(separator: "\n")
  }
}
