// SPDX-License-Identifier: MIT

/// A resolver for the time of one call, whose references are not counted.
///
/// A ``Resolver`` is two references. The optimiser passes one reference at +0, but counts both of two that become one value. All
/// threads write the container's count.
@usableFromInline
@safe
struct UncountedResolver {
  @usableFromInline let registry: Unmanaged<ContainerCore>
  @usableFromInline let construction: Unmanaged<ResolutionContext>?

  @inlinable @inline(__always)
  init(registry: ContainerCore, construction: ResolutionContext?) {
    unsafe self.registry = .passUnretained(registry)
    unsafe self.construction = construction.map { unsafe .passUnretained($0) }
  }

  private struct Counting<Product> {
    let factory: @Sendable (Resolver) throws -> Product
  }

  private struct Uncounting<Product> {
    let factory: @Sendable (UncountedResolver) throws -> Product
  }

  /// A factory as a function that takes this in place of its resolver. Its callers hold both objects during the call.
  static func taken<Product>(
    by factory: @escaping @Sendable (Resolver) throws -> Product
  ) -> @Sendable (UncountedResolver) throws -> Product {
    // SAFETY: a function gets its parameters at +0. So a resolver is passed as its two words, which are the same here.
    unsafe unsafeBitCast(Counting(factory: factory), to: Uncounting<Product>.self).factory
  }
}
