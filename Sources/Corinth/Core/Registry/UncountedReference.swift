// SPDX-License-Identifier: MIT

internal import CCorinth

/// A reference that does not keep its object alive.
///
/// A `weak` variable would be an allocation for each object referred to, and slow down all counting of its
/// references.
@safe
struct UncountedReference {
  // Never read: it keeps the memory behind the address, not the object.
  private unowned var memory: AnyObject?
  private var address: UnsafeMutableRawPointer?

  init(_ object: AnyObject? = nil) {
    memory = object
    unsafe address = object.map { unsafe Unmanaged.passUnretained($0).toOpaque() }
  }

  /// The object, unless its deinit has begun.
  var object: AnyObject? {
    // SAFETY: `memory` keeps the object's memory until this value ends, which is all that `swift_tryRetain` asks.
    guard let object = unsafe swift_tryRetain(address) else { return nil }
    return unsafe Unmanaged<AnyObject>.fromOpaque(object).takeRetainedValue()
  }
}
