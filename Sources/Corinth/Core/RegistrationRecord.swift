// SPDX-License-Identifier: MIT

internal import Synchronization

/// What a registration is, without its product's type. Immutable but for the state of its instance.
///
/// Owned by the slot's word that it is published in; a record that has been replaced is retired.
@usableFromInline
// SAFETY: stored properties are constant, Sendable or atomic; the factories of the subclasses are
// @Sendable closures.
class RegistrationRecord: @unchecked Sendable {
  let key: RegistrationKey
  @usableFromInline let scope: Scope
  let isOverridable: Bool
  let isEager: Bool
  let location: SourceLocation
  /// Shared by the records that chained modifiers derive from one `register`.
  let serial: UInt64
  /// Of a singleton or weak registration: its instance, or who is building it.
  @usableFromInline let instance = InstanceState()

  init(_ attributes: RegistrationAttributes) {
    key = attributes.key
    scope = attributes.scope
    isOverridable = attributes.isOverridable
    isEager = attributes.isEager
    location = attributes.location
    serial = attributes.serial
  }

  /// The same factory with other attributes, without an instance.
  func copy(_ attributes: RegistrationAttributes) -> RegistrationRecord {
    preconditionFailure("RegistrationRecord.copy: must be overridden by each kind of factory")
  }

  /// Resolves the slot in which this was found, for the sake of its instance.
  func warmUp(_ slot: SlotReference, in registry: SlotRegistry) throws(ResolutionError) {
    preconditionFailure("RegistrationRecord.warmUp: must be overridden where it can be eager")
  }

  var attributes: RegistrationAttributes {
    RegistrationAttributes(
      key: key, scope: scope, isOverridable: isOverridable, isEager: isEager, location: location,
      serial: serial)
  }
}

/// What every registration has, whatever its factory is like.
struct RegistrationAttributes: Sendable {
  var key: RegistrationKey
  var scope: Scope
  var isOverridable: Bool
  var isEager = false
  var location: SourceLocation
  var serial: UInt64

  /// Numbers registrations in the order in which they are made.
  static func nextSerial() -> UInt64 {
    lastSerial.wrappingAdd(1, ordering: .relaxed).newValue
  }

  private static let lastSerial = Atomic<UInt64>(0)
}

/// A registration whose factory takes no arguments.
@usableFromInline
// SAFETY: see the superclass.
final class FactoryRecord<Product>: RegistrationRecord, @unchecked Sendable {
  @usableFromInline typealias Factory = @Sendable (Resolver) throws -> Product
  @usableFromInline let factory: Factory

  init(_ attributes: RegistrationAttributes, factory: @escaping Factory) {
    self.factory = factory
    super.init(attributes)
  }

  override func copy(_ attributes: RegistrationAttributes) -> RegistrationRecord {
    FactoryRecord(attributes, factory: factory)
  }

  override func warmUp(_ slot: SlotReference, in registry: SlotRegistry) throws(ResolutionError) {
    _ = try registry.resolve(Product.self, in: slot, within: nil)
  }
}

/// A registration whose factory takes arguments, `Arguments` being one type or the tuple of several.
@usableFromInline
// SAFETY: see the superclass.
final class ArgumentFactoryRecord<Product, Arguments>: RegistrationRecord, @unchecked Sendable {
  @usableFromInline typealias Factory = @Sendable (Resolver, Arguments) throws -> Product
  @usableFromInline let factory: Factory

  init(_ attributes: RegistrationAttributes, factory: @escaping Factory) {
    self.factory = factory
    super.init(attributes)
  }

  override func copy(_ attributes: RegistrationAttributes) -> RegistrationRecord {
    ArgumentFactoryRecord(attributes, factory: factory)
  }
}

/// A function of a pack can neither be stored nor cast: it is wrapped in one that takes a tuple.
@usableFromInline
enum ArgumentList {
  @inlinable
  static func spread<Product, each Argument>(
    _ factory: @escaping @Sendable (Resolver, repeat each Argument) throws -> Product
  ) -> @Sendable (Resolver, (repeat each Argument)) throws -> Product {
    { resolver, arguments in try factory(resolver, repeat each arguments) }
  }
}
