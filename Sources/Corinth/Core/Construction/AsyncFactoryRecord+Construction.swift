// SPDX-License-Identifier: MIT

/// Transients of asynchronous factories, in the task of their caller.
extension AsyncFactoryRecord {
  /// A new product of a bare registration that nothing is put around. It gets no box.
  nonisolated(nonsending)
    func product(
      for container: ContainerCore, within context: ResolutionContext?
    ) async throws(ResolutionError) -> Product
  {
    guard case .plain(let factory) = factory else {
      preconditionFailure("AsyncFactoryRecord.product: the key must have no arguments")
    }
    let construction = unsafe try beginUnshared(
      for: container, within: context, arguments: nil)
    // SAFETY: this call's reference, which the end takes over.
    defer { unsafe Construction.endUnshared(construction) }
    let memory = ProductMemory(of: Product.self)
    defer { memory.deallocate() }
    do {
      try await run(factory, in: unsafe construction.takeUnretainedValue(), into: memory)
    } catch {
      throw ResolutionError(error, thrownBy: self)
    }
    return memory.take(Product.self)
  }

  /// Its reference to the construction ends with it: the construction can then be used again.
  @inline(__always)
  nonisolated(nonsending)
    private func run(
      _ factory: @Sendable (Resolver) async throws -> sending Product,
      in construction: Construction, into memory: ProductMemory
    ) async throws
  {
    // The operation returns nothing, whatever the product: the library binds the value inline then, in this task's frame.
    try await construction.runInTask {
      memory.initialize(to: try await factory(construction.resolver))
    }
  }
}

/// Where a factory leaves its product.
@safe
// SAFETY: one construction has it, which awaits the factory that initialises the memory, and only then takes the product out.
private struct ProductMemory: @unchecked Sendable {
  private let pointer: UnsafeMutableRawPointer

  init<Product>(of product: Product.Type) {
    unsafe pointer = UnsafeMutableRawPointer(UnsafeMutablePointer<Product>.allocate(capacity: 1))
  }

  @inline(__always)
  func initialize<Product>(to product: consuming Product) {
    unsafe pointer.initializeMemory(as: Product.self, to: product)
  }

  @inline(__always)
  func take<Product>(_: Product.Type) -> Product {
    unsafe pointer.assumingMemoryBound(to: Product.self).move()
  }

  func deallocate() {
    unsafe pointer.deallocate()
  }
}
