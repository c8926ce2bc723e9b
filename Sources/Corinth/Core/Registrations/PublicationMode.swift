// SPDX-License-Identifier: MIT

/// How publishing treats an existing registration of the key, and a missing one.
///
/// A registration that is not overridable refuses all but ``ifAbsent``.
enum PublicationMode: Sendable {
  /// The container's ``DuplicatePolicy`` decides.
  case registration
  /// Leaves what is there.
  case ifAbsent
  /// Overrides what is there, whatever the policy, and does nothing if nothing is.
  case overrideExisting
  /// Overrides what is there, if something is, whatever the policy.
  case replacement

  /// Whether nothing is published.
  func leaves(_ isPresent: Bool) -> Bool {
    switch self {
    case .registration, .replacement: false
    case .ifAbsent: isPresent
    case .overrideExisting: !isPresent
    }
  }
}

/// What a publication has done.
enum Publication {
  /// Nothing: ``PublicationMode/leaves(_:)``.
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
