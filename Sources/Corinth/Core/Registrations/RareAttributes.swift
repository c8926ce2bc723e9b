// SPDX-License-Identifier: MIT

/// The properties that few registrations have: in an object of their own, as attributes are copied often.
struct RareAttributes: Sendable {
  var lifecycle = Lifecycle()
  /// Of a registration that is cached, or for request scopes of a name.
  var scopeDetail: AnyScope.Detail?
  /// Whether its factory is told who asks.
  var takesRequester = false
  /// The other scopes that were asked for before; `nil` for none.
  var overruledScopes: [AnyScope]?
  /// What the modifiers contradict each other in, if they do.
  var fault: RegistrationFault?
  /// What a factory that is a closure resolves, as its author says; `nil` if nothing is said.
  var declaredDependencies: [RegistrationKey]?
  /// Of a forward: the registrations of its key that it has replaced, but for forwards to the same.
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
