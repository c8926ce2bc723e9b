// SPDX-License-Identifier: MIT

// Out of line and not specialised, as `Resolver.resolve` is: a wired factory is one call for each parameter.
extension Resolver {
  /// Resolves a parameter of a wired initialiser: as ``resolve(_:)-(Product.Type)``, but for an optional, which is `nil` when
  /// nothing is registered, and for one that takes an argument.
  @usableFromInline @inline(never)
  func parameter<Parameter>(_ type: Parameter.Type = Parameter.self) throws -> Parameter {
    if let arguments {
      return try arguments.next(type) ?? resolver(within: arguments.context).parameter(type)
    }
    guard !isOptional(type), let slot = registry.table.cachedSlot(ofType: identity(of: type)) else {
      return try registry.resolveParameter(type, within: construction)
    }
    return try registry.resolve(type, in: slot, within: construction)
  }

  /// The same, for asynchronous registrations too.
  @usableFromInline @inline(never)
  nonisolated(nonsending)
    func parameterAsync<Parameter>(
      _ type: Parameter.Type = Parameter.self
    ) async throws -> Parameter
  {
    if let arguments {
      if let argument = arguments.next(type) { return argument }
      return try await resolver(within: arguments.context).parameterAsync(type)
    }
    if let instance = registry.readyInstance(of: type, name: nil) { return instance }
    return try await registry.resolveParameterAsync(type, within: construction)
  }

  private func resolver(within context: ResolutionContext?) -> Resolver {
    Resolver(registry: registry, construction: context)
  }
}
