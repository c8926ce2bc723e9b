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
    let contents: RareAttributes

    init(_ contents: RareAttributes) {
      self.contents = contents
    }
  }
}

extension RegistrationAttributes {
  var lifecycle: Lifecycle {
    get { rare?.contents.lifecycle ?? Lifecycle() }
    set { if rare != nil || !newValue.isEmpty { changeRare { $0.lifecycle = newValue } } }
  }

  var takesRequester: Bool {
    get { rare?.contents.takesRequester ?? false }
    set { changeRare { $0.takesRequester = newValue } }
  }

  var overruledScopes: [AnyScope]? {
    get { rare?.contents.overruledScopes }
    set { changeRare { $0.overruledScopes = newValue } }
  }

  var fault: RegistrationFault? {
    get { rare?.contents.fault }
    set { if newValue !== fault { changeRare { $0.fault = newValue } } }
  }

  var declaredDependencies: [RegistrationKey]? {
    get { rare?.contents.declaredDependencies }
    set {
      DeferredDependencies.noteDescribed()
      changeRare { $0.declaredDependencies = newValue }
    }
  }

  var replacedRegistrations: [ReplacedRegistration] {
    get { rare?.contents.replacedRegistrations ?? [] }
    set { changeRare { $0.replacedRegistrations = newValue } }
  }

  mutating func changeRare(_ change: (inout RareAttributes) -> Void) {
    var values = rare?.contents ?? RareAttributes()
    change(&values)
    rare = RareAttributes.Box(values)
  }
}
