// SPDX-License-Identifier: MIT

/// Operations that do not depend on the container being frozen.
extension FrozenContainer {
  /// Resolves an instance if its type is registered: ``Container/resolveIfRegistered(_:name:)-(_,Name?)``.
  @inlinable
  public func resolveIfRegistered<Product>(
    _ product: Product.Type = Product.self, name: Name? = nil
  ) throws -> Product? {
    try registry.resolveIfRegistered(product, name: name, within: nil)
  }

  /// Resolves an instance if its type is registered, asynchronously too:
  /// ``Container/resolveAsyncIfRegistered(_:name:)``.
  nonisolated(nonsending)
    public func resolveAsyncIfRegistered<Product>(
      _ product: Product.Type = Product.self, name: Name? = nil
    ) async throws -> Product?
  {
    try await container.resolveAsyncIfRegistered(product, name: name)
  }

  /// Resolves an instance of each registration of a type: ``Container/resolveAll(_:)``.
  public func resolveAll<Product>(_ product: Product.Type = Product.self) throws -> [Product] {
    try container.resolveAll(product)
  }

  /// Looks a key up, for many resolves: ``Container/provider(for:name:)``.
  public func provider<Product>(
    for product: Product.Type, name: Name? = nil
  ) throws -> Provider<Product> {
    try container.provider(for: product, name: name)
  }

  /// Whether a registration exists under a type and, if given, a name.
  public func contains<Product>(_ product: Product.Type, name: Name? = nil) -> Bool {
    container.contains(product, name: name)
  }

  /// The registrations, in the order in which they were made: ``Container/registrations``.
  public var registrations: [ListedRegistration] { container.registrations }

  // MARK: - Scopes, children, forks

  /// Makes a request scope: ``Container/makeScope(file:line:)``.
  public func makeScope(file: StaticString = #fileID, line: UInt = #line) -> Container {
    container.makeScope(file: file, line: line)
  }

  /// Runs `body` with a request scope, and closes it: ``Container/withScope(timeLimit:_:)``.
  nonisolated(nonsending)
    public func withScope<Result>(
      timeLimit: Duration? = nil,
      _ body: nonisolated(nonsending) (Container) async throws -> Result
    ) async throws -> Result
  {
    try await container.withScope(timeLimit: timeLimit, body)
  }

  /// Runs `body` with a request scope, and closes it: ``Container/syncWithScope(_:)``.
  public func syncWithScope<Result>(_ body: (Container) throws -> Result) throws -> Result {
    try container.syncWithScope(body)
  }

  /// Makes a request scope with the inputs of its request: ``Container/makeScope(providing:file:line:)``.
  @inlinable
  public func makeScope<each Input: Sendable>(
    providing inputs: repeat each Input, file: StaticString = #fileID,
    line: UInt = #line
  ) -> Container {
    container.makeScope(providing: repeat each inputs, file: file, line: line)
  }

  /// Runs `body` with a request scope that has inputs, and closes it:
  /// ``Container/withScope(providing:timeLimit:file:line:do:)``.
  @_disfavoredOverload
  @inlinable
  nonisolated(nonsending)
    public func withScope<each Input: Sendable, Result>(
      providing inputs: repeat each Input, timeLimit: Duration? = nil,
      file: StaticString = #fileID, line: UInt = #line,
      do body: nonisolated(nonsending) (Container) async throws -> Result
    ) async throws -> Result
  {
    try await container.withScope(
      providing: repeat each inputs, timeLimit: timeLimit, file: file, line: line, do: body)
  }

  /// Runs `body` with a request scope that has inputs, and closes it:
  /// ``Container/syncWithScope(providing:file:line:do:)``.
  @_disfavoredOverload
  @inlinable
  public func syncWithScope<each Input: Sendable, Result>(
    providing inputs: repeat each Input, file: StaticString = #fileID,
    line: UInt = #line, do body: (Container) throws -> Result
  ) throws -> Result {
    try container.syncWithScope(
      providing: repeat each inputs, file: file, line: line, do: body)
  }

  /// Makes a child, in which more can be registered: ``Container/init(parent:defaultScope:duplicates:)``.
  public func makeChild() -> Container {
    Container(parent: container)
  }

  /// Makes a copy with instances of its own, in which more can be registered: ``Container/fork(_:)``.
  public func fork(_ configure: (Container) throws -> Void = { _ in }) rethrows -> Container {
    try container.fork(configure)
  }

  // MARK: - Life

  /// Builds the eager singletons: ``Container/warmUp()``.
  nonisolated(nonsending)
    public func warmUp() async throws
  {
    try await container.warmUp()
  }

  /// Builds the eager singletons: ``Container/syncWarmUp()``.
  public func syncWarmUp() throws {
    try container.syncWarmUp()
  }

  /// Ends the container: ``Container/shutdown(draining:timeLimit:totalTimeLimit:)``. The instances stay in memory until
  /// this is deallocated.
  nonisolated(nonsending)
    public func shutdown(
      draining: Duration? = nil, timeLimit: Duration = .seconds(30), totalTimeLimit: Duration? = nil
    ) async throws
  {
    try await container.shutdown(
      draining: draining, timeLimit: timeLimit, totalTimeLimit: totalTimeLimit)
  }
}

extension FrozenContainer: CustomStringConvertible, CustomDebugStringConvertible {
  public var description: String { "Frozen \(container)" }

  public var debugDescription: String { "Frozen \(container.debugDescription)" }
}
