// SPDX-License-Identifier: MIT

/// How publishing treats an existing registration of the key, and a missing one.
enum PublicationMode: Sendable {
  /// The policy of the registration, or else that of the container, decides.
  case registration
  /// Overrides what is there, if something is, whatever the policy.
  case replacement
}

/// What a publication has done.
enum Publication {
  /// Nothing: what is there is kept, or what is required is not there.
  case left
  /// Published the registration. The one that it replaces comes along if the caller takes it.
  case published(replacing: RegistrationRecord?)

  var isDone: Bool {
    if case .published = self { true } else { false }
  }

  /// The registration that the caller has taken.
  var replaced: RegistrationRecord? {
    if case .published(let replaced) = self { replaced } else { nil }
  }
}

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
