// SPDX-License-Identifier: MIT

public import Corinth
public import DialectSupport

extension Container {
  /// Binds a factory to a type and, if given, an id. A new binding replaces an earlier binding,
  /// with the earlier singleton.
  ///
  /// - Parameters:
  ///   - behavior: how often the factory runs.
  ///   - type: the type to resolve by.
  ///   - id: distinguishes services of equal type; `nil` means no id.
  ///   - file: the file that messages name; by default the caller's file.
  ///   - line: the line that messages name; by default the caller's line.
  ///   - factory: gets the container of the binding, also when a child resolves.
  @inlinable
  public func bind<T>(
    _ behavior: ResolveBehavior = .transient, to type: T.Type = T.self, id: AnyHashable? = nil,
    file: StaticString = #fileID, line: UInt = #line, factory: @escaping ContainerFactory<T>
  ) {
    // A container owns the factories, and exists while a factory runs: `withExtendedLifetime` in
    // `find`.
    let factory = UncheckedSendable(factory)
    add(behavior, type, id, file, line) { [unowned self] _ in factory.value(self) }
  }

  /// Binds an expression to a type and, if given, an id. Every resolve evaluates the expression;
  /// for a singleton, the first resolve.
  @inlinable
  public func bind<T>(
    _ behavior: ResolveBehavior = .transient, to type: T.Type = T.self, id: AnyHashable? = nil,
    file: StaticString = #fileID, line: UInt = #line, value: @escaping @autoclosure Factory<T>
  ) {
    let value = UncheckedSendable(value)
    add(behavior, type, id, file, line) { _ in value.value() }
  }

  /// Binds a transient service like `bind(_:to:id:factory:)`.
  @inlinable
  public func bind<T>(
    _ type: T.Type, id: AnyHashable? = nil, file: StaticString = #fileID, line: UInt = #line,
    factory: @escaping ContainerFactory<T>
  ) { bind(to: type, id: id, file: file, line: line, factory: factory) }

  /// Binds a transient service like `bind(_:to:id:value:)`.
  @inlinable
  public func bind<T>(
    _ type: T.Type, id: AnyHashable? = nil, file: StaticString = #fileID, line: UInt = #line,
    value: @escaping @autoclosure Factory<T>
  ) { bind(to: type, id: id, file: file, line: line, value: value()) }

  /// Removes the binding of a type and id in this container, with the singleton.
  public func unbind<T>(type: T.Type = T.self, id: AnyHashable? = nil) {
    core.unregister(type, name: id.map { Name($0) })
  }

  @inlinable @inline(__always)
  func add<T>(
    _ behavior: ResolveBehavior, _ type: T.Type, _ id: AnyHashable?, _ file: StaticString,
    _ line: UInt, _ factory: @escaping @Sendable (Resolver) -> T
  ) {
    let scope: Scope<T> = behavior == .singleton ? .unchecked(.singleton) : .transient
    orEndProgram {
      try core.register(
        type, name: id.map { Name($0) }, scope: scope, file: file, line: line, factory: factory)
    }
  }
}
