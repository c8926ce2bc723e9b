// SPDX-License-Identifier: MIT

extension Container {
  /// Wraps every instance of a type that is built from now on.
  ///
  /// ```swift
  /// try container.decorate((any Mailer).self) { mailer, resolver in
  ///   LoggedMailer(mailer, log: try resolver.resolve(Logger.self))
  /// }
  /// ```
  ///
  /// The decorator runs once per instance, for any scope and name, right after the factory, and in
  /// the factory's resolution. Several decorators wrap each other: the decorator added last is the
  /// outermost. An instance is decorated by the owning container and the owner's ancestors, the
  /// outermost ancestor first; see <doc:ParentsAndRequestScopes> for the owner of an instance. So a
  /// child's decorator does not reach the singletons of the parent.
  ///
  /// ``validate(roots:inputs:strictly:)`` reports a decorator of a type without registrations.
  ///
  /// A type that is forwarded to a weak registration is decorated at every resolve.
  ///
  /// The registration's own `afterInit` and `onDispose` actions get the instance that the factory
  /// built.
  ///
  /// Registrations of the type in this container start again without an instance, as after a
  /// modifier: decorate before the first resolve. If descendants of this container have
  /// registrations of their own, transients of the whole container tree take longer from then on.
  ///
  /// The decorator returns the instance that resolves get instead. An error of the decorator fails
  /// the resolve.
  ///
  /// - Returns: a token that removes the decorator.
  /// - Throws: ``RegistrationError/containerClosed(key:location:)``,
  ///   ``RegistrationError/containerFrozen(key:location:)``.
  /// - Complexity: O(*n*) in the number of keys ever registered, here and in the ancestors.
  ///
  /// Takes the writer locks of this container and its ancestors, in sequence.
  @discardableResult
  public func decorate<Product>(
    _ product: Product.Type, file: StaticString = #fileID, line: UInt = #line,
    with decorator: @escaping @Sendable (Product, Resolver) throws -> Product
  ) throws -> Decoration {
    try decorate(
      product, only: nil, at: SourceLocation(file: file, line: line), with: decorator)
  }

  /// - Parameter key: the only key whose instances are wrapped; `nil` for all keys of the product.
  func decorate<Product>(
    _ product: Product.Type, only key: RegistrationKey?, at location: SourceLocation,
    with decorator: @escaping @Sendable (Product, Resolver) throws -> Product
  ) throws -> Decoration {
    let erased = Decorator(of: product, only: key, at: location) { box, resolver in
      InstanceBox(try decorator(box.instance(of: Product.self), resolver))
    }
    if registry.add(erased, of: product) {
      return Decoration(registry: registry, product: product, decorator: erased)
    }
    let key = key ?? RegistrationKey(product: product)
    throw registry.isClosed
      ? RegistrationError.containerClosed(key: key, location: location)
      : RegistrationError.containerFrozen(key: key, location: location)
  }
}

/// A decorator of a container, see `Container.decorate(_:file:line:with:)`. The decorator stays
/// when this value is dropped.
///
/// ## Concurrency
/// Safe to use from any thread.
public struct Decoration: Sendable {
  // The core alone: an instance that stores the decoration does not keep the container alive.
  private let registry: ContainerCore
  private let product: any Any.Type
  private let decorator: Decorator

  init(registry: ContainerCore, product: any Any.Type, decorator: Decorator) {
    self.registry = registry
    self.product = product
    self.decorator = decorator
  }

  /// Removes the decorator. Registrations of the type in the decorating container start again
  /// without an instance.
  ///
  /// - Returns: whether the decorator was present.
  /// - Complexity: O(*n*) in the number of keys ever registered.
  ///
  /// Takes the container's writer lock.
  @discardableResult
  public func remove() -> Bool {
    registry.remove(decorator, of: product)
  }
}
