// SPDX-License-Identifier: MIT

/// A parameter of a wired initializer, as far as it can be told without resolving it.
struct Dependency: Sendable, Hashable {
  enum Kind: Sendable {
    case required
    /// `nil` if nothing is registered.
    case optional
    /// Resolved at first use.
    case lazy
    /// Resolved at each use.
    case provider
    /// All registrations of the key's type.
    case collection
    /// Given by the resolve.
    case argument
    /// Of the container itself: a ``ScopeFactory``.
    case container
  }

  /// The key of the parameter's own type. A registration of it comes first.
  let parameter: RegistrationKey
  /// The key that it is resolved by otherwise, stripped of all optionals, arrays and the like.
  let key: RegistrationKey
  /// The roles that these give to the key, outermost first: `[.optional, .provider]` for `Provider<T>?`.
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
  /// The dependencies that the parameters stand for, in their order.
  var dependencies: [Dependency] {
    types.enumerated().map { index, type in
      argument(of: index) == nil ? Dependency(parameter: type) : Dependency(argument: type)
    }
  }
}
