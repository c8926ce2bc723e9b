// SPDX-License-Identifier: MIT

/// A registration in a container, for modifiers.
///
/// ```swift
/// try container.register(Cache.self, scope: .singleton) { _ in Cache() }.implements((any Store).self)
/// ```
///
/// A modifier publishes the changed registration in one step: a concurrent resolve sees the old one
/// or the new one. It starts without an instance; one that was built before is disposed of at the end, as the new
/// one is. A disposer also applies to existing instances. Pass settings that are known at once to `register`, as
/// its scope and its ``Hooks``. Modifying a registration that has been overridden or removed meanwhile does
/// nothing.
///
/// Modifiers come in any order, and throw nothing. If they contradict each other, each resolve of the key throws
/// ``ResolutionError/invalidRegistration(_:)``, and so does ``Container/warmUp(validating:)``, until another modifier mends it.
///
/// Give a combination of modifiers that you use often a name:
///
/// ```swift
/// extension Registration where Product: Sendable {
///   @discardableResult
///   func warmed() -> Self { self.as(.singleton).eager() }
/// }
/// ```
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

  let onDuplicate: DuplicatePolicy?
  let serial: UInt64
  /// What it has overridden, if it had to.
  let override: Override?

  @inline(__always)
  init(
    container: Container, _ record: RegistrationRecord, _ overriding: Overriding? = nil
  ) {
    self.container = container
    key = record.key
    location = record.location
    onDuplicate = record.attributes.onDuplicate
    serial = record.serial
    override = overriding.map { Override($0, in: container.registry) }
  }

  /// Changes the registration by hooks, in one step, as a modifier does.
  ///
  /// - Parameter modifier: the modifier's name.
  func changed(by hooks: Hooks<Product>, _ modifier: StaticString = #function) -> Self {
    container.registry.modify(key, serial: serial, by: modifier) { attributes in
      let hadFault = attributes.fault != nil
      let needsNewForm = attributes.change(by: hooks.changes)
      attributes.judge()
      return needsNewForm || hadFault || attributes.fault != nil
    }
    return self
  }

  /// Changes the registration, unless it has been overridden or removed meanwhile. Its faults are stored in it.
  func modify(
    by modifier: StaticString = #function, _ change: (inout RegistrationAttributes) -> Void
  ) {
    container.registry.modify(key, serial: serial, by: modifier) { attributes in
      change(&attributes)
      attributes.judge()
      return true
    }
  }

  /// Keeps or forgets that the registration cannot serve `other` too.
  func noteRefusal(
    of other: RegistrationKey, _ refusal: RegistrationError?, by modifier: StaticString = #function
  ) {
    container.registry.modify(key, serial: serial, by: modifier) { attributes in
      // Without news the registration, and its instance, stay as they are.
      guard refusal != nil || attributes.fault?.refusedKey == other else { return false }
      attributes.fault = refusal.map { RegistrationFault($0, refusedKey: other) }
      attributes.judge()
      return true
    }
  }
}

extension Registration: CustomStringConvertible {
  /// The key and the source location. Not the container, which would list all that it holds.
  public var description: String { "\(key), registered at \(location)" }
}
