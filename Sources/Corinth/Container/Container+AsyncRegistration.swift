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
  /// A shared instance is built in a task of its own, once for all waiters. The task has the
  /// task-local values of the caller that started it, and the priority of the most urgent waiter. A
  /// cancelled waiter leaves; when all have left, the task is cancelled. The factory may be
  /// isolated to an actor: `{ @MainActor resolver in ... }`.
  ///
  /// The parameters work as for a synchronous factory; registrations of both kinds override each
  /// other.
  ///
  /// - Throws: ``RegistrationError``.
  /// - Complexity: O(1) amortized.
  ///
  /// Takes the container's writer lock.
  @discardableResult
  public func registerAsync<Product>(
    _ product: Product.Type, name: Name? = nil, scope: Scope<Product>? = nil,
    onDuplicate: DuplicatePolicy? = nil, with options: RegistrationOptions<Product>? = nil,
    file: StaticString = #fileID, line: UInt = #line,
    factory: @escaping @Sendable (Resolver) async throws -> sending Product
  ) throws -> Registration<Product> {
    let attributes = attributes(
      RegistrationKey(product: product, name: name), scope: scope?.erased, onDuplicate,
      with: options?.changes, at: SourceLocation(file: file, line: line))
    return try register(AsyncFactoryRecord(attributes, factory: factory))
  }
}
