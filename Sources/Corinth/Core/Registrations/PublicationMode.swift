// SPDX-License-Identifier: MIT

/// How publishing treats an existing registration of the key, and a missing one.
enum PublicationMode: Sendable {
  /// Follows the policy of the registration, or else the container's.
  case registration
  /// Overrides an existing registration, whatever the policy.
  case replacement
}

/// Whether a publication took place: an existing registration may have been kept, or a required one
/// may be missing. With the replaced registration, if the caller takes it.
typealias Publication = (isDone: Bool, replaced: RegistrationRecord?)

extension DuplicatePolicy {
  /// Whether nothing is published.
  func leaves(_ isPresent: Bool) -> Bool {
    switch self {
    case .override, .refuse, .warn: false
    case .keep: isPresent
    case .require: !isPresent
    }
  }
}
