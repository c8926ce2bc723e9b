// SPDX-License-Identifier: MIT

/// How publishing treats an existing registration of the key, and a missing one.
enum PublicationMode: Sendable {
  /// The policy of the registration, or else that of the container, decides.
  case registration
  /// Overrides what is there, if something is, whatever the policy.
  case replacement
}

/// Whether a publication has published the registration: what is there may have been kept, or what is required may not be
/// there. The registration that it replaces comes along if the caller takes it.
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
