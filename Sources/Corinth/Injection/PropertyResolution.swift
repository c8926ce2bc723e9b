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
  private let record: PropertyRecord<Value>
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
    record = PropertyRecord(
      RegistrationAttributes(
        key: key, scope: scope, location: location, owner: core), factoryKind: .lazy)
  }

  /// Whether the construction is in the given container.
  func belongs(to container: Container) -> Bool { core === container.registry }

  /// Returns the value; `build` makes a missing value.
  func resolve(building build: () throws -> Value) throws -> Value {
    // An error of the caller's own keeps its path, which does not contain the property.
    var own: (any Error)?
    do {
      return try record.resolve(in: slot.slot, for: core) { resolver in
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

/// The registration of a property's construction, in no slot. The call that builds brings the
/// closure: a closure that the property kept would keep what the closure has captured.
// SAFETY: see the superclass.
private final class PropertyRecord<Value>: RegistrationRecord, @unchecked Sendable {
  override func build(
    _ uncounted: UncountedResolver, _ arguments: AnyArguments?
  ) throws -> AnyInstanceBox {
    let resolver = uncounted.counted
    guard let initializer = arguments as? Initializer<Value>,
      let value = try initializer(resolver)
    else { throw resolver.registry.missing(key) }
    return InstanceBox(value)
  }

  /// The value, built by `build` if missing.
  final func resolve(
    in slot: SlotReference, for container: ContainerCore, building build: (Resolver) throws -> Value
  ) throws(ResolutionError) -> Value {
    let result = withoutActuallyEscaping(build) { build in
      let initializer = Initializer(build)
      defer { initializer.end() }
      return Result { () throws(ResolutionError) in
        try box(Request(slot, for: container, within: nil, arguments: initializer))
      }
    }
    return try result.get().instance(of: Value.self)
  }
}

/// The way to build a value, passed by one call.
// SAFETY: only the call's thread runs the functions: it passes the object to its constructions.
private final class Initializer<Value>: AnyArguments, @unchecked Sendable {
  private var build: ((Resolver) throws -> Value)?

  init(_ build: @escaping (Resolver) throws -> Value) {
    self.build = build
  }

  /// `nil` once the call has ended.
  func callAsFunction(_ resolver: Resolver) throws -> Value? { try build?(resolver) }

  /// Releases the closure, whose life ends with the call.
  func end() {
    build = nil
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
