// SPDX-License-Identifier: MIT

/// One function for each number of arguments, as the protocol has them: a function with a parameter pack does not serve for one.
extension Container: Resolver {
  // `as any Resolver`: otherwise the type of the argument would be that of the container.
  public func resolve<Service>(_ type: Service.Type) -> Service? { find(nil, own as any Resolver) }
  public func resolve<Service>(_ type: Service.Type, name: String?) -> Service? {
    find(name, own as any Resolver)
  }
  public func resolve<Service, A>(_ type: Service.Type, argument a: A) -> Service? {
    find(nil, (own, a))
  }
  public func resolve<Service, A>(_ type: Service.Type, name: String?, argument a: A) -> Service? {
    find(name, (own, a))
  }
  public func resolve<Service, A, B>(_ type: Service.Type, arguments a: A, _ b: B) -> Service? {
    find(nil, (own, a, b))
  }
  public func resolve<Service, A, B>(_ type: Service.Type, name: String?, arguments a: A, _ b: B)
    -> Service?
  { find(name, (own, a, b)) }
  public func resolve<Service, A, B, C>(_ type: Service.Type, arguments a: A, _ b: B, _ c: C)
    -> Service?
  { find(nil, (own, a, b, c)) }
  public func resolve<Service, A, B, C>(
    _ type: Service.Type, name: String?, arguments a: A, _ b: B, _ c: C
  ) -> Service? { find(name, (own, a, b, c)) }
  public func resolve<Service, A, B, C, D>(
    _ type: Service.Type, arguments a: A, _ b: B, _ c: C, _ d: D
  ) -> Service? { find(nil, (own, a, b, c, d)) }
  public func resolve<Service, A, B, C, D>(
    _ type: Service.Type, name: String?, arguments a: A, _ b: B, _ c: C, _ d: D
  ) -> Service? { find(name, (own, a, b, c, d)) }
  public func resolve<Service, A, B, C, D, E>(
    _ type: Service.Type, arguments a: A, _ b: B, _ c: C, _ d: D, _ e: E
  ) -> Service? { find(nil, (own, a, b, c, d, e)) }
  public func resolve<Service, A, B, C, D, E>(
    _ type: Service.Type, name: String?, arguments a: A, _ b: B, _ c: C, _ d: D, _ e: E
  ) -> Service? { find(name, (own, a, b, c, d, e)) }
  public func resolve<Service, A, B, C, D, E, F>(
    _ type: Service.Type, arguments a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F
  ) -> Service? { find(nil, (own, a, b, c, d, e, f)) }
  public func resolve<Service, A, B, C, D, E, F>(
    _ type: Service.Type, name: String?, arguments a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F
  ) -> Service? { find(name, (own, a, b, c, d, e, f)) }
  public func resolve<Service, A, B, C, D, E, F, G>(
    _ type: Service.Type, arguments a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F, _ g: G
  ) -> Service? { find(nil, (own, a, b, c, d, e, f, g)) }
  public func resolve<Service, A, B, C, D, E, F, G>(
    _ type: Service.Type, name: String?, arguments a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F,
    _ g: G
  ) -> Service? { find(name, (own, a, b, c, d, e, f, g)) }
  public func resolve<Service, A, B, C, D, E, F, G, H>(
    _ type: Service.Type, arguments a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F, _ g: G, _ h: H
  ) -> Service? { find(nil, (own, a, b, c, d, e, f, g, h)) }
  public func resolve<Service, A, B, C, D, E, F, G, H>(
    _ type: Service.Type, name: String?, arguments a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F,
    _ g: G, _ h: H
  ) -> Service? { find(name, (own, a, b, c, d, e, f, g, h)) }
  public func resolve<Service, A, B, C, D, E, F, G, H, I>(
    _ type: Service.Type, arguments a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F, _ g: G, _ h: H,
    _ i: I
  ) -> Service? { find(nil, (own, a, b, c, d, e, f, g, h, i)) }
  public func resolve<Service, A, B, C, D, E, F, G, H, I>(
    _ type: Service.Type, name: String?, arguments a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F,
    _ g: G, _ h: H, _ i: I
  ) -> Service? { find(name, (own, a, b, c, d, e, f, g, h, i)) }

  /// The resolver that a factory gets.
  private var own: any Resolver { self }

  /// - Parameter arguments: the resolver, or a tuple that begins with it.
  private func find<Service, Arguments>(_ name: String?, _ arguments: Arguments) -> Service? {
    _resolve(name: name) { (factory: (Arguments) -> Any) in factory(arguments) }
  }
}
