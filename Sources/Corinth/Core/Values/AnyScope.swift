// SPDX-License-Identifier: MIT

/// A scope without the type of a product, for errors and listings, and for ``Scope/unchecked(_:)``.
///
/// ```swift
/// let caches = container.registrations.filter { $0.scope == .cached(for: .seconds(5)) }
/// ```
///
/// ``Scope`` describes the kinds of scopes.
///
/// ## Concurrency
/// A value, safe to use from any thread.
public struct AnyScope: Sendable, Hashable {
  enum Kind: UInt8, Sendable {
    case transient
    case singleton
    case weak
    case graph
    case scoped
    /// As `scoped`, in the scopes of a name.
    case named
    case cached
    case custom
  }

  /// A detail of scopes of some kinds, beside the kind. A single word: registering copies it.
  enum Detail: Sendable, Hashable {
    case cachePolicy(CachePolicy)
    /// The name of the request scopes that store the instances.
    case scopeName(Shared<Name>)
  }

  let detail: Detail?
  let kind: Kind

  init(_ kind: Kind, _ detail: Detail? = nil) {
    self.kind = kind
    self.detail = detail
  }

  var cachePolicy: CachePolicy? {
    if case .cachePolicy(let policy) = detail { policy } else { nil }
  }

  /// The name of the request scopes that store the instances; `nil` without a name.
  var scopeName: Shared<Name>? {
    if case .scopeName(let name) = detail { name } else { nil }
  }

  /// ``Scope/transient``.
  public static var transient: AnyScope { AnyScope(.transient) }
  /// ``Scope/singleton``.
  public static var singleton: AnyScope { AnyScope(.singleton) }
  /// ``Scope/weak``.
  public static var weak: AnyScope { AnyScope(.weak) }
  /// ``Scope/graph``.
  public static var graph: AnyScope { AnyScope(.graph) }
  /// ``Scope/scoped``.
  public static var scoped: AnyScope { AnyScope(.scoped) }
  /// ``Scope/scoped(in:)``.
  public static func scoped(in name: Name) -> AnyScope {
    AnyScope(.named, .scopeName(Shared(name)))
  }

  /// ``Scope/cached(for:whileRefreshing:)``.
  public static func cached(
    for lifetime: Duration, whileRefreshing: StalePolicy = .wait
  ) -> AnyScope {
    cached(for: lifetime, whileRefreshing: whileRefreshing, clock: .continuous)
  }

  package static func cached(
    for lifetime: Duration, whileRefreshing: StalePolicy = .wait, clock: MonotonicClock
  ) -> AnyScope {
    AnyScope(
      .cached,
      .cachePolicy(
        CachePolicy(lifetime: lifetime, whileRefreshing: whileRefreshing, clock: clock)))
  }

  /// The instances are stored by a ``CustomStorage``.
  static var custom: AnyScope { AnyScope(.custom) }
}

/// The treatment of resolves that find an expired instance while the next instance is being built.
public enum StalePolicy: Sendable, Hashable {
  /// Resolves wait for the next instance.
  case wait
  /// Resolves get the expired instance.
  case serveStale
}

extension AnyScope: CustomStringConvertible {
  /// The scope's name, for messages.
  public var description: String {
    scopeName.map { "scoped(in: \($0.value.literal))" } ?? "\(kind)"
  }
}
