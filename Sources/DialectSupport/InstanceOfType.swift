// SPDX-License-Identifier: MIT

// A cast of an `Any` takes 400 instructions even for the exact type boxed: that type is compared
// first. No optional is passed on, as unspecialized code would look the optional type up.

/// A boxed value as an instance of a type; `nil` for a value of a different type. Like `as?`.
///
/// Wait-free.
@inlinable
package func instance<Wanted>(_ boxed: Any, as wanted: Wanted.Type) -> Wanted? {
  @inline(__always)
  func exact<Instance>(_ instance: Instance) -> Wanted {
    // SAFETY: the types are equal.
    unsafe unsafeBitCast(instance, to: Wanted.self)
  }
  guard isBoxed(boxed, as: wanted) else { return boxed as? Wanted }
  return _openExistential(boxed, do: exact)
}

/// Whether ``instance(_:as:)`` has a result.
///
/// Wait-free.
@inlinable
package func isInstance<Wanted>(_ boxed: Any, of wanted: Wanted.Type) -> Bool {
  isBoxed(boxed, as: wanted) || boxed is Wanted
}

/// Whether the value was boxed as exactly that type.
///
/// Wait-free.
@inlinable @inline(__always)
package func isBoxed(_ boxed: Any, as wanted: any Any.Type) -> Bool {
  @inline(__always)
  func isBoxed<Instance>(_ instance: Instance) -> Bool { Instance.self == wanted }
  return _openExistential(boxed, do: isBoxed)
}
