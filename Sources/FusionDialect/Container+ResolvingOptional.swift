// SPDX-License-Identifier: MIT

/// Fusion 0.1 and 0.2: `resolve` returns the service or ends the program. The compiler takes this
/// form where an optional does not fit.
extension Container {
  /// Works like `resolveAssert(_:id:)`.
  @_disfavoredOverload @inlinable
  public func resolve<T>(_ type: T.Type = T.self) -> T { resolveAssert(type) }

  /// Works like `resolveAssert(_:id:)`.
  @_disfavoredOverload @inlinable
  public func resolve<T>(_ type: T.Type = T.self, identifier: AnyHashable?) -> T {
    resolveAssert(type, id: identifier)
  }

  /// Works like `resolve(_:id:)`.
  @inlinable
  public func resolveOptional<T>(
    _ type: T.Type = T.self, identifier: AnyHashable? = nil
  ) -> T? { resolve(type, id: identifier) }

  /// Works like `resolveAssert(_:id:)` of ``main``.
  @_disfavoredOverload @inlinable
  public static func resolve<T>(_ type: T.Type = T.self) -> T { main.resolveAssert(type) }

  /// Works like `resolveAssert(_:id:)` of ``main``.
  @_disfavoredOverload @inlinable
  public static func resolve<T>(_ type: T.Type = T.self, identifier: AnyHashable?) -> T {
    main.resolveAssert(type, id: identifier)
  }

  /// Works like `resolveOptional(_:identifier:)` of ``main``.
  @inlinable
  public static func resolveOptional<T>(
    _ type: T.Type = T.self, identifier: AnyHashable? = nil
  ) -> T? { main.resolve(type, id: identifier) }
}
