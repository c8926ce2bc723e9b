// SPDX-License-Identifier: MIT

/// The parameters of a registration's wired initializer.
///
/// Types only, as every registration makes such an object; see `dependencies` for the keys.
@usableFromInline
final class WiredParameters: Sendable {
  /// The types of the parameters, in their order.
  let types: [any Any.Type]
  /// The type of the first argument taken by no parameter; `nil` if all are taken.
  let unusedArgument: (any Any.Type)?

  /// For each parameter, the position of the argument taken by it; empty without arguments.
  private let positions: [Int?]

  /// - Parameters:
  ///   - types: the types of the parameters.
  ///   - arguments: the types of the arguments. A parameter takes the next argument of its type.
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

  /// The position of a parameter's argument; `nil` for a resolved parameter.
  func argument(of parameter: Int) -> Int? {
    positions.isEmpty ? nil : positions[parameter]
  }
}

/// The arguments of a resolve, on their way to the parameters of an initializer.
///
/// Takes the place of a context in the resolver of a wired initializer, which only asks for the
/// parameters in turn. A factory without arguments gets its own resolver, and pays nothing for
/// factories with some. Never entered.
// SAFETY: used only by the resolve that made it. Asynchronous resolves have Sendable arguments.
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

  override var wiredArguments: WiredArguments? { self }

  /// The argument for the next parameter; `nil` for a resolved parameter.
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
  /// The resolver from which a factory gets all parameters, arguments included.
  func giving(_ values: [Any], to parameters: WiredParameters?) -> Resolver {
    Resolver(
      registry: registry,
      construction: WiredArguments(values, of: parameters, within: construction))
  }

  /// The arguments for the parameters of a wired factory, if the factory takes any.
  var arguments: WiredArguments? { construction?.wiredArguments }
}
