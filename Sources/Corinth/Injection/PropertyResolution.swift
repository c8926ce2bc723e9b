// SPDX-License-Identifier: MIT

internal import Synchronization

/// The construction of one property's value: one caller builds it, and the others wait for that caller.
///
/// It is a singleton of its own, of no slot: waits and cycles are those of any construction.
final class PropertyConstruction<Value>: Sendable {
  /// Not the container: a property must not keep a container alive that its policy does not.
  private let core: ContainerCore
  private let record: SuppliedRecord<Value>
  private let slot: SlotPlaceholder

  /// - Parameters:
  ///   - key: the key that the property resolves.
  ///   - location: where the property is declared.
  ///   - scope: `.singleton`, or `.weak` to build again once the instance is gone.
  init(
    of key: RegistrationKey, at location: SourceLocation, scope: AnyScope, in container: Container
  ) {
    core = container.registry
    slot = SlotPlaceholder(for: key)
    record = SuppliedRecord(
      RegistrationAttributes(
        key: key, scope: scope, location: location, owner: core),
      resolvesInstances: true)
  }

  /// Whether it is one in this container.
  func belongs(to container: Container) -> Bool { core === container.registry }

  /// The value; `build` makes it if there is none.
  func resolve(building build: () throws -> Value) throws -> Value {
    // An error of the caller's own keeps its path, on which the property is not.
    var own: (any Error)?
    do {
      return try record.resolve(in: slot.slot, for: core, within: nil) { resolver in
        // Who asks is what runs around the property.
        resolver.construction?.markPassingOn()
        do {
          try record.refuseRecursion(in: resolver.construction, of: record.key)
          return try build()
        } catch {
          own = error
          throw error
        }
      }
    } catch { throw own ?? error }
  }
}

extension Container {
  /// Resolves the value of a property. Optional types are `nil` when nothing is registered.
  ///
  /// - Parameter enclosing: the object with the property, which factories find through their resolver.
  func resolveProperty<Value>(
    _ type: Value.Type, name: Name?, for enclosing: AnyObject?
  ) throws -> Value {
    guard let enclosing else {
      return try registry.resolveParameter(type, name: name, within: nil)
    }
    let context = RoleContext(.property(of: UncountedReference(enclosing)))
    return try ResolutionContext.run(context) { context in
      try registry.resolveParameter(type, name: name, within: context)
    }
  }
}
