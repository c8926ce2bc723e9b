// SPDX-License-Identifier: MIT

/// How long the instances of a registration live, and who shares them.
///
/// ```swift
/// try container.register(Cache.self, scope: .singleton) { _ in Cache() }
/// ```
///
/// When a factory takes arguments, every scope but ``transient`` keeps one instance for each value of these.
/// Values are told apart by `==`; their types must be `Hashable`.
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
  /// It lives until the registration is overridden, removed, or the container is gone. Its dependencies are
  /// resolved in the container that it is registered in, also when a child was asked.
  public static var singleton: Scope { Scope(.singleton) }

  /// One instance for as long as it is in use elsewhere; the next resolve builds another.
  ///
  /// For class instances only, under their class or a protocol. Other product types are refused
  /// when the registration is made.
  public static var weak: Scope { Scope(.weak) }

  /// One instance for each resolution: for a resolve of the container's and all those that its factories make
  /// through their resolvers.
  ///
  /// It belongs to the resolution and is gone with it, save for those who hold it. Two resolves of the
  /// container's never share it. Once a graph registration exists, transients of the same family of containers
  /// keep track of their resolutions too, and take longer.
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
  ///   - lifetime: how long an instance is served.
  ///   - whileRefreshing: what others get while the next instance is being built.
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

  /// The instances are kept by an ``Instance``.
  static var custom: Scope { Scope(.custom) }
}

/// What is done with an instance of a cached singleton while the next one is being built.
public enum StalePolicy: Sendable, Hashable {
  /// Others wait for the next one.
  case wait
  /// Others are served the old one.
  case serveStale
}

extension Scope: CustomStringConvertible {
  /// The scope's name, for messages.
  public var description: String { "\(kind)" }
}
