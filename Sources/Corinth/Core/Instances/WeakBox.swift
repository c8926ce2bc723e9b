// SPDX-License-Identifier: MIT

/// A weakly held instance, without its type.
@usableFromInline
class AnyWeakBox {
  fileprivate init() {}

  /// A box that holds the instance strongly, if it is alive.
  func makeStrongBox() -> AnyInstanceBox? {
    preconditionFailure("AnyWeakBox.makeStrongBox: must be overridden for each type of product")
  }
}

/// A weakly held instance. Immutable: a new instance gets a new box, because a weak variable is
/// safe against the object's deinit, but not against a concurrent store.
@usableFromInline
@safe
final class WeakBox<Product>: AnyWeakBox {
  @usableFromInline weak let object: AnyObject?

  // SAFETY: a bitwise copy of the product that owns nothing: one reference to `object`, and
  // constant metadata around it when the product is an existential. Only copied from while
  // `object` is held strongly, never deinitialised.
  @usableFromInline let bits: UnsafeMutablePointer<Product>

  /// - Parameter object: the object that `product` is, or that it wraps as an existential.
  init(_ product: Product, object: AnyObject) {
    self.object = object
    let bits = UnsafeMutablePointer<Product>.allocate(capacity: 1)
    unsafe self.bits = bits
    unsafe withUnsafePointer(to: product) { source in
      unsafe UnsafeMutableRawPointer(bits).copyMemory(
        from: source, byteCount: MemoryLayout<Product>.size)
    }
  }

  override func makeStrongBox() -> AnyInstanceBox? {
    instance.map { InstanceBox($0) }
  }

  deinit {
    unsafe UnsafeMutableRawPointer(bits).deallocate()
  }

  /// The instance, unless its last owner has dropped it.
  @inlinable var instance: Product? {
    guard let object else { return nil }
    if MemoryLayout<Product>.size == MemoryLayout<AnyObject>.size {
      // A class, or an existential without a witness table: the reference is all there is to it, and
      // casting it spares the copy's retain and release.
      return unsafe unsafeBitCast(object, to: Product.self)
    }
    return withExtendedLifetime(object) { unsafe bits.pointee }
  }
}
