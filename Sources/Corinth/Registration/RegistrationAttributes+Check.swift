// SPDX-License-Identifier: MIT

extension RegistrationAttributes {
  /// Refuses attributes that contradict each other.
  func check() throws(RegistrationError) {
    let policy = scope.policy
    if policy.requiresHashableArguments, key.arguments != nil, !hasHashableArguments {
      throw .scopeRefusesArguments(key: key, scope: scope, location: location)
    }
    if policy.box == .weak, TypeKind(of: key.product) != .possiblyReference {
      throw .weakRequiresClass(key: key, location: location)
    }
    if isEager, !policy.canBeEager || key.arguments != nil {
      throw .eagerRequiresSingleton(key: key, location: location)
    }
    if !lifecycle.disposers.isEmpty, !policy.endsWithContainer {
      throw .disposalRequiresOwner(key: key, scope: scope, location: location)
    }
  }
}
