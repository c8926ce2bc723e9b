// SPDX-License-Identifier: MIT

/// When an injected property finds its container, and its value.
public enum InjectionMode: Sendable, Hashable {
  /// The policy is captured when the property is made, the value resolved at the first access and kept.
  ///
  /// The property keeps a container alive that the policy names by itself.
  case captured
  /// The container is looked up, and the value resolved, at the first access; the value is kept.
  case lazy
  /// The value is resolved when the property is made. There is no enclosing object then.
  case eager
  /// The container is looked up, and the value resolved, at each access, according to the registration's scope.
  case everyAccess
}
