// SPDX-License-Identifier: MIT

/// What is wrong with a registration. Its resolves throw it.
///
/// A reference, so that registrations without one, which are all but a few, stay small.
final class RegistrationFault: Sendable {
  let error: RegistrationError
  /// The key that the registration should serve too, but was refused; `nil` for attributes that contradict each other.
  let refusedKey: RegistrationKey?

  init(_ error: RegistrationError, refusedKey: RegistrationKey? = nil) {
    self.error = error
    self.refusedKey = refusedKey
  }
}

extension RegistrationAttributes {
  /// Looks for attributes that contradict each other. Modifiers come in any order: each of them has all judged again.
  mutating func judge() {
    if fault?.refusedKey != nil { return }
    fault = contradiction.map { RegistrationFault($0) }
  }

  /// Whether a look at ``contradiction`` is worth it: most registrations have nothing that could contradict anything.
  var mayContradict: Bool {
    isInput || isEager || disposers != nil || key.arguments != nil || scopeKind == .weak
      || key.name?.isValue ?? false
  }

  /// Attributes that contradict each other, if some do.
  var contradiction: RegistrationError? {
    let policy = policy
    if policy.storage != .none, takesRequester {
      return .sharingRefusesRequester(key: key, location: location)
    }
    if isInput, policy.storage != .none || isEager || hasDisposers {
      return .inputRefusesModifier(key: key, location: location)
    }
    if policy.requiresHashableArguments, key.arguments != nil, !hasHashableArguments {
      return .scopeRefusesArguments(key: key, scope: scope, location: location)
    }
    if policy.box == .weak, TypeKind(of: key.product) != .possiblyReference {
      return .weakRequiresClass(key: key, location: location)
    }
    if isEager, !policy.canBeEager || key.arguments != nil {
      return .eagerRequiresSingleton(key: key, location: location)
    }
    if hasDisposers, !policy.endsWithContainer {
      return .disposalRequiresOwner(key: key, scope: scope, location: location)
    }
    if key.name?.isValue ?? false, key.isContribution, elementType(ofArray: key.product) != nil {
      return .arrayContributed(key: key, location: location)
    }
    return nil
  }
}

extension RegistrationRecord {
  /// The error of every resolve of a registration that is at fault.
  final var faultError: ResolutionError? {
    attributes.fault.map {
      .invalidRegistration(ResolutionError.Context(failureOf: self, $0.error))
    }
  }

  /// Out of line, to keep the frames of nested resolves small.
  @inline(never)
  final func refuseFault() throws(ResolutionError) {
    if let faultError { throw faultError }
  }
}

extension ContainerCore {
  /// The errors of all registrations of this container that are at fault, in the order of registration. Lock-free.
  var faults: [ResolutionError] {
    registrations { $0.attributes.fault != nil }.compactMap(\.faultError)
  }

  func refuseFaults() throws {
    let faults = faults
    if !faults.isEmpty { throw RegistrationError.invalidRegistrations(faults) }
  }
}
