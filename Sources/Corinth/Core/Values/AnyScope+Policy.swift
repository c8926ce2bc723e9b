// SPDX-License-Identifier: MIT

/// How the instances of a scope are stored, resolved and ended. The core asks the policy, never the scope's kind:
/// a new scope is a new row in ``AnyScope/Kind/policy``.
struct ScopePolicy: Sendable, Hashable {
  /// The owner of the instances' states. It decides the container in which their dependencies are resolved.
  enum Storage: Sendable {
    /// None: each resolve builds an instance of its own, with the dependencies of the container asked.
    case none
    /// The registration, one state or one for each value of the arguments. Dependencies are resolved in the
    /// container that it is registered in.
    case registration
    /// The resolution, from its root construction to its end. Dependencies are resolved in the container asked.
    case resolution
    /// The nearest request scope, in which dependencies are resolved too, or in the registering container if
    /// that is a child of the scope.
    case requestScope
  }

  /// The kind of reference from a state to its instance.
  enum Box: Sendable {
    case strong
    case weak
    /// None: a ``CustomStorage`` of the user holds the product.
    case user
  }

  var storage: Storage
  var box = Box.strong
  /// Whether a stored instance is served without a look at its state: it neither expires nor dies early.
  var isServedUnchanged = false
  /// Whether only request scopes of the registration's name count.
  var isOfNamedScopes = false
  /// Whether the transients that lead to an instance have to know their resolution.
  var tracksResolutions = false
  /// Whether an instance ends with the container that stores it, which can therefore dispose of it.
  var endsWithContainer = false
  /// Whether `warmUp()` can build the instance in advance.
  var canBeEager = false

  /// Whether there is one instance for each value of the arguments, which must then be `Hashable`.
  var requiresHashableArguments: Bool { storage != .none }

  /// Whether an instance is stored for longer than the resolution that has built it.
  var outlivesResolution: Bool { storage == .registration || storage == .requestScope }

  /// Whether an instance stays the one that its registration serves, so that the slot may hold it.
  var isPublishedToSlot: Bool { storage == .registration && isServedUnchanged }
}

extension AnyScope {
  var policy: ScopePolicy { kind.policy }
}

extension AnyScope.Kind {
  /// The table of note 11, one row for each scope.
  var policy: ScopePolicy {
    switch self {
    case .transient:
      ScopePolicy(storage: .none)
    case .singleton:
      ScopePolicy(
        storage: .registration, isServedUnchanged: true, endsWithContainer: true, canBeEager: true)
    case .weak:
      ScopePolicy(storage: .registration, box: .weak)
    case .graph:
      ScopePolicy(storage: .resolution, isServedUnchanged: true, tracksResolutions: true)
    case .scoped:
      ScopePolicy(storage: .requestScope, isServedUnchanged: true, endsWithContainer: true)
    case .named:
      ScopePolicy(
        storage: .requestScope, isServedUnchanged: true, isOfNamedScopes: true,
        endsWithContainer: true)
    case .cached:
      ScopePolicy(storage: .registration)
    case .custom:
      ScopePolicy(storage: .registration, box: .user, tracksResolutions: true)
    }
  }
}
