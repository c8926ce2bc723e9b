// SPDX-License-Identifier: MIT

/// Transients of asynchronous factories, in the task of the caller.
extension ContainerCore {
  /// A new product, unboxed, of a bare registration without decorators or behaviors.
  ///
  /// - Parameter record: holds an asynchronous factory of the product; retained by the caller.
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
    // SAFETY: the call's own reference, consumed by the end.
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

  /// Releases its reference to the construction on return: the construction can then be reused.
  @inline(__always)
  nonisolated(nonsending)
    private func run(
      _ record: Unmanaged<RegistrationRecord>, in construction: Construction,
      into memory: ProductMemory
    ) async throws
  {
    // The operation returns nothing: the library then binds the value inline in this frame.
    try await construction.runInTask {
      let resolver = UncountedResolver(registry: self, construction: construction)
      unsafe try await Uncounted.build(record, resolver, memory.pointer)
    }
  }
}

/// ``RegistrationRecord/buildAsync(with:at:)``, called with an uncounted reference: a
/// registration's count is written by all threads.
private enum Uncounted {
  typealias Build =
    nonisolated(nonsending) @Sendable (
      Unmanaged<RegistrationRecord>, UncountedResolver, UnsafeMutableRawPointer
    ) async throws -> Void

  // Structures, as a bare closure would be converted to a closure with indirect parameters.

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

  // SAFETY: functions get parameters at +0, so that a reference passes as a single word.
  @inline(__always)
  static var build: Build {
    unsafe unsafeBitCast(
      OfReference { unsafe try await $0.buildAsync(with: $1, at: $2) }, to: OfAddress.self
    ).build
  }
}

/// Memory for the product of a factory.
@safe
// SAFETY: owned by one construction, which takes the product out after awaiting the factory.
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
