// SPDX-License-Identifier: MIT

/// Why an instance that a factory has built cannot be kept. It comes as the
/// ``ResolutionError/underlyingError-swift.property`` of a ``ResolutionError``.
public enum InstanceError: Error {
  /// A weak registration of a protocol built a value that is not a class instance.
  case notAClassInstance(product: any Any.Type, instance: any Any.Type)
}

extension InstanceError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .notAClassInstance(let product, let instance):
      "\(product) is registered as weak, but its factory built a \(instance), which is not a class instance."
    }
  }
}
