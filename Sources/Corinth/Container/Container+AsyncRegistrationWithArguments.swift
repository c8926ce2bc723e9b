// SPDX-License-Identifier: MIT

/// Overloads for asynchronous factories; see Container+RegistrationWithArguments.swift.
extension Container {
  /// Registers an asynchronous factory that takes arguments, like a synchronous factory: up to
  /// four.
  ///
  /// ```swift
  /// try container.registerAsync(User.self) { (resolver, id: Int) in
  ///   try await resolver.resolveAsync(Users.self).load(id)
  /// }
  /// let user = try await container.resolveAsync(User.self, arguments: 7)
  /// ```
  ///
  /// - Throws: ``RegistrationError``.
  /// - Complexity: O(1) amortized.
  ///
  /// Takes the container's writer lock.
  @discardableResult
  public func registerAsync<Product, A1>(
    _ product: Product.Type, name: Name? = nil, scope: Scope<Product>? = nil,
    onDuplicate: DuplicatePolicy? = nil, with options: RegistrationOptions<Product>? = nil,
    file: StaticString = #fileID, line: UInt = #line,
    factory: @escaping @Sendable (Resolver, A1) async throws -> sending Product
  ) throws -> Registration<Product> {
    try registerAsync(
      product, name, scope, onDuplicate, options, file, line,
      hashing: ArgumentList.hashing(A1.self),
      taking: ArgumentList.spread(factory))
  }

  @_documentation(visibility: internal) @discardableResult
  public func registerAsync<Product, A1, A2>(
    _ product: Product.Type, name: Name? = nil, scope: Scope<Product>? = nil,
    onDuplicate: DuplicatePolicy? = nil, with options: RegistrationOptions<Product>? = nil,
    file: StaticString = #fileID, line: UInt = #line,
    factory: @escaping @Sendable (Resolver, A1, A2) async throws -> sending Product
  ) throws -> Registration<Product> {
    try registerAsync(
      product, name, scope, onDuplicate, options, file, line,
      hashing: ArgumentList.hashing(A1.self, A2.self), taking: ArgumentList.spread(factory))
  }

  @_documentation(visibility: internal) @discardableResult
  public func registerAsync<Product, A1, A2, A3>(
    _ product: Product.Type, name: Name? = nil, scope: Scope<Product>? = nil,
    onDuplicate: DuplicatePolicy? = nil, with options: RegistrationOptions<Product>? = nil,
    file: StaticString = #fileID, line: UInt = #line,
    factory: @escaping @Sendable (Resolver, A1, A2, A3) async throws -> sending Product
  ) throws -> Registration<Product> {
    try registerAsync(
      product, name, scope, onDuplicate, options, file, line,
      hashing: ArgumentList.hashing(A1.self, A2.self, A3.self),
      taking: ArgumentList.spread(factory))
  }

  @_documentation(visibility: internal) @discardableResult
  public func registerAsync<Product, A1, A2, A3, A4>(
    _ product: Product.Type, name: Name? = nil, scope: Scope<Product>? = nil,
    onDuplicate: DuplicatePolicy? = nil, with options: RegistrationOptions<Product>? = nil,
    file: StaticString = #fileID, line: UInt = #line,
    factory: @escaping @Sendable (Resolver, A1, A2, A3, A4) async throws -> sending Product
  ) throws -> Registration<Product> {
    try registerAsync(
      product, name, scope, onDuplicate, options, file, line,
      hashing: ArgumentList.hashing(A1.self, A2.self, A3.self, A4.self),
      taking: ArgumentList.spread(factory))
  }

  /// Registers an asynchronous factory that takes the arguments as a single value.
  func registerAsync<Product, Arguments>(
    _ product: Product.Type, _ name: Name?, _ scope: Scope<Product>?,
    _ onDuplicate: DuplicatePolicy?,
    _ options: RegistrationOptions<Product>?, _ file: StaticString, _ line: UInt,
    hashing: ArgumentHashing?,
    taking factory: @escaping @Sendable (Resolver, Arguments) async throws -> sending Product
  ) throws -> Registration<Product> {
    let attributes = attributes(
      RegistrationKey(product: product, name: name, arguments: Arguments.self),
      scope: scope?.erased,
      onDuplicate, taking: .arguments(hashing), with: options?.changes,
      at: SourceLocation(file: file, line: line))
    return try register(AsyncFactoryRecord(attributes, taking: factory))
  }
}
