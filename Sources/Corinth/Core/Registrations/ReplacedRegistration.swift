// SPDX-License-Identifier: MIT

/// A registration in whose place a forward was registered that leads elsewhere.
struct ReplacedRegistration: Sendable {
  /// Where it led if it was a forward itself; `nil` if it had a factory or a value.
  let forwardedKey: RegistrationKey?
  let location: SourceLocation

  /// Whether it was a forward to the same key. Names are told apart by their hashes: this is called with a lock held.
  fileprivate func leads(to other: RegistrationKey) -> Bool {
    guard let key = forwardedKey else { return false }
    return key.product == other.product && key.arguments == other.arguments
      && key.name?.hash == other.name?.hash
  }
}

extension RegistrationRecord {
  /// The registrations in whose place this record, a forward, will be published, and that lead elsewhere: all of them were
  /// meant to serve the same key. What a fork has taken over from its base is meant to be replaced.
  ///
  /// The writer lock is held.
  final func registrationsReplaced(with existing: RegistrationRecord) -> [ReplacedRegistration] {
    guard let target = forwardedKey, !existing.attributes.isAdopted else { return [] }
    let replaced =
      existing.attributes.replacedRegistrations
      + [ReplacedRegistration(forwardedKey: existing.forwardedKey, location: existing.location)]
    return replaced.filter { !$0.leads(to: target) }
  }
}
