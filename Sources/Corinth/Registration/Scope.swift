// SPDX-License-Identifier: MIT

/// The lifetime of a registration's instances, and the resolves that share them.
///
/// ```swift
/// try container.register(Cache.self, scope: .singleton) { _ in Cache() }
/// ```
///
/// When a factory takes arguments, every scope but ``transient`` stores an instance per value of
/// the arguments. Values are compared with `==`; the argument types must be `Hashable`.
///
/// ## Concurrency
/// Every asking thread gets the instance of a shared scope. For a product that is not `Sendable` a
/// shared scope gives a warning, which names ``unchecked(_:)``, by which you vouch for the
/// sharing.
public struct Scope<Product>: Sendable, Hashable {
  let erased: AnyScope

  package init(_ erased: AnyScope) {
    self.erased = erased
  }

  /// A new instance for every resolve. The default.
  public static var transient: Self { Self(.transient) }

  /// A single instance per resolution: a call to `container.resolve` and all resolves that the
  /// factories make through their resolvers.
  ///
  /// The resolution stores the instance until the end of the resolution. Two separate calls to
  /// `container.resolve` never share the instance. Once a graph registration exists, transients of
  /// the container tree track their resolutions too, and take longer.
  public static var graph: Self { Self(.graph) }

  /// Any scope, of a product that need not be `Sendable`: you ensure that threads may share the
  /// instance.
  ///
  /// ```swift
  /// try container.register(Cache.self, scope: .unchecked(.singleton)) { _ in Cache() }
  /// try container.register(Rates.self, scope: .unchecked(.cached(for: .seconds(5)))) { _ in
  ///   try Rates.load()
  /// }
  /// ```
  ///
  /// - Parameter scope: the scope. The scope of a listed registration with a ``CustomStorage``
  ///   ends the program: pass the storage by `as(_:)` of ``RegistrationOptions`` instead.
  public static func unchecked(_ scope: AnyScope) -> Self {
    precondition(scope != .custom, "a CustomStorage is given to a registration with as(_:)")
    return Self(scope)
  }
}

extension Scope where Product: Sendable {
  /// A single instance per container and registration, built by the first resolve, exactly once.
  ///
  /// The instance lives until the registration is overridden or removed, or the container is
  /// deallocated. The dependencies are resolved in the container of the registration, also when a
  /// child was asked.
  public static var singleton: Self { Self(.singleton) }

  /// A single instance for as long as the instance is in use elsewhere; the next resolve then
  /// builds another.
  ///
  /// For class instances only, under their class or a protocol. Any other product type is refused
  /// when the registration is made.
  public static var weak: Self { Self(.weak) }

  /// A single instance per request scope; see ``Container/makeScope(named:file:line:)``.
  public static var scoped: Self { Self(.scoped) }

  /// A single instance per request scope of a name; the scopes within share the instance.
  ///
  /// ```swift
  /// extension Name { static let request: Name = "request" }
  /// try container.register(Session.self, scope: .scoped(in: .request)) { _ in Session() }
  /// ```
  ///
  /// A resolve gets the instance of the nearest scope with the name, from the asked container
  /// outwards. The dependencies are resolved in the named scope. Without a named scope, or with one
  /// only outside of the container that registers the product, the resolve throws
  /// ``ResolutionError/scopeRequired(_:)``.
  ///
  /// - Parameter name: the name given to ``Container/makeScope(named:file:line:)``.
  /// - Complexity: a resolve takes O(*n*) in the number of ancestors of the asked container.
  public static func scoped(in name: Name) -> Self { Self(.scoped(in: name)) }

  /// An instance for a limited time, then a new instance.
  ///
  /// ```swift
  /// try container.register(Rates.self, scope: .cached(for: .seconds(60))) { _ in
  ///   try Rates.load()
  /// }
  /// ```
  ///
  /// The time begins when the instance is complete, and passes while the machine sleeps. The first
  /// resolve after the time builds the next instance; a single caller builds at a time.
  ///
  /// - Parameters:
  ///   - lifetime: the time during which an instance is served. With a time of zero or less, every
  ///     resolve builds an instance.
  ///   - whileRefreshing: the treatment of concurrent resolves while the next instance is being
  ///     built.
  public static func cached(
    for lifetime: Duration, whileRefreshing: StalePolicy = .wait
  ) -> Self {
    Self(.cached(for: lifetime, whileRefreshing: whileRefreshing))
  }
}

/// Shared scopes for any product. Not disfavored: the members above are more special and win
/// wherever applicable, while a disfavored overload would turn the warning into an error, or into
/// nothing.
extension Scope {
  @_documentation(visibility: internal)
  @available(
    *, deprecated,
    message:
      "only for a type that is not Sendable, as this one: every thread gets the instance. Make the type Sendable, or say .unchecked(.singleton)"
  )
  public static var singleton: Self { Self(.singleton) }

  @_documentation(visibility: internal)
  @available(
    *, deprecated,
    message:
      "only for a type that is not Sendable, as this one: every thread gets the instance. Make the type Sendable, or say .unchecked(.weak)"
  )
  public static var weak: Self { Self(.weak) }

  @_documentation(visibility: internal)
  @available(
    *, deprecated,
    message:
      "only for a type that is not Sendable, as this one: every thread of the scope gets the instance. Make the type Sendable, or say .unchecked(.scoped)"
  )
  public static var scoped: Self { Self(.scoped) }

  @_documentation(visibility: internal)
  @available(
    *, deprecated,
    message:
      "only for a type that is not Sendable, as this one: every thread of the scope gets the instance. Make the type Sendable, or say .unchecked(.scoped(in:))"
  )
  public static func scoped(in name: Name) -> Self { Self(.scoped(in: name)) }

  @_documentation(visibility: internal)
  @available(
    *, deprecated,
    message:
      "only for a type that is not Sendable, as this one: every thread gets the instance. Make the type Sendable, or say .unchecked(.cached(for:))"
  )
  public static func cached(
    for lifetime: Duration, whileRefreshing: StalePolicy = .wait
  ) -> Self {
    Self(.cached(for: lifetime, whileRefreshing: whileRefreshing))
  }
}

extension Scope: CustomStringConvertible {
  /// The scope's name, for messages.
  public var description: String { erased.description }
}
