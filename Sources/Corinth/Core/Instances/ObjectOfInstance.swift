// SPDX-License-Identifier: MIT

/// The object that an instance is; `nil` if it is a value.
///
/// A cast to `AnyObject` takes 4,000 instructions, for the search of a conformance.
///
/// Wait-free.
package func object(of instance: Any) -> AnyObject? {
  func object<Instance>(_ instance: Instance) -> AnyObject? {
    // SAFETY: an instance of a class is one reference.
    isClass(Instance.self) ? unsafe unsafeBitCast(instance, to: AnyObject.self) : nil
  }
  if let object = _openExistential(instance, do: object) { return object }
  // What generic code has as an existential is one within another.
  return type(of: instance) is AnyClass ? instance as AnyObject : nil
}
