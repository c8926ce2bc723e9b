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
  ///   - name: distinguishes registrations of the same type.
  ///   - scope: which resolves share the instances; the container's ``defaultScope`` when left out.
  ///   - onDuplicate: what is done if the key is registered already; the container's ``Container/duplicates`` when left
  ///     out.
  ///   - hooks: actions and the like, which each instance has from the first on; see ``Hooks``.
  ///   - file: the file that messages name; the caller's when left out.
  ///   - line: the line that messages name; the caller's when left out.
  ///   - factory: builds an instance. It may resolve and register, and may throw.
  /// - Returns: the registration, for modifiers such as ``Registration/implements(_:)``.
  /// - Throws: ``RegistrationError``.
  /// - Complexity: O(1) amortised.
  ///
  /// Takes the container's writer lock.
  @discardableResult
  public func registerAsync<Product>(
    _ product: Product.Type, name: Name? = nil, scope: Scope<Product>? = nil,
    onDuplicate: DuplicatePolicy? = nil, with hooks: Hooks<Product>? = nil,
    file: StaticString = #fileID, line: UInt = #line,
    factory: @escaping @Sendable (Resolver) async throws -> sending Product
  ) throws -> Registration<Product> {
    let attributes = attributes(
      RegistrationKey(product: product, name: name), scope: scope?.erased,
      onDuplicate,
      with: hooks?.changes, at: SourceLocation(file: file, line: line))
    let record = AsyncFactoryRecord(attributes, hashing: nil) { resolver, _ in
      try await factory(resolver)
    }
    return try register(attributes, record)
  }
}
