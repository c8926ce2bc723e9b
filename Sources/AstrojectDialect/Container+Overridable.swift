// SPDX-License-Identifier: MIT

extension Container {
  /// Registers a factory, and decides whether later registrations may override the factory.
  ///
  /// ```swift
  /// try container.register(Int.self, overridable: false) { _ in 42 }
  /// ```
  ///
  /// A registration that is not overridable refuses to override, and to be overridden. For a
  /// factory with arguments, say `onDuplicate: .refuse`.
  ///
  /// - Throws: `RegistrationError.alreadyRegistered`.
  ///
  /// Takes the container's writer lock.
  @discardableResult
  public func register<Product>(
    _ product: Product.Type, name: Name? = nil, overridable: Bool, file: StaticString = #fileID,
    line: UInt = #line, factory: @escaping @Sendable (Resolver) throws -> Product
  ) throws -> Registration<Product> {
    try register(
      product, name: name, onDuplicate: policy(overridable: overridable), file: file, line: line,
      factory: factory)
  }

  /// Registers an asynchronous factory, and decides whether later registrations may override the
  /// factory.
  ///
  /// - Throws: `RegistrationError.alreadyRegistered`.
  ///
  /// Takes the container's writer lock.
  @discardableResult
  public func registerAsync<Product>(
    _ product: Product.Type, name: Name? = nil, overridable: Bool, file: StaticString = #fileID,
    line: UInt = #line, factory: @escaping @Sendable (Resolver) async throws -> sending Product
  ) throws -> Registration<Product> {
    try registerAsync(
      product, name: name, onDuplicate: policy(overridable: overridable), file: file, line: line,
      factory: factory)
  }

  /// The policy of the container, said once more if the policy is to override: Corinth then does
  /// not take a second registration for a mistake.
  private func policy(overridable: Bool) -> DuplicatePolicy? {
    if !overridable { return .refuse }
    return duplicates == .override ? .override : nil
  }
}
