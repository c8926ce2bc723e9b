// SPDX-License-Identifier: MIT

// Out of line and not specialised, as `Resolver.resolve` is: a wired factory is one call for each parameter.
extension Resolver {
  /// Resolves a parameter of a wired initialiser: as ``resolve(_:)-(Product.Type)``, but for an optional, which is `nil` when
  /// nothing is registered.
  @usableFromInline @inline(never)
  func parameter<Parameter>(_ type: Parameter.Type = Parameter.self) throws -> Parameter {
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
    if let instance = registry.readyInstance(of: type, name: nil) { return instance }
    return try await registry.resolveParameterAsync(type, within: construction)
  }
}

extension WiredArguments {
  /// The value of a parameter: the argument that it takes, or an instance of its type.
  @usableFromInline
  func parameter<Parameter>(
    _ index: Int, _ type: Parameter.Type = Parameter.self
  ) throws -> Parameter {
    try argument(index, type) ?? resolver.parameter(type)
  }

  /// The same, for asynchronous registrations too.
  @usableFromInline
  nonisolated(nonsending)
    func parameterAsync<Parameter>(
      _ index: Int, _ type: Parameter.Type = Parameter.self
    ) async throws -> Parameter
  {
    if let argument = argument(index, type) { return argument }
    return try await resolver.parameterAsync(type)
  }
}
