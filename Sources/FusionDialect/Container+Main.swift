// SPDX-License-Identifier: MIT

/// The functions of ``Container/main``.
extension Container {
  /// `bind(_:to:id:factory:)` in ``main``.
  @inlinable
  public static func bind<T>(
    _ behavior: ResolveBehavior = .transient, to type: T.Type = T.self, id: AnyHashable? = nil,
    file: StaticString = #fileID, line: UInt = #line, factory: @escaping ContainerFactory<T>
  ) { main.bind(behavior, to: type, id: id, file: file, line: line, factory: factory) }

  /// `bind(_:to:id:value:)` in ``main``.
  @inlinable
  public static func bind<T>(
    _ behavior: ResolveBehavior = .transient, to type: T.Type = T.self, id: AnyHashable? = nil,
    file: StaticString = #fileID, line: UInt = #line, value: @escaping @autoclosure Factory<T>
  ) { main.bind(behavior, to: type, id: id, file: file, line: line, value: value()) }

  /// `bind(_:id:factory:)` in ``main``.
  @inlinable
  public static func bind<T>(
    _ type: T.Type, id: AnyHashable? = nil, file: StaticString = #fileID, line: UInt = #line,
    factory: @escaping ContainerFactory<T>
  ) { main.bind(to: type, id: id, file: file, line: line, factory: factory) }

  /// `bind(_:id:value:)` in ``main``.
  @inlinable
  public static func bind<T>(
    _ type: T.Type, id: AnyHashable? = nil, file: StaticString = #fileID, line: UInt = #line,
    value: @escaping @autoclosure Factory<T>
  ) { main.bind(to: type, id: id, file: file, line: line, value: value()) }

  /// `unbind(type:id:)` in ``main``.
  public static func unbind<T>(type: T.Type = T.self, id: AnyHashable? = nil) {
    main.unbind(type: type, id: id)
  }

  /// `resolve(_:)` in ``main``.
  @inlinable @inline(__always)
  public static func resolve<T>(_ type: T.Type = T.self) -> T? { main.find(type) }

  /// `resolve(_:id:)` in ``main``.
  @inlinable
  public static func resolve<T>(_ type: T.Type = T.self, id: AnyHashable?) -> T? {
    main.resolve(type, id: id)
  }

  /// `resolveThrowing(_:id:)` in ``main``.
  ///
  /// - Throws: `FusionError/notRegistered(type:id:)`.
  @inlinable
  public static func resolveThrowing<T>(
    _ type: T.Type = T.self, id: AnyHashable? = nil
  ) throws -> T { try main.resolveThrowing(type, id: id) }

  /// `resolveAssert(_:id:)` in ``main``.
  @inlinable
  public static func resolveAssert<T>(_ type: T.Type = T.self, id: AnyHashable? = nil) -> T {
    main.resolveAssert(type, id: id)
  }
}
