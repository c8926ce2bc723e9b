// SPDX-License-Identifier: MIT

extension Container {
  /// Removes a registration and its stored instance.
  ///
  /// The key itself stays known: a container grows with the number of different keys ever registered.
  ///
  /// ```swift
  /// container.unregister(Cache.self)
  /// ```
  ///
  /// - Parameters:
  ///   - product: the type it was registered under.
  ///   - name: the name it was registered under.
  /// - Returns: whether there was one.
  /// - Complexity: O(1).
  ///
  /// Takes the container's writer lock.
  @discardableResult
  public func unregister<Product>(_ product: Product.Type, name: Name? = nil) -> Bool {
    registry.unregister(RegistrationKey(product: product, name: name))
  }

  /// Removes a registration whose factory takes arguments.
  ///
  /// ```swift
  /// container.unregister(User.self, arguments: Int.self, Role.self)
  /// ```
  ///
  /// - Parameters:
  ///   - product: the type it was registered under.
  ///   - name: the name it was registered under.
  ///   - first: the type of the first argument.
  ///   - rest: the types of the others.
  /// - Returns: whether there was one.
  /// - Complexity: O(1).
  ///
  /// Takes the container's writer lock.
  @discardableResult
  public func unregister<Product, First, each Rest>(
    _ product: Product.Type, name: Name? = nil, arguments first: First.Type,
    _ rest: repeat (each Rest).Type
  ) -> Bool {
    registry.unregister(
      RegistrationKey(product: product, name: name, arguments: (First, repeat each Rest).self))
  }

  /// Whether a registration exists under a type and, if given, a name, here or in a parent.
  ///
  /// ```swift
  /// if container.contains(Database.self, name: "mysql") { ... }
  /// ```
  ///
  /// - Parameters:
  ///   - product: the type to look for.
  ///   - name: the name to look for.
  /// - Complexity: O(1).
  ///
  /// Wait-free, save while the registry grows.
  public func contains<Product>(_ product: Product.Type, name: Name? = nil) -> Bool {
    registry.contains(RegistrationKey(product: product, name: name))
  }

  /// Whether a factory with arguments of these types is registered, here or in a parent.
  ///
  /// ```swift
  /// if container.contains(User.self, arguments: Int.self) { ... }
  /// ```
  ///
  /// - Parameters:
  ///   - product: the type to look for.
  ///   - name: the name to look for.
  ///   - first: the type of the first argument.
  ///   - rest: the types of the others.
  /// - Complexity: O(1).
  ///
  /// Wait-free, save while the registry grows.
  public func contains<Product, First, each Rest>(
    _ product: Product.Type, name: Name? = nil, arguments first: First.Type,
    _ rest: repeat (each Rest).Type
  ) -> Bool {
    registry.contains(
      RegistrationKey(product: product, name: name, arguments: (First, repeat each Rest).self))
  }
}
