// SPDX-License-Identifier: MIT

public import Corinth
public import DialectSupport

extension Container {
  /// Binds a factory to a type and, if given, an id. It replaces an earlier binding, and a singleton of that.
  ///
  /// - Parameters:
  ///   - behavior: how often the factory runs.
  ///   - type: the type to resolve by.
  ///   - id: distinguishes services of one type; `nil` is the same as none.
  ///   - file: the file that messages name; the caller's when left out.
  ///   - line: the line that messages name; the caller's when left out.
  ///   - factory: gets the container that it is bound in, also when a child is asked.
  @inlinable
  public func bind<T>(
    _ behavior: ResolveBehavior = .transient, to type: T.Type = T.self, id: AnyHashable? = nil,
    file: StaticString = #fileID, line: UInt = #line, factory: @escaping ContainerFactory<T>
  ) {
    // A container owns its factories. It is there while one runs: `withExtendedLifetime` in `find`.
    let factory = UncheckedSendable(factory)
    add(behavior, type, id, file, line) { [unowned self] _ in factory.value(self) }
  }

  /// Binds an expression to a type and, if given, an id. Each resolve evaluates it, or the first one of a singleton.
  @inlinable
  public func bind<T>(
    _ behavior: ResolveBehavior = .transient, to type: T.Type = T.self, id: AnyHashable? = nil,
    file: StaticString = #fileID, line: UInt = #line, value: @escaping @autoclosure Factory<T>
  ) {
    let value = UncheckedSendable(value)
    add(behavior, type, id, file, line) { _ in value.value() }
  }

  /// `bind(_:to:id:factory:)` of a transient service.
  @inlinable
  public func bind<T>(
    _ type: T.Type, id: AnyHashable? = nil, file: StaticString = #fileID, line: UInt = #line,
    factory: @escaping ContainerFactory<T>
  ) { bind(to: type, id: id, file: file, line: line, factory: factory) }

  /// `bind(_:to:id:value:)` of a transient service.
  @inlinable
  public func bind<T>(
    _ type: T.Type, id: AnyHashable? = nil, file: StaticString = #fileID, line: UInt = #line,
    value: @escaping @autoclosure Factory<T>
  ) { bind(to: type, id: id, file: file, line: line, value: value()) }

  /// Removes the binding of a type and id in this container, and a singleton of it.
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
