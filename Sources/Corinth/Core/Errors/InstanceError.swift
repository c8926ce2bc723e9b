// SPDX-License-Identifier: MIT

/// Why a factory's product cannot be stored or served: the cause in a ``ResolutionError``.
package enum InstanceError: Error {
  /// A weak registration of a protocol built a value that is not a class instance.
  case notAClassInstance(product: any Any.Type, instance: any Any.Type)
  /// A registration would have to serve its instances under a type that the instances lack.
  case doesNotImplement(product: any Any.Type, instance: any Any.Type)
  /// The type was asked for, the registered optional serves the type, and its factory built `nil`.
  case nilInstance(product: any Any.Type)
  /// An instance would be stored for arguments that no later resolve finds, as they are not equal
  /// to themselves.
  case argumentNotEqualToItself(RegistrationKey)
}

extension InstanceError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .notAClassInstance(let product, let instance):
      """
      \(spelling(of: product)) is registered as weak, but its factory built \(instance), which is not \
      a class: make it one, or register \(spelling(of: product)) as .singleton.
      """
    case .doesNotImplement(let product, let instance):
      Namesakes.distinguishing([product, instance]) {
        if let actor = actor(ofConformanceOf: instance, to: product) {
          "\(spelling(of: instance)), to which it is forwarded, conforms to \(spelling(of: product)) on \(spelling(of: actor)) only, and was asked for elsewhere: resolve it on that actor, or declare the conformance nonisolated."
        } else {
          "\(spelling(of: instance)), to which it is forwarded, does not conform to \(spelling(of: product)): declare the conformance; if the factory returns a subclass that has it, register that subclass under its type."
        }
      }
    case .nilInstance(let product):
      "\(spelling(of: product)) is asked for, and the factory of its optional built nil: ask for the optional where there may be none."
    case .argumentNotEqualToItself(let key):
      "an argument is not equal to itself, as Double.nan is not, and no resolve would find its instance again: pass another value, or register \(key) as .transient."
    }
  }
}
