// SPDX-License-Identifier: MIT

/// Transients of asynchronous factories, in the task of their caller.
extension ContainerCore {
  /// A new product of a bare registration that nothing is put around. It gets no box.
  ///
  /// - Parameter record: the registration of an asynchronous factory of this product. The caller has a reference.
  @inline(__always)
  nonisolated(nonsending)
    func newProduct<Product>(
      _ product: Product.Type, of record: Unmanaged<RegistrationRecord>,
      within context: ResolutionContext?
    ) async throws(ResolutionError) -> Product
  {
    // SAFETY, of the record: the caller's reference.
    let construction: Unmanaged<Construction>
    do {
      unsafe construction = try record._withUnsafeGuaranteedRef {
        unsafe try $0.beginUnshared(for: self, within: context, arguments: nil)
      }
    } catch { throw ResolutionError(ofResolve: error) }
    // SAFETY: this call's reference, which the end takes over.
    defer { unsafe Construction.endUnshared(construction) }
    let memory = ProductMemory(of: product)
    defer { memory.deallocate() }
    do {
      unsafe try await run(record, in: construction.takeUnretainedValue(), into: memory)
    } catch {
      throw unsafe record._withUnsafeGuaranteedRef { ResolutionError(error, thrownBy: $0) }
    }
    return memory.take(product)
  }

  /// Its reference to the construction ends with it: the construction can then be used again.
  @inline(__always)
  nonisolated(nonsending)
    private func run(
      _ record: Unmanaged<RegistrationRecord>, in construction: Construction,
      into memory: ProductMemory
    ) async throws
  {
    // The operation returns nothing, whatever the product: the library binds the value inline then, in this task's frame.
    try await construction.runInTask {
      let resolver = UncountedResolver(registry: self, construction: construction)
      unsafe try await Uncounted.build(record, resolver, memory.pointer)
    }
  }
}

/// ``RegistrationRecord/buildAsync(with:at:)``, called with a reference that is not counted: all threads write the count of a
/// registration.
private enum Uncounted {
  typealias Build =
    nonisolated(nonsending) @Sendable (
      Unmanaged<RegistrationRecord>, UncountedResolver, UnsafeMutableRawPointer
    ) async throws -> Void

  // In structures, as a closure alone would be converted to one that takes addresses.

  @safe
  private struct OfReference {
    let build:
      nonisolated(nonsending) @Sendable (
        RegistrationRecord, UncountedResolver, UnsafeMutableRawPointer
      ) async throws -> Void
  }

  @safe
  private struct OfAddress {
    let build: Build
  }

  // SAFETY: a function gets its parameters at +0, so that a reference is passed as its one word.
  @inline(__always)
  static var build: Build {
    unsafe unsafeBitCast(
      OfReference { unsafe try await $0.buildAsync(with: $1, at: $2) }, to: OfAddress.self
    ).build
  }
}

/// Where a factory leaves its product.
@safe
// SAFETY: one construction has it, which awaits the factory that initializes the memory, and only then takes the product out.
private struct ProductMemory: @unchecked Sendable {
  let pointer: UnsafeMutableRawPointer

  init<Product>(of product: Product.Type) {
    unsafe pointer = UnsafeMutableRawPointer(UnsafeMutablePointer<Product>.allocate(capacity: 1))
  }

  @inline(__always)
  func take<Product>(_: Product.Type) -> Product {
    unsafe pointer.assumingMemoryBound(to: Product.self).move()
  }

  func deallocate() {
    unsafe pointer.deallocate()
  }
}
