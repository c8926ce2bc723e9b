// SPDX-License-Identifier: MIT

/// A registration in a container, for modifiers.
///
/// ```swift
/// try container.register(Cache.self, scope: .singleton) { _ in Cache() }
///   .implements((any Store).self)
/// ```
///
/// A modifier publishes the changed registration in a single step: a concurrent resolve sees the
/// old registration or the new registration. The new registration starts without an instance; an
/// instance built before is disposed of at the end, as the new instance is. A disposer also applies
/// to existing instances. Pass settings known at once to `register`, as the scope and the
/// ``RegistrationOptions``. Modifying a registration that has been overridden or removed meanwhile
/// does nothing.
///
/// Modifiers come in any order, and throw nothing. If modifiers contradict each other, every
/// resolve of the key throws ``ResolutionError/invalidRegistration(_:)``, and so does
/// ``Container/warmUp(validating:)``, until another modifier mends the registration.
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
/// Safe to use from any thread. Every modifier takes the container's writer lock.
public struct Registration<Product>: Sendable {
  /// The registering container.
  public let container: Container
  /// The key of the registration.
  public let key: RegistrationKey
  /// The source location of the registration.
  public let location: SourceLocation

  let onDuplicate: DuplicatePolicy?
  let serial: UInt64
  /// The override, if the registration had to override.
  let override: Override?

  @inline(__always)
  init(
    container: Container, _ record: RegistrationRecord, _ override: Override? = nil
  ) {
    self.container = container
    key = record.key
    location = record.location
    onDuplicate = record.attributes.onDuplicate
    serial = record.serial
    self.override = override
  }

  /// Changes the registration by options, in a single step, as a modifier does.
  ///
  /// - Parameter modifier: the modifier's name.
  func changed(by options: RegistrationOptions<Product>, _ modifier: StaticString = #function)
    -> Self
  {
    container.registry.modify(key, serial: serial, by: modifier) { attributes in
      let hadFault = attributes.fault != nil
      let needsNewForm = attributes.change(by: options.changes)
      attributes.judge()
      return needsNewForm || hadFault || attributes.fault != nil
    }
    return self
  }

  /// Changes the registration, unless overridden or removed meanwhile. Faults are stored in the
  /// registration.
  func modify(
    by modifier: StaticString = #function, _ change: (inout RegistrationAttributes) -> Void
  ) {
    container.registry.modify(key, serial: serial, by: modifier) { attributes in
      change(&attributes)
      attributes.judge()
      return true
    }
  }

  /// Stores or clears the fault that the registration cannot also serve `other`.
  func noteRefusal(
    of other: RegistrationKey, _ refusal: RegistrationError?, by modifier: StaticString = #function
  ) {
    container.registry.modify(key, serial: serial, by: modifier) { attributes in
      // Without a changed fault the registration, and its instance, stay unchanged.
      guard refusal != nil || attributes.fault?.refusedKey == other else { return false }
      attributes.fault = refusal.map { RegistrationFault($0, refusedKey: other) }
      attributes.judge()
      return true
    }
  }
}

extension Registration: CustomStringConvertible {
  /// The key and the source location, without the container, whose description would list all
  /// contents.
  public var description: String { "\(key), registered at \(location)" }
}
