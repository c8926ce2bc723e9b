// SPDX-License-Identifier: MIT

/// The parameters of an initializer that a registration is wired by.
///
/// Types only, as each registration makes one; see `dependencies` for what they are resolved by.
@usableFromInline
final class WiredParameters: Sendable {
  /// The types of the parameters, in their order.
  let types: [any Any.Type]
  /// The type of the first argument that no parameter takes; `nil` if all are taken.
  let unusedArgument: (any Any.Type)?

  /// For each parameter, the position of the argument that it takes; empty if there are no arguments.
  private let positions: [Int?]

  /// - Parameters:
  ///   - types: the types of the parameters.
  ///   - arguments: the types of the resolve's arguments. A parameter whose type is that of the next argument takes it.
  init(_ types: [any Any.Type], arguments: [any Any.Type] = []) {
    self.types = types
    guard !arguments.isEmpty else {
      (positions, unusedArgument) = ([], nil)
      return
    }
    var next = 0
    positions = types.map { type in
      guard next < arguments.count, arguments[next] == type else { return nil }
      next += 1
      return next - 1
    }
    unusedArgument = next < arguments.count ? arguments[next] : nil
  }

  /// The position of the argument that a parameter takes; `nil` if it is resolved.
  func argument(of parameter: Int) -> Int? {
    positions.isEmpty ? nil : positions[parameter]
  }
}

/// The arguments of a resolve, on their way to the parameters of an initializer.
///
/// In the place of a context, in a resolver that is asked for the parameters, one after the other, and for nothing else: a
/// factory without arguments gets its own resolver, and pays nothing for those that have some. It is never entered.
// SAFETY: the resolve that has made it uses it alone. The arguments of an asynchronous one are Sendable, as `resolveAsync`
// demands.
final class WiredArguments: ResolutionContext, @unchecked Sendable {
  /// The context of the factory's own resolver.
  let context: ResolutionContext?

  private let values: [Any]
  private let parameters: WiredParameters?
  private var nextParameter = 0

  init(_ values: [Any], of parameters: WiredParameters?, within context: ResolutionContext?) {
    self.values = values
    self.parameters = parameters
    self.context = context
    super.init(requestedBy: context)
  }

  /// The argument that the next parameter takes; `nil` if the parameter is resolved.
  func next<Parameter>(_ type: Parameter.Type) -> Parameter? {
    defer { nextParameter += 1 }
    return parameters?.argument(of: nextParameter).map { position in
      guard let argument = values[position] as? Parameter else {
        preconditionFailure("WiredArguments.next: it must have the type of its parameter")
      }
      return argument
    }
  }
}

extension Resolver {
  /// The resolver that a factory gets its parameters from, arguments among them.
  func giving(_ values: [Any], to parameters: WiredParameters?) -> Resolver {
    Resolver(
      registry: registry,
      construction: WiredArguments(values, of: parameters, within: construction))
  }

  /// The arguments that a factory of an initializer takes its parameters from, if it takes any.
  var arguments: WiredArguments? {
    guard let construction, type(of: construction) == WiredArguments.self else { return nil }
    // SAFETY: it is of this class.
    return unsafe unsafeDowncast(construction, to: WiredArguments.self)
  }
}
