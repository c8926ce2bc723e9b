// SPDX-License-Identifier: MIT

/// The object of a class instance; `nil` for a value.
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
  // In generic code, an existential comes inside a second existential.
  return type(of: instance) is AnyClass ? instance as AnyObject : nil
}
