// SPDX-License-Identifier: MIT

extension Resolver {
  /// The container that is resolving.
  ///
  /// ```swift
  /// try container.register(Plugins.self) { resolver in
  ///   try resolver.container.register(Clock.self) { _ in Clock() }
  ///   return Plugins(clock: try resolver.resolve())
  /// }
  /// ```
  ///
  /// - Throws: ``ResolutionError/containerGone(_:)``: a resolver does not keep its container alive.
  public var container: Container {
    get throws {
      guard let container = registry.container else {
        throw registry.missing(RegistrationKey(product: Container.self))
      }
      return container
    }
  }
}
