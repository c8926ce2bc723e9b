// SPDX-License-Identifier: MIT

/// A registration replaced by a forward with a different target, or an input replaced by a factory.
struct ReplacedRegistration: Sendable {
  /// The target of a replaced forward; `nil` for a registration with a factory or a value.
  let forwardedKey: RegistrationKey?
  let location: SourceLocation

  /// The registrations replaced by a record without intent: by a forward, registrations and
  /// forwards with a different target, each of which was to serve the key; by anything else, an
  /// input. To replace a registration adopted from the base is always intended.
  ///
  /// The writer lock is held.
  static func all(
    by record: RegistrationRecord, replacing existing: RegistrationRecord
  ) -> [ReplacedRegistration] {
    if existing.attributes.isAdopted { return [] }
    guard let target = record.forwardedKey else {
      // The values passed to scopes would go unused.
      return existing.isInput && !record.isInput
        ? [ReplacedRegistration(forwardedKey: nil, location: existing.location)] : []
    }
    let replaced =
      existing.attributes.replacedRegistrations
      + [ReplacedRegistration(forwardedKey: existing.forwardedKey, location: existing.location)]
    return replaced.filter { !$0.leads(to: target) }
  }

  /// Whether the replaced registration was a forward to `other`. Compares names by hash, as a lock
  /// is held: to compare names may run user code.
  private func leads(to other: RegistrationKey) -> Bool {
    guard let key = forwardedKey else { return false }
    return key.product == other.product && key.arguments == other.arguments
      && key.name?.hash == other.name?.hash
  }
}
