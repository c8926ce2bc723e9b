// SPDX-License-Identifier: MIT

/// A registration in whose place a forward was registered that leads elsewhere, or an input in whose place a factory was.
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
  /// The registrations in whose place this record will be published, and that are not meant to be replaced: of a forward,
  /// those that lead elsewhere, as all of them were to serve the same key; of others, an input. What a fork has taken over
  /// from its base is meant to be replaced.
  ///
  /// The writer lock is held.
  final func registrationsReplaced(with existing: RegistrationRecord) -> [ReplacedRegistration] {
    if existing.attributes.isAdopted { return [] }
    guard let target = forwardedKey else {
      // The values that scopes are given would not be used.
      return existing.isInput && !isInput
        ? [ReplacedRegistration(forwardedKey: nil, location: existing.location)] : []
    }
    let replaced =
      existing.attributes.replacedRegistrations
      + [ReplacedRegistration(forwardedKey: existing.forwardedKey, location: existing.location)]
    return replaced.filter { !$0.leads(to: target) }
  }
}
