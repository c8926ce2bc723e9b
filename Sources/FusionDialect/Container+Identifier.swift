// SPDX-License-Identifier: MIT

/// Fusion 0.3: `identifier` for `id`.
extension Container {
  /// `bind(_:to:id:factory:)`.
  public func bind<T>(
    _ behavior: ResolveBehavior = .transient, to type: T.Type = T.self, identifier: AnyHashable?,
    factory: @escaping ContainerFactory<T>
  ) { bind(behavior, to: type, id: identifier, factory: factory) }

  /// `bind(_:to:id:value:)`.
  public func bind<T>(
    _ behavior: ResolveBehavior = .transient, to type: T.Type = T.self, identifier: AnyHashable?,
    value: @escaping @autoclosure Factory<T>
  ) { bind(behavior, to: type, id: identifier, value: value()) }

  /// `resolve(_:id:)`.
  public func resolve<T>(_ type: T.Type = T.self, identifier: AnyHashable?) -> T? {
    resolve(type, id: identifier)
  }

  /// `resolveThrowing(_:id:)`.
  public func resolveThrowing<T>(_ type: T.Type = T.self, identifier: AnyHashable?) throws -> T {
    try resolveThrowing(type, id: identifier)
  }

  /// `resolveAssert(_:id:)`.
  public func resolveAssert<T>(_ type: T.Type = T.self, identifier: AnyHashable?) -> T {
    resolveAssert(type, id: identifier)
  }

  /// `bind(_:to:identifier:factory:)` in ``main``.
  public static func bind<T>(
    _ behavior: ResolveBehavior = .transient, to type: T.Type = T.self, identifier: AnyHashable?,
    factory: @escaping ContainerFactory<T>
  ) { main.bind(behavior, to: type, id: identifier, factory: factory) }

  /// `bind(_:to:identifier:value:)` in ``main``.
  public static func bind<T>(
    _ behavior: ResolveBehavior = .transient, to type: T.Type = T.self, identifier: AnyHashable?,
    value: @escaping @autoclosure Factory<T>
  ) { main.bind(behavior, to: type, id: identifier, value: value()) }

  /// `resolve(_:id:)` in ``main``.
  public static func resolve<T>(_ type: T.Type = T.self, identifier: AnyHashable?) -> T? {
    main.resolve(type, id: identifier)
  }

  /// `resolveThrowing(_:id:)` in ``main``.
  public static func resolveThrowing<T>(
    _ type: T.Type = T.self, identifier: AnyHashable?
  ) throws -> T { try main.resolveThrowing(type, id: identifier) }

  /// `resolveAssert(_:id:)` in ``main``.
  public static func resolveAssert<T>(_ type: T.Type = T.self, identifier: AnyHashable?) -> T {
    main.resolveAssert(type, id: identifier)
  }
}
