// SPDX-License-Identifier: MIT

/// Initializers that cannot be wired: the compiler's message names the form to write instead. Any
/// function converts to a function of a pack that is asynchronous, so the compiler takes these
/// overloads when no other overload can be taken. Without the overloads the compiler crashes.
extension Container {
  @_documentation(visibility: internal)
  @available(
    *, unavailable,
    message:
      "an initializer that is asynchronous is wired by wireAsync; one that is variadic, has an inout parameter or more than twelve parameters is not wired: register a closure that calls it"
  )
  @discardableResult
  public func wire<Product, each Parameter>(
    _ product: Product.Type, name: Name? = nil, arguments: any Any.Type...,
    scope: Scope<Product>? = nil,
    onDuplicate: DuplicatePolicy? = nil, with options: RegistrationOptions<Product>? = nil,
    using initializer:
      @autoclosure () -> (
        @Sendable (repeat each Parameter) async throws -> Product
      ),
    file: StaticString = #fileID, line: UInt = #line
  ) throws -> Registration<Product> { neverWired() }

  @_documentation(visibility: internal)
  @available(
    *, unavailable,
    message:
      "an initializer that is variadic, has an inout parameter or more than twelve parameters is not wired: registerAsync a closure that calls it"
  )
  @discardableResult
  public func wireAsync<Product, each Parameter>(
    _ product: Product.Type, name: Name? = nil, arguments: any Sendable.Type...,
    scope: Scope<Product>? = nil,
    onDuplicate: DuplicatePolicy? = nil, with options: RegistrationOptions<Product>? = nil,
    using initializer:
      @autoclosure () -> (
        @Sendable (repeat each Parameter) async throws -> Product
      ),
    file: StaticString = #fileID, line: UInt = #line
  ) throws -> Registration<Product> { neverWired() }

  private func neverWired() -> Never {
    preconditionFailure("Container.wire: an initializer that is not available must not be wired")
  }
}
