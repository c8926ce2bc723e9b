// SPDX-License-Identifier: MIT

/// A parameter of a wired initializer, as far as known without resolving the parameter.
struct Dependency: Sendable, Hashable {
  enum Kind: Sendable {
    case required
    /// `nil` if nothing is registered.
    case optional
    /// Resolved at first use.
    case lazy
    /// Resolved at every use.
    case provider
    /// All registrations of the key's type.
    case collection
    /// Given by the resolve.
    case argument
    /// The container's own: a ``ScopeFactory``.
    case container
  }

  /// The key of the parameter's declared type, whose registration comes first.
  let parameter: RegistrationKey
  /// The fallback key: the declared type without optionals, arrays and other wrappers.
  let key: RegistrationKey
  /// The key's roles by these wrappers, outermost first: for `Provider<T>?`, optional and provider.
  let kinds: [Kind]

  /// The outermost role.
  var kind: Kind { kinds.first ?? .required }

  private init(_ type: any Any.Type, key: RegistrationKey, kinds: [Kind]) {
    parameter = RegistrationKey(product: type)
    self.key = key
    self.kinds = kinds
  }

  init(argument type: any Any.Type) {
    self.init(type, key: RegistrationKey(product: type), kinds: [.argument])
  }

  init(parameter type: any Any.Type) {
    var (content, name): (any Any.Type, Name?) = (type, nil)
    var kinds: [Kind] = []
    if let wrapped = wrappedType(ofOptional: content) {
      kinds.append(.optional)
      content = wrapped
    }
    while let derived = derivedProduct(content) {
      if derived.dependencyKind != .required { kinds.append(derived.dependencyKind) }
      (content, name) = (derived.content, derived.contentName(name))
    }
    self.init(type, key: RegistrationKey(product: content, name: name), kinds: kinds)
  }
}

extension WiredParameters {
  /// The dependencies for the parameters, in order.
  var dependencies: [Dependency] {
    types.enumerated().map { index, type in
      argument(of: index) == nil ? Dependency(parameter: type) : Dependency(argument: type)
    }
  }
}
