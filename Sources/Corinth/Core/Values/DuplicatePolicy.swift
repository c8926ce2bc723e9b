// SPDX-License-Identifier: MIT

/// What a container does with a second registration of a key that it has.
///
/// ```swift
/// let container = Container(duplicates: .refuse)
/// ```
///
/// It concerns `register`, `registerAsync` and `forward`. Whoever says `override`, `replace` or `registerIfAbsent` means
/// it. A registration that shadows one of a parent is no duplicate. A registration that is not overridable is never
/// overridden, whatever the policy.
public enum DuplicatePolicy: Sendable, Hashable {
  /// The second one overrides the first.
  case override
  /// The second one is refused: ``RegistrationError/alreadyRegistered(key:existing:refused:policy:)``.
  case refuse
  /// The second one overrides the first, and a line on the standard error stream names both; one line for each key.
  case warn
}
