// SPDX-License-Identifier: MIT

/// Swinject, as the model or as the compatibility module.
protocol SwinjectSubject: AnyObject {
  associatedtype Container: AnyObject
  associatedtype Resolver
  associatedtype Entry
  associatedtype Identifier: Equatable
  init(_ ledger: Ledger)
  func create(
    parent: Container?, _ scope: SwinjectScope, behaviors: [Int],
    _ registering: (Container) -> Void
  ) -> Container
  /// The container as factories get it.
  func resolver(_ container: Container) -> Resolver
  func view(_ container: Container) -> Resolver
  /// The number of a container in the order of creation; `nil` for a view.
  func number(_ resolver: Resolver) -> Int?
  func register<K: Kind>(
    _ kind: K.Type, _ name: String?, _ shape: SwinjectShape, in container: Container,
    _ factory: @escaping (Resolver, String) -> K.Value
  ) -> Entry
  func scope(_ entry: Entry, _ scope: SwinjectScope)
  func complete(_ entry: Entry, _ completion: @escaping (Resolver, Any) -> Void)
  func implement<K: Kind>(_ entry: Entry, _ kind: K.Type, _ name: String?)
  func forward<K: Kind>(_ kind: K.Type, _ name: String?, to entry: Entry, in container: Container)
  func resolve<K: Kind>(
    _ kind: K.Type, _ name: String?, _ arguments: SwinjectArguments, _ form: SwinjectForm,
    from resolver: Resolver
  ) -> SwinjectFound<K.Value>
  func identify(_ resolver: Resolver) -> Identifier?
  func withGraph(
    _ container: Container, _ identifier: Identifier, _ body: (Container) throws -> String
  ) rethrows -> String
  func removeAll(_ container: Container)
  func reset<K: Kind>(_ container: Container, _ scope: SwinjectScope, _ kind: K.Type)
  func reset(_ container: Container, _ scope: SwinjectScope)
  func has<K: Kind>(_ kind: K.Type, _ name: String?, in container: Container) -> Bool
  func behave(_ container: Container, _ behavior: Int)
  func assemble(
    _ container: Container, atOnce: Bool, _ assemblies: [SwinjectAssemblyOf<Container, Resolver>])
  func describe(_ container: Container) -> String
}

/// What a resolve gives.
enum SwinjectFound<Value> {
  case missing
  case value(Value)
  /// A lazy value or a provider, and what reads its instance.
  case wrapper(AnyObject, () -> Value)
  /// `Lazy<Value>?`, which is there and empty.
  case empty
  /// A wrapper that none of the rules has.
  case unexpected
}

struct SwinjectAssemblyOf<Container, Resolver> {
  let assemble: (Container) -> Void
  let loaded: (Resolver) -> Void
}
