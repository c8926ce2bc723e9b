// SPDX-License-Identifier: MIT

internal import Synchronization

/// The construction of one property's value: built by one caller, whom the others wait for.
///
/// It is a singleton of its own, of no slot: waits and cycles are those of any construction.
final class PropertyConstruction<Value>: Sendable {
  let container: Container
  private let record: SuppliedRecord<Value>
  private let slot: SlotPlaceholder

  /// - Parameters:
  ///   - key: the key that the property resolves.
  ///   - location: where the property is declared.
  ///   - scope: `.singleton`, or `.weak` to build again once the instance is gone.
  init(
    of key: RegistrationKey, at location: SourceLocation, scope: AnyScope, in container: Container
  ) {
    self.container = container
    slot = SlotPlaceholder(for: key)
    record = SuppliedRecord(
      RegistrationAttributes(
        key: key, scope: scope, isOverridable: true, location: location, owner: container.registry),
      resolvesInstances: true)
  }

  /// The value; `build` makes it if there is none.
  func resolve(building build: () throws -> Value) throws -> Value {
    // An error of the caller's own keeps its path, on which the property is not.
    var own: (any Error)?
    do {
      return try record.resolve(in: slot.slot, for: container.registry, within: nil) { _ in
        do { return try build() } catch {
          own = error
          throw error
        }
      }
    } catch { throw own ?? error }
  }
}

extension Container {
  /// Resolves what a property asks for. Optional types are `nil` when nothing is registered.
  ///
  /// - Parameter enclosing: the object with the property, which factories find through their resolver.
  func resolveProperty<Value>(
    _ type: Value.Type, name: Name?, for enclosing: AnyObject?
  ) throws -> Value {
    guard let enclosing else {
      return try Self.resolveProperty(type, name, Resolver(registry: registry, construction: nil))
    }
    return try ResolutionContext.run(EnclosedResolution(for: enclosing)) { context in
      try Self.resolveProperty(type, name, Resolver(registry: registry, construction: context))
    }
  }

  private static func resolveProperty<Value>(
    _ type: Value.Type, _ name: Name?, _ resolver: Resolver
  ) throws -> Value {
    if let optional = type as? any OptionalProperty.Type,
      let value = try optional.resolve(name, resolver) as? Value
    {
      return value
    }
    return try resolver.resolve(type, name: name)
  }
}

/// An optional type, asked for the registration of the type that it wraps.
private protocol OptionalProperty {
  static func resolve(_ name: Name?, _ resolver: Resolver) throws -> Any
}

extension Optional: OptionalProperty {
  fileprivate static func resolve(_ name: Name?, _ resolver: Resolver) throws -> Any {
    if let own = try resolver.resolveIfRegistered(Self.self, name: name) { return own as Any }
    return try resolver.resolveIfRegistered(Wrapped.self, name: name) as Any
  }
}
