// SPDX-License-Identifier: MIT

extension Container {
  /// Serves the instances of one type under another type too.
  ///
  /// ```swift
  /// try container.register(SQLite.self, scope: .singleton) { _ in SQLite() }
  /// try container.forward((any Database).self, to: SQLite.self)
  /// try container.forward((any Shape).self, to: Circle.self, arguments: Double.self)
  /// ```
  ///
  /// Each resolve looks up the other type, in the container that was asked: both types always give the same
  /// instance, also after an override, and for asynchronous registrations.
  ///
  /// - Parameters:
  ///   - product: the type to resolve by.
  ///   - name: the name to resolve by.
  ///   - target: the type that is resolved in its place; its instances must be of the type `product`.
  ///   - targetName: the name that is resolved in its place.
  ///   - arguments: the types of the arguments of both, if their factory takes some.
  ///   - onDuplicate: what is done if the key is registered already; the container's ``duplicates`` when left out.
  ///   - file: the file that messages name; the caller's when left out.
  ///   - line: the line that messages name; the caller's when left out.
  /// - Throws: ``RegistrationError/alreadyRegistered(key:existing:refused:policy:)``,
  ///   ``RegistrationError/doesNotImplement(key:target:location:)``.
  /// - Complexity: O(1) amortised.
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
