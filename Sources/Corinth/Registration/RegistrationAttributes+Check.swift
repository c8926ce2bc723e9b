// SPDX-License-Identifier: MIT

extension RegistrationAttributes {
  /// Refuses what does not go together.
  func check() throws(RegistrationError) {
    if scope.kind != .transient, key.arguments != nil, !hasHashableArguments {
      throw .scopeRefusesArguments(key: key, scope: scope, location: location)
    }
    if scope.kind == .weak, TypeKind(of: key.product) != .possiblyReference {
      throw .weakRequiresClass(key: key, location: location)
    }
    if isEager, scope != .singleton || key.arguments != nil {
      throw .eagerRequiresSingleton(key: key, location: location)
    }
    if !lifecycle.disposers.isEmpty, !scope.endsWithContainer {
      throw .disposalRequiresOwner(key: key, scope: scope, location: location)
    }
  }
}
