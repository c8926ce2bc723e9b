// SPDX-License-Identifier: MIT

// Out of line and not specialized, as `Resolver.resolve` is: a wired factory is a call per
// parameter.
extension Resolver {
  /// Resolves a parameter of a wired initializer: like ``resolve(_:)-(Product.Type)``, except for
  /// an optional, which is `nil` when nothing is registered, and for a parameter that takes an
  /// argument.
  @usableFromInline @inline(never)
  func parameter<Parameter>(_ type: Parameter.Type = Parameter.self) throws -> Parameter {
    if let arguments { return try parameter(type, from: arguments) }
    guard !isOptional(type), let slot = registry.table.cachedSlot(ofType: identity(of: type)) else {
      return try registry.resolveParameter(type, within: construction)
    }
    return try registry.resolve(type, in: slot, within: construction)
  }

  /// Resolves a parameter of a wired initializer, also of an asynchronous registration.
  @usableFromInline @inline(never)
  nonisolated(nonsending)
    func parameterAsync<Parameter>(
      _ type: Parameter.Type = Parameter.self
    ) async throws -> Parameter
  {
    if let arguments { return try await parameterAsync(type, from: arguments) }
    if let instance = registry.readyInstance(of: type, name: nil) { return instance }
    return try await registry.resolveParameterAsync(type, within: construction)
  }

  // Out of line: the metadata of the optional took 500 instructions per parameter, with or without
  // arguments.
  @inline(never)
  private func parameter<Parameter>(
    _ type: Parameter.Type, from arguments: WiredArguments
  ) throws -> Parameter {
    try arguments.next(type) ?? resolver(within: arguments.context).parameter(type)
  }

  @inline(never)
  nonisolated(nonsending)
    private func parameterAsync<Parameter>(
      _ type: Parameter.Type, from arguments: WiredArguments
    ) async throws -> Parameter
  {
    if let argument = arguments.next(type) { return argument }
    return try await resolver(within: arguments.context).parameterAsync(type)
  }

  private func resolver(within context: ResolutionContext?) -> Resolver {
    Resolver(registry: registry, construction: context)
  }
}
