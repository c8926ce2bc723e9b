// SPDX-License-Identifier: MIT

internal import Synchronization

/// The construction of a single property's value: the first caller builds the value, and concurrent
/// callers wait for the builder.
///
/// The construction is a singleton of its own, without a slot: waits and cycles work as in any
/// construction.
final class PropertyConstruction<Value>: Sendable {
  /// The core, not the container: a property must not keep a container alive that the property's
  /// policy does not keep.
  private let core: ContainerCore
  private let record: SuppliedRecord<Value>
  private let slot: SlotPlaceholder

  /// - Parameters:
  ///   - key: the key that the property resolves.
  ///   - location: the source location of the property.
  ///   - scope: `.singleton`, or `.weak` to build again once the instance is gone.
  init(
    of key: RegistrationKey, at location: SourceLocation, scope: AnyScope, in container: Container
  ) {
    core = container.registry
    slot = SlotPlaceholder(for: key)
    record = SuppliedRecord(
      RegistrationAttributes(
        key: key, scope: scope, location: location, owner: core),
      kind: .property)
  }

  /// Whether the construction is in the given container.
  func belongs(to container: Container) -> Bool { core === container.registry }

  /// Returns the value; `build` makes a missing value.
  func resolve(building build: () throws -> Value) throws -> Value {
    // An error of the caller's own keeps its path, which does not contain the property.
    var own: (any Error)?
    do {
      return try record.resolve(in: slot.slot, for: core, within: nil) { resolver in
        // The requester is the construction that runs around the property.
        resolver.construction?.markPassingOn()
        do {
          try ResolutionContext.refuseRecursion(
            of: record.key, in: resolver.construction, naming: record.key)
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
  /// - Parameter enclosing: the object with the property, visible to factories through their
  ///   resolver.
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
