// SPDX-License-Identifier: MIT

/// The treatment of a registration whose key is registered already.
///
/// ```swift
/// let container = Container(duplicates: .refuse)
/// try container.register((any Clock).self, onDuplicate: .keep) { _ in SystemClock() }
/// try container.register((any Clock).self, onDuplicate: .override) { _ in Sundial() }
/// ```
///
/// A registration may name a policy; otherwise the container's ``Container/duplicates`` applies. A
/// registration that shadows a parent's registration is no duplicate. In a fork, the registrations
/// of the base count for ``keep`` and ``require``; under all remaining policies a registration in
/// the fork overrides the base's registration.
///
/// ## Concurrency
/// A value, safe to use from any thread.
public enum DuplicatePolicy: Sendable, Hashable {
  /// The second registration overrides the first.
  case override
  /// The second registration overrides the first. A line on standard error per key names both.
  case warn
  /// The first registration stays, and the second registration is dropped: for the defaults of a
  /// module. If several threads register a key with this policy, exactly one thread succeeds;
  /// ``Registration/isCurrent`` tells a thread whether its registration won.
  case keep
  /// The second registration is refused, with the error
  /// ``RegistrationError/alreadyRegistered(key:existing:refused:policy:)``, which names both. A
  /// registration with this policy is also protected from later registrations of any policy.
  case refuse
  /// A first registration must exist, here or in the base of a fork, and the second registration
  /// overrides the first. Otherwise the error is ``ResolutionError/noRegistrationFound(_:)``, with
  /// similar registrations: in tests, the policy reports a misspelled key.
  ///
  /// Without a given scope, the second registration has the scope of the first.
  /// ``Registration/restore()`` restores the first registration. A later registration without a
  /// policy overrides the second as usual, and a line on the standard error stream names both.
  case require
}
