// SPDX-License-Identifier: MIT

/// A registration that was made, to be modified.
///
/// ```swift
/// try container.register(Cache.self) { _ in Cache() }.asSingleton()
/// ```
///
/// A modifier publishes the changed registration in one step: a resolve beside it sees the one before
/// or the one after. It starts without an instance. Modifying a registration that has been overridden
/// or removed meanwhile does nothing.
///
/// ## Concurrency
/// Safe to use from any thread. Each modifier takes the container's writer lock.
public struct Registration<Product>: Sendable {
  /// The container that it was made in.
  public let container: Container
  /// What it is registered under.
  public let key: RegistrationKey
  /// Where it was made.
  public let location: SourceLocation

  private let serial: UInt64

  init(container: Container, _ attributes: RegistrationAttributes) {
    self.container = container
    key = attributes.key
    location = attributes.location
    serial = attributes.serial
  }

  /// Builds a new instance for each resolve, as ``Scope/transient`` does.
  ///
  /// Takes the container's writer lock.
  @discardableResult
  public func asPrototype() -> Self {
    change(to: .prototype)
    return self
  }

  /// Shares one instance, built once by the first resolve: ``Scope/singleton``.
  ///
  /// - Throws: ``RegistrationError/scopeRefusesArguments(key:scope:location:)``.
  ///
  /// Takes the container's writer lock.
  @discardableResult
  public func asSingleton() throws(RegistrationError) -> Self {
    try self.as(.singleton)
  }

  /// Shares an instance for as long as somebody else keeps it alive: ``Scope/weak``.
  ///
  /// - Throws: ``RegistrationError/weakRequiresClass(key:location:)``,
  ///   ``RegistrationError/scopeRefusesArguments(key:scope:location:)``.
  ///
  /// Takes the container's writer lock.
  @discardableResult
  public func asWeak() throws(RegistrationError) -> Self {
    try self.as(.weak)
  }

  /// Has ``Container/warmUp()`` build the instance, instead of the first resolve.
  ///
  /// ```swift
  /// try container.register(Database.self) { _ in try Database.open() }.asSingleton().eager()
  /// ```
  ///
  /// - Throws: ``RegistrationError/eagerRequiresSingleton(key:location:)``.
  ///
  /// Takes the container's writer lock.
  @discardableResult
  public func eager() throws(RegistrationError) -> Self {
    var isRefused = false
    container.registry.modify(key, serial: serial) { attributes in
      isRefused = attributes.scope != .singleton
      attributes.isEager = true
      return !isRefused
    }
    if isRefused { throw .eagerRequiresSingleton(key: key, location: location) }
    return self
  }

  private func `as`(_ scope: Scope) throws(RegistrationError) -> Self {
    try scope.check(for: key, at: location)
    change(to: scope)
    return self
  }

  private func change(to scope: Scope) {
    container.registry.modify(key, serial: serial) { attributes in
      attributes.scope = scope
      attributes.isEager = attributes.isEager && scope == .singleton
      return true
    }
  }
}

extension Scope {
  /// Refuses the scope for keys that it cannot serve.
  func check(
    for key: RegistrationKey, at location: SourceLocation
  ) throws(RegistrationError) {
    if kind == .transient { return }
    if key.arguments != nil {
      throw .scopeRefusesArguments(key: key, scope: self, location: location)
    }
    if kind == .weak, TypeKind(of: key.product) != .possiblyReference {
      throw .weakRequiresClass(key: key, location: location)
    }
  }
}
