// SPDX-License-Identifier: MIT

/// The arguments of a resolve, on their way to the parameters of an initialiser.
@usableFromInline
// SAFETY: the arguments of a synchronous resolve stay on its thread; those of an asynchronous one are Sendable, as the
// overloads of `registerAsync` demand.
struct WiredArguments: @unchecked Sendable {
  let resolver: Resolver

  private let values: [Any]
  private let parameters: WiredParameters

  init(_ resolver: Resolver, _ values: [Any], for parameters: WiredParameters) {
    self.resolver = resolver
    self.values = values
    self.parameters = parameters
  }

  /// The argument that a parameter takes; `nil` if the parameter is resolved.
  func argument<Parameter>(_ index: Int, _ type: Parameter.Type) -> Parameter? {
    parameters.argument(of: index).map { position in
      guard let argument = values[position] as? Parameter else {
        preconditionFailure("WiredArguments.argument: it must have the type of its parameter")
      }
      return argument
    }
  }
}
