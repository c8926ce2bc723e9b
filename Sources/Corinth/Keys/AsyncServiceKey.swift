// SPDX-License-Identifier: MIT

/// A part of a program with an asynchronous default factory: ``ServiceKey`` for parts that only
/// ``Resolving/resolveAsync(_:)`` builds.
///
/// ```swift
/// enum App {
///   static let pool: AsyncServiceKey<Pool> = AsyncServiceKey(scope: .singleton) { resolver in
///     try await Pool.connect(try await resolver.resolveAsync(App.settings))
///   }
/// }
/// let pool = try await container.resolveAsync(App.pool)
/// ```
///
/// The key is declared, identified and replaced like a ``ServiceKey``. A synchronous resolve of the
/// key does not compile. The factory of a product of the main actor is isolated too:
/// `{ @MainActor _ in ... }`.
///
/// ## Concurrency
/// Immutable; safe to share.
public struct AsyncServiceKey<Product>: ServiceKeyProtocol {
  let declaration: KeyDeclaration

  public var key: RegistrationKey { declaration.key }

  /// Declares a part with an asynchronous factory.
  ///
  /// The parameters are those of ``ServiceKey/init(name:scope:with:file:line:column:factory:)``.
  public init(
    name: String? = nil, scope: Scope<Product> = .transient,
    with options: RegistrationOptions<Product>? = nil,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column,
    factory: @escaping @Sendable (Resolver) async throws -> sending Product
  ) {
    declaration = KeyDeclaration(
      of: Product.self,
      at: KeyPlace(name: name, location: SourceLocation(file: file, line: line), column: column),
      scope: scope.erased, changes: options?.changes ?? []
    ) { AsyncFactoryRecord($0, factory: factory) }
  }
}

extension AsyncServiceKey: CustomStringConvertible {
  /// For example `Pool declared at App/Keys.swift:12`.
  public var description: String { key.description }
}

extension Container {
  /// Registers an asynchronous factory under a key, in place of the key's default.
  ///
  /// ```swift
  /// try fork.registerAsync(App.pool) { _ in FakePool() }
  /// ```
  ///
  /// Works like ``register(_:scope:onDuplicate:with:file:line:factory:)``.
  ///
  /// - Throws: ``RegistrationError``.
  /// - Complexity: O(1) amortized.
  ///
  /// Takes the container's writer lock.
  @_disfavoredOverload
  @discardableResult
  public func registerAsync<Product>(
    _ key: AsyncServiceKey<Product>, scope: Scope<Product>? = nil,
    onDuplicate: DuplicatePolicy? = nil, with options: RegistrationOptions<Product>? = nil,
    file: StaticString = #fileID, line: UInt = #line,
    factory: @escaping @Sendable (Resolver) async throws -> sending Product
  ) throws -> Registration<Product> {
    let attributes = attributes(
      of: key.declaration, scope?.erased, onDuplicate, options?.changes,
      at: SourceLocation(file: file, line: line))
    return try register(AsyncFactoryRecord(attributes, factory: factory))
  }
}

extension Resolving {
  /// Resolves an instance of a declared part; waits without blocking the thread while another task
  /// builds the instance.
  ///
  /// Works like ``resolveAsync(_:name:)``.
  ///
  /// - Throws: ``ResolutionError``.
  /// - Complexity: O(1), plus the time of the factory.
  @_disfavoredOverload
  @inlinable
  nonisolated(nonsending)
    public func resolveAsync<Product>(_ key: ServiceKey<Product>) async throws -> Product
  {
    try await resolveAsync(Product.self, name: key.key.name)
  }

  /// Resolves an instance of a declared part with an asynchronous factory.
  ///
  /// Works like ``resolveAsync(_:name:)``.
  ///
  /// - Throws: ``ResolutionError``.
  /// - Complexity: O(1), plus the time of the factory.
  @_disfavoredOverload
  @inlinable
  nonisolated(nonsending)
    public func resolveAsync<Product>(_ key: AsyncServiceKey<Product>) async throws -> Product
  {
    try await resolveAsync(Product.self, name: key.key.name)
  }

  /// Looks a declared part up once, to resolve it many times.
  ///
  /// ```swift
  /// let mailer = try container.provider(for: App.mailer)
  /// try mailer().send(message)
  /// ```
  ///
  /// ``Provider/lazy`` makes a lazy value of the key.
  ///
  /// - Returns: a function that resolves the key, according to the registration at the time of a
  ///   call. For an ``AsyncServiceKey``, ``Provider/callAsync()``.
  /// - Throws: ``ResolutionError/containerClosed(_:)``.
  /// - Complexity: O(1).
  ///
  /// Wait-free, save while the registry grows and for the first use of a default.
  @_disfavoredOverload
  public func provider<Product>(
    for key: some ServiceKeyProtocol<Product>
  ) throws -> Provider<Product> {
    try provider(for: Product.self, name: key.key.name)
  }
}
