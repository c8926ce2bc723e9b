// SPDX-License-Identifier: MIT

/// The registrations whose modifiers contradict each other.
public struct InvalidRegistrations: Error {
  /// One ``ResolutionError/invalidRegistration(_:)`` for each, in the order of registration.
  public let failures: [ResolutionError]
}

extension InvalidRegistrations: CustomStringConvertible {
  /// All failures, one below the other.
  public var description: String {
    let count = failures.count == 1 ? "1 registration is" : "\(failures.count) registrations are"
    return (["\(count) invalid."] + failures.map(\.description)).joined(separator: "\n")
  }
}
