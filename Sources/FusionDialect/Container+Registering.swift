// SPDX-License-Identifier: MIT

/// Fusion 0.1 and 0.2: `register` for `bind`, with the behavior as a label.
extension Container {
  /// Binds a transient service.
  public func register<T>(_ service: T.Type, factory: @escaping ContainerFactory<T>) {
    bind(to: service, factory: factory)
  }

  /// Binds a transient service, whose factory needs no container.
  public func register<T>(_ service: T.Type, factory: @escaping Factory<T>) {
    bind(to: service, value: factory())
  }

  /// Binds a singleton.
  public func register<S>(
    singleton: S.Type, identifier: AnyHashable? = nil, factory: @escaping ContainerFactory<S>
  ) { bind(.singleton, to: singleton, id: identifier, factory: factory) }

  /// Binds a transient service to the type that the factory returns.
  public func register<T>(_ transient: @escaping ContainerFactory<T>) { bind(factory: transient) }

  /// Binds a singleton to the type that the factory returns.
  @_disfavoredOverload  // A trailing closure is a transient service.
  public func register<S>(singleton: @escaping ContainerFactory<S>) {
    bind(.singleton, factory: singleton)
  }

  /// Binds an expression, which every resolve evaluates, to the expression's type.
  @_disfavoredOverload
  public func register<T>(_ transient: @escaping @autoclosure Factory<T>) {
    bind(value: transient())
  }

  /// Binds an expression, which the first resolve evaluates, to the expression's type.
  @_disfavoredOverload
  public func register<S>(
    singleton: @escaping @autoclosure Factory<S>, identifier: AnyHashable? = nil
  ) { bind(.singleton, id: identifier, value: singleton()) }

  /// Works like `bind(_:to:id:value:)`.
  public func register<T>(
    _ behavior: ResolveBehavior = .transient, to type: T.Type = T.self, id: AnyHashable? = nil,
    value: @escaping @autoclosure Factory<T>
  ) { bind(behavior, to: type, id: id, value: value()) }

  // MARK: - In main

  /// Binds a transient service in ``main``.
  public static func register<T>(_ service: T.Type, factory: @escaping ContainerFactory<T>) {
    main.bind(to: service, factory: factory)
  }

  /// Binds a transient service, whose factory needs no container, in ``main``.
  public static func register<T>(_ service: T.Type, factory: @escaping Factory<T>) {
    main.bind(to: service, value: factory())
  }

  /// Binds a singleton in ``main``.
  public static func register<S>(
    singleton: S.Type, identifier: AnyHashable? = nil, factory: @escaping ContainerFactory<S>
  ) { main.bind(.singleton, to: singleton, id: identifier, factory: factory) }

  /// Binds an expression, which every resolve evaluates, to the expression's type in ``main``.
  @_disfavoredOverload
  public static func register<T>(_ transient: @escaping @autoclosure Factory<T>) {
    main.bind(value: transient())
  }

  /// Binds an expression, which the first resolve evaluates, to the expression's type in ``main``.
  @_disfavoredOverload
  public static func register<S>(
    singleton: @escaping @autoclosure Factory<S>, identifier: AnyHashable? = nil
  ) { main.bind(.singleton, id: identifier, value: singleton()) }
}
