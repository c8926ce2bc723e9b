// SPDX-License-Identifier: MIT

extension Container {
  /// Serves the instances of a type under another type too.
  ///
  /// ```swift
  /// try container.register(SQLite.self, scope: .singleton) { _ in SQLite() }
  /// try container.forward((any Database).self, to: SQLite.self)
  /// try container.forward((any Shape).self, to: Circle.self, arguments: Double.self)
  /// ```
  ///
  /// Every resolve looks up the target type, in the asked container: both types always give the
  /// same instance, also after an override, and for asynchronous registrations.
  ///
  /// - Parameters:
  ///   - product: the type to resolve by.
  ///   - name: the name to resolve by.
  ///   - target: the type to resolve instead; the instances must be of the type `product`.
  ///   - targetName: the name to resolve instead.
  ///   - arguments: the types of the arguments of both keys, if the factory takes arguments.
  ///   - onDuplicate: the treatment of a key that is registered already; the container's
  ///     ``duplicates`` when left out.
  ///   - file: the file that messages name; the caller's when left out.
  ///   - line: the line that messages name; the caller's when left out.
  /// - Throws: ``RegistrationError/alreadyRegistered(key:existing:refused:policy:)``,
  ///   ``RegistrationError/doesNotImplement(key:target:location:)``.
  /// - Complexity: O(1) amortized.
  ///
  /// Takes the container's writer lock.
  public func forward<Product, Target, each Argument>(
    _ product: Product.Type, name: Name? = nil, to target: Target.Type,
    targetName: Name? = nil, arguments: repeat (each Argument).Type,
    onDuplicate: DuplicatePolicy? = nil, file: StaticString = #fileID, line: UInt = #line
  ) throws {
    try forward(
      product, RegistrationKey(product, name: name, arguments: repeat each arguments),
      to: RegistrationKey(target, name: targetName, arguments: repeat each arguments),
      onDuplicate, at: SourceLocation(file: file, line: line))
  }

  func forward<Product>(
    _ product: Product.Type, _ key: RegistrationKey, to target: RegistrationKey,
    _ onDuplicate: DuplicatePolicy?, at location: SourceLocation
  ) throws {
    let attributes = attributes(
      key, scope: .transient, onDuplicate, at: location)
    let _: Registration<Product> = try register(ForwardRecord<Product>(attributes, to: target))
  }
}
