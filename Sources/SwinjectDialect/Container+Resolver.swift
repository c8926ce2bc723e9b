// SPDX-License-Identifier: MIT

public import Corinth

/// A function for every number of arguments, since a function with a parameter pack cannot witness
/// the requirements of the protocol.
extension Container: Resolver {
  // `as any Resolver`: otherwise the type of the argument would be the type of the container.
  @inlinable public func resolve<S>(_: S.Type) -> S? { find(nil, own as any Resolver) }
  @inlinable public func resolve<S>(_: S.Type, name: String?) -> S? {
    find(name, own as any Resolver)
  }
  public func resolve<S, A>(_: S.Type, argument a: A) -> S? { find(nil, (own, a)) }
  public func resolve<S, A>(_: S.Type, name: String?, argument a: A) -> S? { find(name, (own, a)) }
  public func resolve<S, A, B>(_: S.Type, arguments a: A, _ b: B) -> S? { find(nil, (own, a, b)) }
  public func resolve<S, A, B>(_: S.Type, name: String?, arguments a: A, _ b: B) -> S? {
    find(name, (own, a, b))
  }
  public func resolve<S, A, B, C>(_: S.Type, arguments a: A, _ b: B, _ c: C) -> S? {
    find(nil, (own, a, b, c))
  }
  public func resolve<S, A, B, C>(_: S.Type, name: String?, arguments a: A, _ b: B, _ c: C) -> S? {
    find(name, (own, a, b, c))
  }
  public func resolve<S, A, B, C, D>(_: S.Type, arguments a: A, _ b: B, _ c: C, _ d: D) -> S? {
    find(nil, (own, a, b, c, d))
  }
  public func resolve<S, A, B, C, D>(
    _: S.Type, name: String?, arguments a: A, _ b: B, _ c: C, _ d: D
  ) -> S? { find(name, (own, a, b, c, d)) }
  public func resolve<S, A, B, C, D, E>(_: S.Type, arguments a: A, _ b: B, _ c: C, _ d: D, _ e: E)
    -> S?
  { find(nil, (own, a, b, c, d, e)) }
  public func resolve<S, A, B, C, D, E>(
    _: S.Type, name: String?, arguments a: A, _ b: B, _ c: C, _ d: D, _ e: E
  ) -> S? { find(name, (own, a, b, c, d, e)) }
  public func resolve<S, A, B, C, D, E, F>(
    _: S.Type, arguments a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F
  ) -> S? { find(nil, (own, a, b, c, d, e, f)) }
  public func resolve<S, A, B, C, D, E, F>(
    _: S.Type, name: String?, arguments a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F
  ) -> S? { find(name, (own, a, b, c, d, e, f)) }
  public func resolve<S, A, B, C, D, E, F, G>(
    _: S.Type, arguments a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F, _ g: G
  ) -> S? { find(nil, (own, a, b, c, d, e, f, g)) }
  public func resolve<S, A, B, C, D, E, F, G>(
    _: S.Type, name: String?, arguments a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F, _ g: G
  ) -> S? { find(name, (own, a, b, c, d, e, f, g)) }
  public func resolve<S, A, B, C, D, E, F, G, H>(
    _: S.Type, arguments a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F, _ g: G, _ h: H
  ) -> S? { find(nil, (own, a, b, c, d, e, f, g, h)) }
  public func resolve<S, A, B, C, D, E, F, G, H>(
    _: S.Type, name: String?, arguments a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F, _ g: G, _ h: H
  ) -> S? { find(name, (own, a, b, c, d, e, f, g, h)) }
  public func resolve<S, A, B, C, D, E, F, G, H, I>(
    _: S.Type, arguments a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F, _ g: G, _ h: H, _ i: I
  ) -> S? { find(nil, (own, a, b, c, d, e, f, g, h, i)) }
  public func resolve<S, A, B, C, D, E, F, G, H, I>(
    _: S.Type, name: String?, arguments a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F, _ g: G,
    _ h: H, _ i: I
  ) -> S? { find(name, (own, a, b, c, d, e, f, g, h, i)) }

  /// The resolver that a factory gets.
  @inlinable @inline(__always) var own: any Resolver { self }

  /// - Parameter arguments: the resolver, or a tuple that begins with the resolver.
  @inlinable func find<Service, Arguments>(_ name: String?, _ arguments: Arguments) -> Service? {
    let key = name.map { Name($0) }
    if let found: Registered<Service, Arguments> = registered(key) {
      if let service = instance(of: found, or: { found.factory(arguments) }) { return service }
      return resolveMisfit(found) { (factory: (Arguments) -> Any) in factory(arguments) }
    }
    if isMiss(of: Service.self, Arguments.self, name, key) { return nil }
    // The closure is allocated here, and not for services that are found.
    return resolveUnregistered(name, nil) { (factory: (Arguments) -> Any) in factory(arguments) }
  }
}
