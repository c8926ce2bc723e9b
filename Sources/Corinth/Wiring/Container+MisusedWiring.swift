// SPDX-License-Identifier: MIT

/// Initialisers that `register` cannot take: the compiler says what to write instead.
extension Container {
  /// Says that an asynchronous initialiser is registered with `registerAsync`.
  @_documentation(visibility: internal)
  @available(
    *, unavailable,
    message: "an asynchronous initialiser is registered with registerAsync(_:using:)"
  )
  @_disfavoredOverload
  @discardableResult
  public func register<Product, each Parameter>(
    _ product: Product.Type, name: Name? = nil, scope: Scope<Product>? = nil,
    overridable: Bool = true, with hooks: Hooks<Product>? = nil,
    using initialiser: @escaping @Sendable (repeat each Parameter) async throws -> Product,
    file: StaticString = #fileID, line: UInt = #line
  ) throws -> Registration<Product> {
    preconditionFailure(
      "Container.register: an asynchronous initialiser is registered with registerAsync(_:using:)")
  }
}
