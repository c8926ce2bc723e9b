// SPDX-License-Identifier: MIT

/// The functions of ``Container/main``.
extension Container {
  /// Works like `bind(_:to:id:factory:)` of ``main``.
  @inlinable
  public static func bind<T>(
    _ behavior: ResolveBehavior = .transient, to type: T.Type = T.self, id: AnyHashable? = nil,
    file: StaticString = #fileID, line: UInt = #line, factory: @escaping ContainerFactory<T>
  ) { main.bind(behavior, to: type, id: id, file: file, line: line, factory: factory) }

  /// Works like `bind(_:to:id:value:)` of ``main``.
  @inlinable
  public static func bind<T>(
    _ behavior: ResolveBehavior = .transient, to type: T.Type = T.self, id: AnyHashable? = nil,
    file: StaticString = #fileID, line: UInt = #line, value: @escaping @autoclosure Factory<T>
  ) { main.bind(behavior, to: type, id: id, file: file, line: line, value: value()) }

  /// Works like `bind(_:id:factory:)` of ``main``.
  @inlinable
  public static func bind<T>(
    _ type: T.Type, id: AnyHashable? = nil, file: StaticString = #fileID, line: UInt = #line,
    factory: @escaping ContainerFactory<T>
  ) { main.bind(to: type, id: id, file: file, line: line, factory: factory) }

  /// Works like `bind(_:id:value:)` of ``main``.
  @inlinable
  public static func bind<T>(
    _ type: T.Type, id: AnyHashable? = nil, file: StaticString = #fileID, line: UInt = #line,
    value: @escaping @autoclosure Factory<T>
  ) { main.bind(to: type, id: id, file: file, line: line, value: value()) }

  /// Works like `unbind(type:id:)` of ``main``.
  public static func unbind<T>(type: T.Type = T.self, id: AnyHashable? = nil) {
    main.unbind(type: type, id: id)
  }

  /// Works like `resolve(_:)` of ``main``.
  @inlinable @inline(__always)
  public static func resolve<T>(_ type: T.Type = T.self) -> T? { main.find(type) }

  /// Works like `resolve(_:id:)` of ``main``.
  @inlinable
  public static func resolve<T>(_ type: T.Type = T.self, id: AnyHashable?) -> T? {
    main.resolve(type, id: id)
  }

  /// Works like `resolveThrowing(_:id:)` of ``main``.
  ///
  /// - Throws: `FusionError/notRegistered(type:id:)`.
  @inlinable
  public static func resolveThrowing<T>(
    _ type: T.Type = T.self, id: AnyHashable? = nil
  ) throws -> T { try main.resolveThrowing(type, id: id) }

  /// Works like `resolveAssert(_:id:)` of ``main``.
  @inlinable
  public static func resolveAssert<T>(_ type: T.Type = T.self, id: AnyHashable? = nil) -> T {
    main.resolveAssert(type, id: id)
  }
}
