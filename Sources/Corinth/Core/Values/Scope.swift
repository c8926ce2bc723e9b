// SPDX-License-Identifier: MIT

/// The lifetime of a registration's instances, and the resolves that share them.
///
/// ```swift
/// try container.register(Cache.self, scope: .singleton) { _ in Cache() }
/// ```
///
/// When a factory takes arguments, every scope but ``transient`` stores one instance for each value of these.
/// Values are compared with `==`; their types must be `Hashable`.
public struct Scope: Sendable, Hashable {
  enum Kind: UInt8, Sendable {
    case transient
    case singleton
    case weak
    case graph
    case scoped
    case cached
    case custom
  }

  let kind: Kind
  let cachePolicy: CachePolicy?

  private init(_ kind: Kind, _ cachePolicy: CachePolicy? = nil) {
    self.kind = kind
    self.cachePolicy = cachePolicy
  }

  /// A new instance for each resolve. The default.
  public static var transient: Scope { Scope(.transient) }

  /// Another word for ``transient``.
  public static var prototype: Scope { .transient }

  /// One instance for each container and registration, built by the first resolve, exactly once.
  ///
  /// It lives until the registration is overridden or removed, or the container is deallocated. Its dependencies are
  /// resolved in the container that it is registered in, also when a child was asked.
  public static var singleton: Scope { Scope(.singleton) }

  /// One instance for as long as it is in use elsewhere; the next resolve then builds another.
  ///
  /// For class instances only, under their class or a protocol. Other product types are refused
  /// when the registration is made.
  public static var weak: Scope { Scope(.weak) }

  /// One instance for each resolution: one call to `container.resolve` and all resolves that its factories make
  /// through their resolvers.
  ///
  /// The resolution stores it until its end. Two separate calls to `container.resolve` never share it. Once a graph
  /// registration exists, transients of the same container tree track their resolutions too, and take longer.
  public static var graph: Scope { Scope(.graph) }

  /// One instance for each request scope; see ``Container/makeScope()``.
  public static var scoped: Scope { Scope(.scoped) }

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
  ///   - lifetime: the time during which an instance is served.
  ///   - whileRefreshing: the treatment of other resolves while the next instance is being built.
  public static func cached(
    for lifetime: Duration, whileRefreshing: StalePolicy = .wait
  ) -> Scope {
    .cached(for: lifetime, whileRefreshing: whileRefreshing, clock: .continuous)
  }

  package static func cached(
    for lifetime: Duration, whileRefreshing: StalePolicy, clock: MonotonicClock
  ) -> Scope {
    Scope(
      .cached,
      CachePolicy(
        lifetime: lifetime, servesStale: whileRefreshing == .serveStale, clock: clock))
  }

  /// The instances are stored by an ``Instance``.
  static var custom: Scope { Scope(.custom) }
}

/// The treatment of resolves that find an expired instance while the next one is being built.
public enum StalePolicy: Sendable, Hashable {
  /// They wait for the next one.
  case wait
  /// They get the old one.
  case serveStale
}

extension Scope: CustomStringConvertible {
  /// The scope's name, for messages.
  public var description: String { "\(kind)" }
}
