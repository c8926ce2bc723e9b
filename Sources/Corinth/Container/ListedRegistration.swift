// SPDX-License-Identifier: MIT

/// A registration as ``Container/registrations`` lists it: a value, which does not change with the container.
///
/// ```swift
/// for registration in container.registrations where registration.isBuilt { print(registration) }
/// ```
public struct ListedRegistration: Sendable {
  /// How the instances are made.
  @nonexhaustive
  public enum Kind: Sendable, Hashable {
    /// By a factory.
    case factory
    /// By a factory that takes arguments.
    case factoryWithArguments
    /// By an asynchronous factory, with arguments if the key has some.
    case asynchronousFactory
    /// They are those of another registration.
    case forwarding
    /// There is one, the value that was registered.
    case value
    /// Request scopes are made with them.
    case input
  }

  /// The key that it is registered under.
  public let key: RegistrationKey
  /// Which resolves share its instances.
  public let scope: AnyScope
  /// How the instances are made.
  public let kind: Kind
  /// Whether the registration stores an instance: of a singleton, a weak or a cached registration. Scopes store `.scoped`
  /// instances, and an ``Instance`` of yours its own: `false` for these.
  public let isBuilt: Bool
  /// Whether ``Container/warmUp(validating:)`` builds it.
  public let isEager: Bool
  /// Whether another registration of its key may override it.
  public let isOverridable: Bool
  /// The keys that it says it depends on, in their order: the parameters of an initialiser, and what is declared. `nil` if it
  /// says nothing, as a closure. ``Container/graph()`` has what was recorded, too, and who serves the keys.
  public let dependencies: [RegistrationKey]?
  /// The contradiction between its modifiers, if there is one: its resolves throw it.
  public let fault: RegistrationError?
  /// Where it was made.
  public let location: SourceLocation
  /// 0 for the container that was asked, 1 for its parent, and so on. A version of a ``ReloadableContainer`` and the container
  /// that it is made of count as one.
  public let level: Int

  /// Numbers registrations in the order in which they were made.
  let serial: UInt64

  init(_ found: RegistrationRecord, level: Int = 0) {
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
  fileprivate init(_ kind: RegistrationRecord.FactoryKind) {
    switch kind {
    case .simple: self = .factory
    case .withArguments: self = .factoryWithArguments
    case .asynchronous: self = .asynchronousFactory
    case .forwarding: self = .forwarding
    case .constant: self = .value
    }
  }
}

extension ListedRegistration: CustomStringConvertible {
  /// One line, such as `Database named "mysql": singleton, built, App/main.swift:12`.
  public var description: String {
    var parts = [kindOrScope]
    if kind == .asynchronousFactory { parts.append("asynchronous") }
    if isEager { parts.append("eager") }
    if isBuilt { parts.append("built") }
    if !isOverridable { parts.append("not overridable") }
    if fault != nil { parts.append("invalid") }
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
