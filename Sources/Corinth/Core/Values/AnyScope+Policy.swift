// SPDX-License-Identifier: MIT

/// How the instances of a scope are stored, resolved and ended. Resolves and closings ask the
/// policy, not the scope's kind: a new scope with the ``Storage`` and the ``Box`` of another is a
/// new row in ``AnyScope/Kind/policy``. A new storage has more places to decide: see
/// CONTRIBUTING.md, "How to add a scope".
struct ScopePolicy: Sendable, Hashable {
  /// The owner of an instance's state; the owner decides the container that resolves dependencies.
  enum Storage: Sendable {
    /// None: every resolve builds an instance, with the dependencies of the container asked.
    case none
    /// The registration: a single state, or a state per value of the arguments. Dependencies are
    /// resolved in the registering container.
    case registration
    /// The resolution, from root construction to end. The container asked resolves dependencies.
    case resolution
    /// The nearest request scope, which also resolves dependencies; or the registering container
    /// does, if that is a child of the scope.
    case requestScope

    /// Whether an instance is stored for longer than the building resolution.
    var outlivesResolution: Bool { self == .registration || self == .requestScope }
  }

  /// The kind of reference from a state to its instance.
  enum Box: Sendable {
    case strong
    /// Strong, for the lifetime of a ``CachePolicy``.
    case expiring
    case weak
    /// None: a ``CustomStorage`` of the user holds the product.
    case user

    /// Whether a state holds the instance, in a box.
    var isStrong: Bool { self == .strong || self == .expiring }
  }

  var storage: Storage
  var box = Box.strong
  /// Whether only request scopes of the registration's name count.
  var isOfNamedScopes = false

  /// Whether a stored instance is served without a look at its state: no expiry, no early death.
  var isServedUnchanged: Bool { storage != .none && box == .strong }

  /// Whether the transients on the way to an instance have to know their resolution.
  var tracksResolutions: Bool { storage == .resolution || box == .user }

  /// Whether an instance ends with the storing container, which can therefore dispose of it.
  var endsWithContainer: Bool { storage.outlivesResolution && box == .strong }

  /// Whether an instance is stored per value of the arguments, which must then be `Hashable`.
  var requiresHashableArguments: Bool { storage != .none }

  /// Whether a registration serves the same instance for good, so that the slot may hold the
  /// instance, and `warmUp()` build it in advance.
  var isPublishedToSlot: Bool { storage == .registration && isServedUnchanged }
}

extension AnyScope {
  var policy: ScopePolicy { kind.policy }
}

extension AnyScope.Kind {
  /// The table of note 11, with a row for each scope.
  var policy: ScopePolicy {
    switch self {
    case .transient:
      ScopePolicy(storage: .none)
    case .singleton:
      ScopePolicy(storage: .registration)
    case .weak:
      ScopePolicy(storage: .registration, box: .weak)
    case .graph:
      ScopePolicy(storage: .resolution)
    case .scoped:
      ScopePolicy(storage: .requestScope)
    case .named:
      ScopePolicy(storage: .requestScope, isOfNamedScopes: true)
    case .cached:
      ScopePolicy(storage: .registration, box: .expiring)
    case .custom:
      ScopePolicy(storage: .registration, box: .user)
    }
  }
}
