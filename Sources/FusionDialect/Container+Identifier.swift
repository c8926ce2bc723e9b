// SPDX-License-Identifier: MIT

/// Fusion 0.3: `identifier` for `id`.
extension Container {
  /// Works like `bind(_:to:id:factory:)`.
  public func bind<T>(
    _ behavior: ResolveBehavior = .transient, to type: T.Type = T.self, identifier: AnyHashable?,
    factory: @escaping ContainerFactory<T>
  ) { bind(behavior, to: type, id: identifier, factory: factory) }

  /// Works like `bind(_:to:id:value:)`.
  public func bind<T>(
    _ behavior: ResolveBehavior = .transient, to type: T.Type = T.self, identifier: AnyHashable?,
    value: @escaping @autoclosure Factory<T>
  ) { bind(behavior, to: type, id: identifier, value: value()) }

  /// Works like `resolve(_:id:)`.
  public func resolve<T>(_ type: T.Type = T.self, identifier: AnyHashable?) -> T? {
    resolve(type, id: identifier)
  }

  /// Works like `resolveThrowing(_:id:)`.
  ///
  /// - Throws: `FusionError/notRegistered(type:id:)`.
  public func resolveThrowing<T>(_ type: T.Type = T.self, identifier: AnyHashable?) throws -> T {
    try resolveThrowing(type, id: identifier)
  }

  /// Works like `resolveAssert(_:id:)`.
  public func resolveAssert<T>(_ type: T.Type = T.self, identifier: AnyHashable?) -> T {
    resolveAssert(type, id: identifier)
  }

  /// Works like `bind(_:to:id:factory:)` of ``main``.
  public static func bind<T>(
    _ behavior: ResolveBehavior = .transient, to type: T.Type = T.self, identifier: AnyHashable?,
    factory: @escaping ContainerFactory<T>
  ) { main.bind(behavior, to: type, id: identifier, factory: factory) }

  /// Works like `bind(_:to:id:value:)` of ``main``.
  public static func bind<T>(
    _ behavior: ResolveBehavior = .transient, to type: T.Type = T.self, identifier: AnyHashable?,
    value: @escaping @autoclosure Factory<T>
  ) { main.bind(behavior, to: type, id: identifier, value: value()) }

  /// Works like `resolve(_:id:)` of ``main``.
  public static func resolve<T>(_ type: T.Type = T.self, identifier: AnyHashable?) -> T? {
    main.resolve(type, id: identifier)
  }

  /// Works like `resolveThrowing(_:id:)` of ``main``.
  ///
  /// - Throws: `FusionError/notRegistered(type:id:)`.
  public static func resolveThrowing<T>(
    _ type: T.Type = T.self, identifier: AnyHashable?
  ) throws -> T { try main.resolveThrowing(type, id: identifier) }

  /// Works like `resolveAssert(_:id:)` of ``main``.
  public static func resolveAssert<T>(_ type: T.Type = T.self, identifier: AnyHashable?) -> T {
    main.resolveAssert(type, id: identifier)
  }
}
