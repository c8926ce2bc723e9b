// SPDX-License-Identifier: MIT

/// A contradiction in a registration, thrown by all resolves.
///
/// A class, so that registrations without a fault, nearly all, spend only one word.
final class RegistrationFault: Sendable {
  let error: RegistrationError
  /// The additional key that was refused; `nil` for attributes in contradiction.
  let refusedKey: RegistrationKey?

  init(_ error: RegistrationError, refusedKey: RegistrationKey? = nil) {
    self.error = error
    self.refusedKey = refusedKey
  }
}

extension RegistrationAttributes {
  /// Looks for contradictory attributes. Modifiers come in any order, so every one judges again.
  mutating func judge() {
    if fault?.refusedKey != nil { return }
    fault = contradiction.map { RegistrationFault($0) }
  }

  /// Whether ``contradiction`` needs a look: most registrations have nothing to contradict.
  @inline(__always)
  var mayContradict: Bool {
    isInput || isEager || disposers != nil || key.arguments != nil || scopeKind == .weak
      || key.name?.isValue ?? false
  }

  /// The first contradiction between attributes, if any.
  var contradiction: RegistrationError? {
    let policy = policy
    if policy.storage != .none, takesRequester {
      return .sharingRefusesRequester(key: key, location: location)
    }
    if isInput, policy.storage != .none || isEager || hasDisposers {
      return .inputRefusesModifier(key: key, location: location)
    }
    if policy.requiresHashableArguments, case .arguments(nil) = intake {
      return .scopeRefusesArguments(key: key, scope: scope, location: location)
    }
    if policy.box == .weak, TypeKind(of: key.product) != .possiblyReference {
      return .weakRequiresClass(key: key, location: location)
    }
    if isEager, !policy.isPublishedToSlot || key.arguments != nil {
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
