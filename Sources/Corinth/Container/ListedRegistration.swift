// SPDX-License-Identifier: MIT

/// A registration as listed by ``Container/registrations``: a value, which does not change with the
/// container.
///
/// ```swift
/// for registration in container.registrations where registration.isBuilt { print(registration) }
/// ```
///
/// ## Concurrency
/// A value, safe to use from any thread.
public struct ListedRegistration: Sendable {
  /// The way in which the instances are made.
  @nonexhaustive
  public enum Kind: Sendable, Hashable {
    /// A factory makes the instances.
    case factory
    /// A factory that takes arguments makes the instances.
    case factoryWithArguments
    /// An asynchronous factory makes the instances, with arguments if the key has arguments.
    case asynchronousFactory
    /// The instances are the instances of another registration.
    case forwarding
    /// The only instance is the registered value.
    case value
    /// The instances are given to request scopes when the scopes are made.
    case input
  }

  /// The key of the registration.
  public let key: RegistrationKey
  /// The scope of the instances.
  public let scope: AnyScope
  /// The way in which the instances are made.
  public let kind: Kind
  /// Whether the registration stores an instance: of a singleton, a weak or a cached registration.
  /// Scopes store `.scoped` instances, and a ``CustomStorage`` of yours its own: `false` for both.
  public let isBuilt: Bool
  /// Whether ``Container/warmUp(validating:)`` builds the instance.
  public let isEager: Bool
  /// Whether another registration of the key may override this registration.
  public let isOverridable: Bool
  /// The stated dependencies, in their order: the parameters of an initializer, and the declared
  /// keys. `nil` without a statement, as for a closure. ``Container/graph()`` also has the recorded
  /// dependencies, and the serving registrations.
  public let dependencies: [RegistrationKey]?
  /// The contradiction between the modifiers, if any: resolves of the registration throw the
  /// contradiction.
  public let fault: RegistrationError?
  /// The source location of the registration.
  public let location: SourceLocation
  /// The type of the instances, where no factory has to run to know the type: of the registered
  /// value; of the stored instance, or the last instance that a recording has seen, without
  /// decorators; the product of the key, if that is not a protocol. A forward has the type of its
  /// target. Until there is an instance, a class may stand for a subclass.
  ///
  /// `nil` for a protocol without an instance, such as a transient registration that nothing has
  /// recorded: the compiler turns an initializer into a function that returns the protocol.
  public let implementation: (any Any.Type)?
  /// The name of the ``Assembly`` that made the registration, followed by the assembly's
  /// ``Assembly/id-swift.property`` in quotation marks if there is one: the assembly whose
  /// ``Assembly/assemble(container:)`` ran at the time, the innermost of several. `nil` without an
  /// assembly, and if assemblies ran on several threads at once.
  public let assembly: String?
  /// 0 for the asked container, 1 for the parent, and so on. A version of a ``ReloadableContainer``
  /// and the version's base container count as a single container.
  public let level: Int

  /// Numbers registrations in the order of registration.
  let serial: UInt64

  init(_ found: RegistrationRecord, level: Int = 0, in container: ContainerCore) {
    let record = found.served
    key = record.key
    scope = record.scope
    kind = record.attributes.isInput ? .input : Kind(record.factoryKind)
    isBuilt = record.storesInstance
    isEager = record.attributes.isEager
    isOverridable = record.attributes.isOverridable
    dependencies = record.statedDependencies
    fault = record.attributes.fault?.error
    location = record.location
    serial = record.serial
    implementation = found.implementation(in: container)
    assembly = AssemblyRun.registering(record)?.title
    self.level = level
  }
}

extension RegistrationRecord {
  fileprivate var statedDependencies: [RegistrationKey]? {
    let parameters = attributes.parameters?.dependencies
      .filter { $0.kind != .argument && $0.kind != .container }.map(\.key)
    if let target = forwardedKey { return [target] }
    guard let declared = attributes.declaredDependencies else {
      return parameters ?? (factoryKind == .constant ? [] : nil)
    }
    return (parameters ?? []) + declared
  }
}

extension ListedRegistration.Kind {
  fileprivate init(_ kind: FactoryKind) {
    switch kind {
    case .simple, .lazy: self = .factory
    case .withArguments: self = .factoryWithArguments
    case .asynchronous, .lazyInTask: self = .asynchronousFactory
    case .forwarding, .sharing, .absence: self = .forwarding
    case .constant: self = .value
    }
  }
}

extension ListedRegistration: CustomStringConvertible {
  /// A single line, such as
  /// `Database named "mysql": singleton, built, assembled by Storage, App/main.swift:12`.
  public var description: String {
    var parts = [kindOrScope]
    if kind == .asynchronousFactory { parts.append("asynchronous") }
    if isEager { parts.append("eager") }
    if isBuilt { parts.append("built") }
    if !isOverridable { parts.append("not overridable") }
    if fault != nil { parts.append("invalid") }
    if let assembly { parts.append("assembled by \(assembly)") }
    parts.append(location.description)
    return "\(key): \(parts.joined(separator: ", "))"
  }

  private var kindOrScope: String {
    switch kind {
    case .forwarding: "forwarded"
    case .input: "input"
    default: scope.description
    }
  }
}
