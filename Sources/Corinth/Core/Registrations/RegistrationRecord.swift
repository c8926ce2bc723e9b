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
  private let hasHashableArguments: Bool
  let location: SourceLocation
  /// Shared by the records that chained modifiers derive from one `register`.
  let serial: UInt64
  let lifecycle: Lifecycle
  /// The container that it is registered in.
  // SAFETY: whoever resolves a record has found it through this container or a descendant, which holds it.
  unowned(unsafe) let owner: ContainerCore
  /// Of a registration whose instance is kept with it: that instance, or who is building it.
  @usableFromInline let instance = InstanceState()
  /// The same for each value of the arguments.
  private let instancesByArguments: ArgumentInstances?

  /// Whether only `resolveAsync` can build the instance.
  let isAsynchronous: Bool

  /// Whether it is a ``FactoryRecord``, whose factory specialised code can call.
  @usableFromInline let hasSynchronousFactory: Bool
  /// Whether an instance is complete when its factory has returned, and kept as it is.
  @usableFromInline let servesInstanceUnchanged: Bool

  enum FactoryKind {
    case simple
    case withArguments
    case asynchronous
    case forwarding
  }

  init(_ attributes: RegistrationAttributes, factoryKind: FactoryKind) {
    key = attributes.key
    scope = attributes.scope
    isOverridable = attributes.isOverridable
    isEager = attributes.isEager
    hasHashableArguments = attributes.hasHashableArguments
    location = attributes.location
    serial = attributes.serial
    lifecycle = attributes.lifecycle
    isAsynchronous = factoryKind == .asynchronous || attributes.lifecycle.isAsynchronous
    hasSynchronousFactory = factoryKind == .simple
    servesInstanceUnchanged =
      !isAsynchronous && attributes.lifecycle.isEmpty && attributes.scope.keepsInstanceAsItIs
    unsafe owner = attributes.owner
    instancesByArguments =
      attributes.key.arguments != nil && attributes.scope.keepsInstanceWithRegistration
      ? ArgumentInstances() : nil
  }

  /// Whether `resolveAsync` has to use the asynchronous way: where there is another, it is faster.
  var mayBuildAsynchronously: Bool { isAsynchronous }

  /// Whether there is more to do at the end of what keeps an instance than to let it go.
  final var requiresDisposal: Bool { isAsynchronous || !lifecycle.disposers.isEmpty }

  /// The states of the instances that are kept with the registration.
  final var instances: [InstanceState] {
    instancesByArguments?.all ?? [instance]
  }

  /// Keeps instances from being built that are not being built yet, and returns the states of all others.
  final func sealInstances() -> [InstanceState] {
    instancesByArguments?.seal() ?? [instance]
  }

  final func instances(for arguments: AnyArguments) -> InstanceState {
    guard let instancesByArguments, let values = arguments.values else {
      preconditionFailure("RegistrationRecord.instances: the arguments must be Hashable")
    }
    return instancesByArguments.state(for: values)
  }

  // MARK: - For each kind of factory

  /// The same factory with other attributes, without an instance.
  func copy(_ attributes: RegistrationAttributes) -> RegistrationRecord {
    preconditionFailure("RegistrationRecord.copy: must be overridden by each kind of factory")
  }

  /// Whether all that a resolve takes is to call the factory.
  var isBareFactory: Bool { false }

  /// What tells a resolve from others by its arguments; `nil` when these are not `Hashable`.
  func values(of arguments: AnyArguments) -> ArgumentValues? { nil }

  /// Runs the factory.
  func build(_ resolver: Resolver, _ arguments: AnyArguments?) throws -> AnyInstanceBox {
    preconditionFailure("RegistrationRecord.build: must be overridden by synchronous factories")
  }

  /// Runs the factory, an asynchronous one too.
  func buildAsync(_ resolver: Resolver, _ arguments: AnyArguments?) async throws -> AnyInstanceBox {
    try build(resolver, arguments)
  }

  var attributes: RegistrationAttributes {
    unsafe RegistrationAttributes(
      key: key, scope: scope, isOverridable: isOverridable, isEager: isEager,
      hasHashableArguments: hasHashableArguments, location: location, serial: serial,
      lifecycle: lifecycle, owner: owner)
  }
}

/// What every registration has, whatever its factory is like.
@safe
struct RegistrationAttributes: Sendable {
  var key: RegistrationKey
  var scope: Scope
  var isOverridable: Bool
  var isEager = false
  /// Whether resolves can be told from each other by their arguments.
  var hasHashableArguments = true
  var location: SourceLocation
  var serial = RegistrationAttributes.nextSerial()
  var lifecycle = Lifecycle()
  // SAFETY: only read by those who hold the container, see RegistrationRecord.owner.
  unowned(unsafe) var owner: ContainerCore

  /// Numbers registrations in the order in which they are made.
  private static func nextSerial() -> UInt64 {
    lastSerial.wrappingAdd(1, ordering: .relaxed).newValue
  }

  private static let lastSerial = Atomic<UInt64>(0)
}

extension InstanceStore {
  /// The state of a registration's instance, made on first use; `nil` once the store is sealed.
  ///
  /// - Parameter registry: the container that the instance belongs to.
  func state(
    of record: RegistrationRecord, in registry: ContainerCore, arguments: AnyArguments?
  ) -> InstanceState? {
    let key = EntryKey(registration: record, container: registry, values: arguments?.values)
    return entry(of: key, payload: record, requiresDisposal: record.requiresDisposal)
  }
}

extension StoredInstance {
  /// The registration of an instance in an ``InstanceStore``.
  var record: RegistrationRecord {
    // SAFETY: only `state(of:in:arguments:)` makes entries of stores, with this payload.
    unsafe unsafeDowncast(payload.unsafelyUnwrapped, to: RegistrationRecord.self)
  }
}
