// SPDX-License-Identifier: MIT

/// The lifetime of a registration's instances, and the resolves that share them.
///
/// ```swift
/// try container.register(Cache.self, scope: .singleton) { _ in Cache() }
/// ```
///
/// When a factory takes arguments, every scope but ``transient`` stores one instance for each value of these.
/// Values are compared with `==`; their types must be `Hashable`.
///
/// ## Concurrency
/// The instance of a shared scope goes to every thread that asks. For a product that is not `Sendable` such a scope is
/// deprecated: the warning names ``unchecked(_:)``, which says that you take care.
public struct Scope<Product>: Sendable, Hashable {
  let erased: AnyScope

  package init(_ erased: AnyScope) {
    self.erased = erased
  }

  /// A new instance for each resolve. The default.
  public static var transient: Self { Self(.transient) }

  /// One instance for each resolution: one call to `container.resolve` and all resolves that its factories make
  /// through their resolvers.
  ///
  /// The resolution stores it until its end. Two separate calls to `container.resolve` never share it. Once a graph
  /// registration exists, transients of the same container tree track their resolutions too, and take longer.
  public static var graph: Self { Self(.graph) }

  /// Any scope, of a product that need not be `Sendable`: you see to it that threads may share the instance.
  ///
  /// ```swift
  /// try container.register(Cache.self, scope: .unchecked(.singleton)) { _ in Cache() }
  /// try container.register(Rates.self, scope: .unchecked(.cached(for: .seconds(5)))) { _ in try Rates.load() }
  /// ```
  ///
  /// - Parameter scope: the scope. That of a listed registration with an ``Instance`` traps: give ``Hooks`` the
  ///   instance instead.
  public static func unchecked(_ scope: AnyScope) -> Self {
    precondition(scope != .custom, "an Instance is given to a registration with as(_:)")
    return Self(scope)
  }
}

extension Scope where Product: Sendable {
  /// One instance for each container and registration, built by the first resolve, exactly once.
  ///
  /// It lives until the registration is overridden or removed, or the container is deallocated. Its dependencies are
  /// resolved in the container that it is registered in, also when a child was asked.
  public static var singleton: Self { Self(.singleton) }

  /// One instance for as long as it is in use elsewhere; the next resolve then builds another.
  ///
  /// For class instances only, under their class or a protocol. Other product types are refused
  /// when the registration is made.
  public static var weak: Self { Self(.weak) }

  /// One instance for each request scope; see ``Container/makeScope(named:file:line:)``.
  public static var scoped: Self { Self(.scoped) }

  /// One instance for each request scope of a name, which the scopes within it share.
  ///
  /// ```swift
  /// extension Name { static let request: Name = "request" }
  /// try container.register(Session.self, scope: .scoped(in: .request)) { _ in Session() }
  /// ```
  ///
  /// A resolve gets that of the nearest scope of the name, from the container asked outwards. Its dependencies are resolved in
  /// that scope. Where there is none, the resolve throws ``ResolutionError/scopeRequired(_:)``.
  ///
  /// - Parameter name: that of ``Container/makeScope(named:file:line:)``.
  /// - Complexity: a resolve takes O(*n*) in the number of ancestors of the container asked.
  public static func scoped(in name: Name) -> Self { Self(.scoped(in: name)) }

  /// One instance for some time, then another.
  ///
  /// ```swift
  /// try container.register(Rates.self, scope: .cached(for: .seconds(60))) { _ in try Rates.load() }
  /// ```
  ///
  /// The time begins when the instance is complete, and passes while the machine sleeps. The first resolve
  /// after it builds the next instance, by one caller at a time.
  ///
  /// - Parameters:
  ///   - lifetime: the time during which an instance is served. If it is zero or less, each resolve builds another.
  ///   - whileRefreshing: the treatment of other resolves while the next instance is being built.
  public static func cached(
    for lifetime: Duration, whileRefreshing: StalePolicy = .wait
  ) -> Self {
    Self(.cached(for: lifetime, whileRefreshing: whileRefreshing))
  }
}

/// The same for any product. Not disfavoured: the ones above are more special and win wherever they apply, while a
/// disfavoured one would turn the warning into an error, or into nothing.
extension Scope {
  @_documentation(visibility: internal)
  @available(
    *, deprecated,
    message:
      "every thread gets this instance, and its type is not Sendable: make it Sendable, or say .unchecked(.singleton)"
  )
  public static var singleton: Self { Self(.singleton) }

  @_documentation(visibility: internal)
  @available(
    *, deprecated,
    message:
      "every thread gets this instance, and its type is not Sendable: make it Sendable, or say .unchecked(.weak)"
  )
  public static var weak: Self { Self(.weak) }

  @_documentation(visibility: internal)
  @available(
    *, deprecated,
    message:
      "every thread of the scope gets this instance, and its type is not Sendable: make it Sendable, or say .unchecked(.scoped)"
  )
  public static var scoped: Self { Self(.scoped) }

  @_documentation(visibility: internal)
  @available(
    *, deprecated,
    message:
      "every thread of the scope gets this instance, and its type is not Sendable: make it Sendable, or say .unchecked(.scoped(in:))"
  )
  public static func scoped(in name: Name) -> Self { Self(.scoped(in: name)) }

  @_documentation(visibility: internal)
  @available(
    *, deprecated,
    message:
      "every thread gets this instance, and its type is not Sendable: make it Sendable, or say .unchecked(.cached(for:))"
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
