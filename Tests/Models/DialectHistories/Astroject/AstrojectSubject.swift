// SPDX-License-Identifier: MIT

/// Astroject, as the model or as the compatibility module.
protocol AstrojectSubject: AnyObject {
  associatedtype Container: AnyObject
  associatedtype Resolver
  init(_ ledger: Ledger)
  func create() -> Container
  /// - Returns: what releases the instance object, if there is one.
  func register<K: Kind>(
    _ kind: K.Type, _ registration: AstrojectRegistration, in container: Container,
    _ factory: @escaping (Resolver) throws -> K.Value, _ action: @escaping (K.Value) throws -> Void
  ) throws -> (() -> Void)?
  func resolve<K: Kind>(
    _ kind: K.Type, _ name: String?, isAsync: Bool, from container: Container
  ) throws -> K.Value
  func resolve<K: Kind>(_ kind: K.Type, _ name: String?, within resolver: Resolver) throws
    -> K.Value
  func isRegistered<K: Kind>(_ kind: K.Type, _ name: String?, in container: Container) -> Bool
  func clear(_ container: Container)
  func add(behavior: Int, to container: Container)
  func apply(
    _ assemblies: [(id: String?, assemble: (Container) -> Void, loaded: (Resolver) -> Void)],
    to container: Container)
  func text(of error: any Error) -> String
}
