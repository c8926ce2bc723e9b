// SPDX-License-Identifier: MIT

extension Container {
  /// Registers an asynchronous factory under a type and, if given, a name.
  ///
  /// ```swift
  /// try container.registerAsync(
  ///   Pool.self, scope: .singleton, with: .onDispose { await $0.close() }
  /// ) { resolver in
  ///   try await Pool.connect(try await resolver.resolveAsync(Config.self))
  /// }
  /// ```
  ///
  /// A shared instance is built in a task of its own, once for all waiters. The task has the task-local values of
  /// the caller that started it, and the priority of the most urgent waiter. A cancelled waiter leaves; when all have
  /// left, the task is cancelled. The factory may be isolated to an actor: `{ @MainActor resolver in ... }`.
  ///
  /// A synchronous and an asynchronous registration of the same key override each other.
  ///
  /// - Parameters:
  ///   - product: the type to resolve by.
  ///   - name: tells registrations of the same type apart.
  ///   - scope: which resolves share the instances; the container's ``defaultScope`` when left out.
  ///   - overridable: `false` refuses to override, and to be overridden.
  ///   - hooks: actions and the like, which each instance has from the first on; see ``Hooks``.
  ///   - file: the file that messages name; the caller's when left out.
  ///   - line: the line that messages name; the caller's when left out.
  ///   - factory: builds an instance. It may resolve and register, and may throw.
  /// - Returns: the registration, for modifiers such as ``Registration/asSingleton()``.
  /// - Throws: ``RegistrationError``.
  /// - Complexity: O(1) amortised.
  ///
  /// Takes the container's writer lock.
  @discardableResult
  public func registerAsync<Product>(
    _ product: Product.Type, name: Name? = nil, scope: Scope<Product>? = nil,
    overridable: Bool = true, with hooks: Hooks<Product>? = nil,
    file: StaticString = #fileID, line: UInt = #line,
    factory: @escaping @Sendable (Resolver) async throws -> sending Product
  ) throws -> Registration<Product> {
    let attributes = attributes(
      RegistrationKey(product: product, name: name), scope: scope, isOverridable: overridable,
      with: hooks, at: SourceLocation(file: file, line: line))
    let record = AsyncFactoryRecord(attributes, hashing: nil) { resolver, _ in
      try await factory(resolver)
    }
    return try register(attributes, record)
  }

  /// Registers an asynchronous factory that takes arguments.
  ///
  /// ```swift
  /// try container.registerAsync(User.self) { (resolver, id: Int) in
  ///   try await resolver.resolveAsync(Users.self).load(id)
  /// }
  /// let user = try await container.resolveAsync(User.self, arguments: 7)
  /// ```
  ///
  /// - Parameters:
  ///   - product: the type to resolve by.
  ///   - name: tells registrations of the same type apart.
  ///   - scope: which resolves share the instances; a shared scope stores one for each value of the arguments.
  ///   - overridable: `false` refuses to override, and to be overridden.
  ///   - hooks: actions and the like, which each instance has from the first on; see ``Hooks``.
  ///   - file: the file that messages name; the caller's when left out.
  ///   - line: the line that messages name; the caller's when left out.
  ///   - factory: builds an instance from a resolver and one argument or more.
  /// - Returns: the registration.
  /// - Throws: ``RegistrationError``.
  /// - Complexity: O(1) amortised.
  ///
  /// Takes the container's writer lock.
  @discardableResult
  public func registerAsync<Product, First, each Rest>(
    _ product: Product.Type, name: Name? = nil, scope: Scope<Product> = .transient,
    overridable: Bool = true, with hooks: Hooks<Product>? = nil,
    file: StaticString = #fileID, line: UInt = #line,
    factory:
      @escaping @Sendable (Resolver, First, repeat each Rest) async throws -> sending Product
  ) throws -> Registration<Product> {
    let key = RegistrationKey(
      product: product, name: name, arguments: (First, repeat each Rest).self)
    return try registerAsync(
      key, scope: scope, isOverridable: overridable, with: hooks,
      at: SourceLocation(file: file, line: line),
      hashing: ArgumentList.hashing(First.self, repeat (each Rest).self),
      taking: ArgumentList.spread(factory))
  }

  /// Registers an asynchronous factory that takes its arguments as one value.
  ///
  /// - Parameter change: completes the attributes.
  func registerAsync<Product, Arguments>(
    _ key: RegistrationKey, scope: Scope<Product>, isOverridable: Bool,
    with hooks: Hooks<Product>?, at location: SourceLocation,
    hashing: (@Sendable (Arguments) -> ArgumentValues)?,
    taking factory: @escaping @Sendable (Resolver, Arguments) async throws -> sending Product,
    changing change: (inout RegistrationAttributes) throws(RegistrationError) -> Void = { _ in }
  ) throws -> Registration<Product> {
    var attributes = attributes(
      key, scope: scope, isOverridable: isOverridable, hasHashableArguments: hashing != nil,
      with: hooks, at: location)
    try change(&attributes)
    return try register(
      attributes, Self.asyncRecord(attributes, hashing: hashing, taking: factory))
  }

  static func asyncRecord<Product, Arguments>(
    _ attributes: RegistrationAttributes, hashing: (@Sendable (Arguments) -> ArgumentValues)?,
    taking factory: @escaping @Sendable (Resolver, Arguments) async throws -> sending Product
  ) -> AsyncFactoryRecord<Product> {
    var erasedHashing: AsyncFactoryRecord<Product>.Hashing?
    if let hashing { erasedHashing = { hashing($0.arguments(of: Arguments.self)) } }
    let erasedFactory: AsyncFactoryRecord<Product>.Factory = { resolver, arguments in
      guard let arguments else {
        preconditionFailure("Container.registerAsync: the key must have arguments")
      }
      return try await factory(resolver, arguments.arguments(of: Arguments.self))
    }
    return AsyncFactoryRecord(attributes, hashing: erasedHashing, factory: erasedFactory)
  }
}
