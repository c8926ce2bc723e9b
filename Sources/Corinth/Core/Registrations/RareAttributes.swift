// SPDX-License-Identifier: MIT

/// The attributes few registrations have: in a separate object, as attributes are often copied.
struct RareAttributes: Sendable {
  var lifecycle = Lifecycle()
  /// The policy of a cache, or the name of the request scopes with the instances.
  var scopeDetail: AnyScope.Detail?
  /// Whether the factory receives the requester.
  var takesRequester = false
  /// The scopes asked for by earlier modifiers; `nil` for none.
  var overruledScopes: [AnyScope]?
  /// The contradiction between modifiers, if there is any.
  var fault: RegistrationFault?
  /// The keys resolved by a closure, as declared by its author; `nil` if nothing is declared.
  var declaredDependencies: [RegistrationKey]?
  /// For a forward: the registrations replaced under its key, except forwards to its target.
  var replacedRegistrations: [ReplacedRegistration] = []

  final class Box: Sendable {
    let values: RareAttributes

    init(_ values: RareAttributes) {
      self.values = values
    }
  }
}

extension RegistrationAttributes {
  var lifecycle: Lifecycle {
    get { rare?.values.lifecycle ?? Lifecycle() }
    set { if rare != nil || !newValue.isEmpty { changeRare { $0.lifecycle = newValue } } }
  }

  var takesRequester: Bool {
    get { rare?.values.takesRequester ?? false }
    set { changeRare { $0.takesRequester = newValue } }
  }

  var overruledScopes: [AnyScope]? {
    get { rare?.values.overruledScopes }
    set { changeRare { $0.overruledScopes = newValue } }
  }

  var fault: RegistrationFault? {
    get { rare?.values.fault }
    set { if newValue !== fault { changeRare { $0.fault = newValue } } }
  }

  var declaredDependencies: [RegistrationKey]? {
    get { rare?.values.declaredDependencies }
    set {
      DeferredDependencies.noteDescribed()
      changeRare { $0.declaredDependencies = newValue }
    }
  }

  var replacedRegistrations: [ReplacedRegistration] {
    get { rare?.values.replacedRegistrations ?? [] }
    set { changeRare { $0.replacedRegistrations = newValue } }
  }

  mutating func changeRare(_ change: (inout RareAttributes) -> Void) {
    var values = rare?.values ?? RareAttributes()
    change(&values)
    rare = RareAttributes.Box(values)
  }
}
