// SPDX-License-Identifier: MIT

/// A weakly held instance, without its type.
@usableFromInline
class AnyWeakBox {
  private final weak let object: AnyObject?

  /// The object of the instance, or the object wrapped by an existential, retained; `nil` once the
  /// last owner has dropped the object.
  final var retainedObject: Unmanaged<AnyObject>? {
    guard let object else { return nil }
    return unsafe Unmanaged.passRetained(object)
  }

  /// Whether the last owner has dropped the object.
  final var isEmpty: Bool { object == nil }

  fileprivate init(_ object: AnyObject) {
    self.object = object
  }

  /// A box that holds the instance strongly, if it is alive.
  func makeStrongBox() -> AnyInstanceBox? {
    preconditionFailure("AnyWeakBox.makeStrongBox: must be overridden for each type of product")
  }
}

/// A weakly held instance. Immutable: a new instance gets a new box, because a weak variable is
/// safe against the object's deinit, but not against a concurrent store.
@safe
final class WeakBox<Product>: AnyWeakBox {
  // SAFETY: a bitwise copy of the product that owns nothing: a reference to `object`, and constant
  // metadata of an existential. Copied only with `object` held strongly, and never deinitialized.
  private let bits: UnsafeMutablePointer<Product>

  /// - Parameter object: the object of `product`, or the object wrapped by an existential.
  init(_ product: Product, object: AnyObject) {
    let bits = UnsafeMutablePointer<Product>.allocate(capacity: 1)
    unsafe self.bits = bits
    unsafe withUnsafePointer(to: product) { source in
      unsafe UnsafeMutableRawPointer(bits).copyMemory(
        from: source, byteCount: MemoryLayout<Product>.size)
    }
    super.init(object)
  }

  override func makeStrongBox() -> AnyInstanceBox? {
    unsafe retainedObject.map { unsafe InstanceBox(instance(takingOver: $0)) }
  }

  deinit {
    unsafe UnsafeMutableRawPointer(bits).deallocate()
  }

  /// The instance, which takes over a reference to the object.
  func instance(takingOver object: Unmanaged<AnyObject>) -> Product {
    // SAFETY: a move takes over the one reference represented by the bits, here the reference
    // passed, and leaves the bits unchanged. A copy would retain the object once more.
    unsafe bits.move()
  }
}
