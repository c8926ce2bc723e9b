// SPDX-License-Identifier: MIT

/// A registration in a container, for modifiers.
///
/// ```swift
/// try container.register(Cache.self) { _ in Cache() }.asSingleton()
/// ```
///
/// A modifier publishes the changed registration in one step: a concurrent resolve sees the old one
/// or the new one. It starts without an instance. Modifying a registration that has been overridden
/// or removed meanwhile does nothing.
///
/// ## Concurrency
/// Safe to use from any thread. Each modifier takes the container's writer lock.
public struct Registration<Product>: Sendable {
  /// The registering container.
  public let container: Container
  /// The key that it is registered under.
  public let key: RegistrationKey
  /// Where it was made.
  public let location: SourceLocation

  let isOverridable: Bool
  let serial: UInt64

  init(container: Container, _ attributes: RegistrationAttributes) {
    self.container = container
    key = attributes.key
    location = attributes.location
    isOverridable = attributes.isOverridable
    serial = attributes.serial
  }

  /// Changes the registration, unless it has been overridden or removed meanwhile.
  ///
  /// - Parameter change: refuses by throwing.
  func modify(
    _ change: (inout RegistrationAttributes) throws(RegistrationError) -> Void
  ) throws(RegistrationError) {
    var refusal: RegistrationError?
    container.registry.modify(key, serial: serial) { attributes in
      do throws(RegistrationError) {
        try change(&attributes)
        return true
      } catch {
        refusal = error
        return false
      }
    }
    if let refusal { throw refusal }
  }

  /// The same for changes that are never refused.
  func adjust(_ change: (inout RegistrationAttributes) -> Void) {
    container.registry.modify(key, serial: serial) { attributes in
      change(&attributes)
      return true
    }
  }
}
