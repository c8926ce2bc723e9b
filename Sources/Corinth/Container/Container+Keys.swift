// SPDX-License-Identifier: MIT

extension Container {
  /// Removes a registration and the stored instances.
  ///
  /// The key itself stays known: a container grows with the number of different keys ever
  /// registered.
  ///
  /// ```swift
  /// container.unregister(Cache.self)
  /// container.unregister(User.self, arguments: Int.self, Role.self)
  /// ```
  ///
  /// The types of the arguments name a registration whose factory takes arguments.
  ///
  /// - Returns: whether a registration was present.
  /// - Complexity: O(1).
  ///
  /// Takes the container's writer lock.
  @discardableResult
  public func unregister<Product, each Argument>(
    _ product: Product.Type, name: Name? = nil, arguments: repeat (each Argument).Type
  ) -> Bool {
    registry.unregister(RegistrationKey(product, name: name, arguments: repeat each arguments))
  }

  /// Whether a registration exists under a type and, if given, a name and types of arguments, here
  /// or in a parent.
  ///
  /// ```swift
  /// if container.contains(Database.self, name: "mysql") { ... }
  /// ```
  ///
  /// - Complexity: O(1).
  ///
  /// Wait-free, save while the registry grows.
  public func contains<Product, each Argument>(
    _ product: Product.Type, name: Name? = nil, arguments: repeat (each Argument).Type
  ) -> Bool {
    registry.contains(RegistrationKey(product, name: name, arguments: repeat each arguments))
  }

  /// Whether a registration without arguments exists under a type known only at run time: for the
  /// compatibility modules.
  package func contains(type: any Any.Type, name: Name?) -> Bool {
    registry.registeredSlot(of: type, name: name) != nil
  }
}
