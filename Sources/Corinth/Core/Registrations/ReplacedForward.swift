// SPDX-License-Identifier: MIT

/// A forward in whose place another one was registered, to another target.
struct ReplacedForward: Sendable {
  let target: RegistrationKey
  let location: SourceLocation

  /// Whether both targets are the same. Names are told apart by their hashes: this is called with a lock held.
  fileprivate func leads(to other: RegistrationKey) -> Bool {
    target.product == other.product && target.arguments == other.arguments
      && target.name?.hash == other.name?.hash
  }
}

extension RegistrationRecord {
  /// This record, a forward, in the place of another one. It remembers those that lead elsewhere: all of them were
  /// meant to serve the same key. What a fork has taken over from its base is meant to be replaced.
  ///
  /// The writer lock is held.
  final func remembering(_ existing: RegistrationRecord) -> RegistrationRecord {
    guard let target = forwardedKey, let former = existing.forwardedKey,
      !existing.attributes.isAdopted
    else { return self }
    let replaced =
      existing.attributes.replacedForwards
      + [ReplacedForward(target: former, location: existing.location)]
    var attributes = attributes
    attributes.replacedForwards = replaced.filter { !$0.leads(to: target) }
    return attributes.replacedForwards.isEmpty ? self : copy(attributes)
  }
}
