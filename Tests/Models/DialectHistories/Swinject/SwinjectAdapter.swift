// SPDX-License-Identifier: MIT

import SwinjectDialect

/// Swinject as the compatibility module has it.
final class SwinjectAdapter: SwinjectSubject {
  typealias Container = SwinjectDialect.Container
  typealias Resolver = any SwinjectDialect.Resolver

  /// An entry, without its type.
  struct Entry {
    let inScope: (ObjectScope) -> Void
    let complete: (@escaping (Resolver, Any) -> Void) -> Void
    let implement: (any Kind.Type, String?) -> Void
    let forward: (any Kind.Type, String?, Container) -> Void

    init<Service>(_ entry: ServiceEntry<Service>) {
      func implement<K: Kind>(_ kind: K.Type, _ name: String?) {
        if let name {
          entry.implements(K.Value.self, name: name)
        } else {
          entry.implements(K.Value.self)
        }
      }
      func forward<K: Kind>(_ kind: K.Type, _ name: String?, in container: Container) {
        container.forward(K.Value.self, name: name, to: entry)
      }
      inScope = { entry.inObjectScope($0) }
      complete = { completion in entry.initCompleted { completion($0, $1) } }
      self.implement = { implement($0, $1) }
      self.forward = { forward($0, $1, in: $2) }
    }
  }

  private struct Note: Behavior {
    let number: Int
    let ledger: Ledger

    func container<Type, Service>(
      _ container: Container, didRegisterType type: Type.Type,
      toService entry: ServiceEntry<Service>, withName name: String?
    ) {
      ledger.note("b\(number) \(Type.self) of \(Service.self) \(name ?? "-")")
    }
  }

  private final class Shelf: InstanceStorage {
    private var kept: Any?
    private let ledger: Ledger

    init(_ ledger: Ledger) { self.ledger = ledger }

    var instance: Any? {
      get {
        ledger.note("shelf is read")
        return kept
      }
      set {
        ledger.note(newValue == nil ? "shelf is reset" : "shelf gets")
        kept = newValue
      }
    }

    func graphResolutionCompleted() { ledger.note("shelf's graph ends") }
  }

  private final class Assembled: Assembly {
    private let parts: SwinjectAssemblyOf<Container, Resolver>

    init(_ parts: SwinjectAssemblyOf<Container, Resolver>) { self.parts = parts }

    func assemble(container: Container) { parts.assemble(container) }
    func loaded(resolver: Resolver) { parts.loaded(resolver) }
  }

  private struct Created {
    weak var container: Container?
  }

  private let ledger: Ledger
  private let scopes: [SwinjectScope: ObjectScope]
  private var created: [Created] = []

  init(_ ledger: Ledger) {
    self.ledger = ledger
    scopes = [
      .graph: .graph, .container: .container, .weak: .weak, .transient: .transient,
      .own: ObjectScope(storageFactory: PermanentStorage.init, description: "own"),
      .weakly: ObjectScope(
        storageFactory: WeakStorage.init, description: "weakly", parent: ObjectScope.graph),
      .inherited: ObjectScope(
        storageFactory: TransientStorage.init, description: "inherited",
        parent: ObjectScope.container),
      .shelf: ObjectScope(storageFactory: { Shelf(ledger) }, description: "shelf"),
    ]
  }

  private func settled(_ scope: SwinjectScope) -> ObjectScope {
    guard let scope = scopes[scope] else { preconditionFailure("every scope is there") }
    return scope
  }

  func create(
    parent: Container?, _ scope: SwinjectScope, behaviors: [Int],
    _ registering: (Container) -> Void
  ) -> Container {
    Container(
      parent: parent, defaultObjectScope: settled(scope),
      behaviors: behaviors.map { Note(number: $0, ledger: ledger) }
    ) { container in
      created.append(Created(container: container))
      registering(container)
    }
  }

  func resolver(_ container: Container) -> Resolver { container }
  func view(_ container: Container) -> Resolver { container.synchronize() }

  func number(_ resolver: Resolver) -> Int? {
    created.firstIndex { $0.container === resolver as AnyObject }.map { $0 + 1 }
  }

  func register<K: Kind>(
    _ kind: K.Type, _ name: String?, _ shape: SwinjectShape, in container: Container,
    _ factory: @escaping (Resolver, String) -> K.Value
  ) -> Entry {
    let type = K.Value.self
    switch shape {
    case .none:
      return Entry(container.register(type, name: name) { factory($0, "") })
    case .number:
      return Entry(
        container.register(type, name: name) { (resolver, first: Int) in
          factory(resolver, "\(first)")
        })
    case .text:
      return Entry(
        container.register(type, name: name) { (resolver, first: String) in
          factory(resolver, first)
        })
    case .numbers:
      return Entry(
        container.register(type, name: name) { (resolver, first: Int, second: Int) in
          factory(resolver, "\(first), \(second)")
        })
    case .mixed:
      return Entry(
        container.register(type, name: name) { (resolver, first: Int, second: String) in
          factory(resolver, "\(first), \(second)")
        })
    }
  }

  func scope(_ entry: Entry, _ scope: SwinjectScope) { entry.inScope(settled(scope)) }

  func complete(_ entry: Entry, _ completion: @escaping (Resolver, Any) -> Void) {
    entry.complete(completion)
  }

  func implement<K: Kind>(_ entry: Entry, _ kind: K.Type, _ name: String?) {
    entry.implement(kind, name)
  }

  func forward<K: Kind>(_ kind: K.Type, _ name: String?, to entry: Entry, in container: Container) {
    entry.forward(kind, name, container)
  }

  func resolve<K: Kind>(
    _ kind: K.Type, _ name: String?, _ arguments: SwinjectArguments, _ form: SwinjectForm,
    from resolver: Resolver
  ) -> SwinjectFound<K.Value> {
    switch form {
    case .plain:
      return resolve(K.Value.self, name, arguments, from: resolver).map { .value($0) } ?? .missing
    case .lazy:
      let found = resolve(Lazy<K.Value>.self, name, arguments, from: resolver)
      return found.map { lazy in .wrapper(lazy, { [unowned lazy] in lazy.instance }) } ?? .missing
    case .provider:
      let found = resolve(Provider<K.Value>.self, name, arguments, from: resolver)
      return found.map { provider in
        .wrapper(provider, { [unowned provider] in provider.instance })
      } ?? .missing
    case .lazyOfLazy:
      let found = resolve(Lazy<Lazy<K.Value>>.self, name, arguments, from: resolver)
      return found == nil ? .missing : .unexpected
    case .optionalLazy:
      let found = resolve(Lazy<K.Value>?.self, name, arguments, from: resolver)
      return found.map { $0 == nil ? .empty : .unexpected } ?? .missing
    }
  }

  private func resolve<Service>(
    _ type: Service.Type, _ name: String?, _ arguments: SwinjectArguments, from resolver: Resolver
  ) -> Service? {
    switch (arguments, name) {
    case (.none, nil): resolver.resolve(type)
    case (.none, let name): resolver.resolve(type, name: name)
    case (.number(let first), nil): resolver.resolve(type, argument: first)
    case (.number(let first), let name): resolver.resolve(type, name: name, argument: first)
    case (.text(let first), nil): resolver.resolve(type, argument: first)
    case (.text(let first), let name): resolver.resolve(type, name: name, argument: first)
    case (.numbers(let first, let second), nil):
      resolver.resolve(type, arguments: first, second)
    case (.numbers(let first, let second), let name):
      resolver.resolve(type, name: name, arguments: first, second)
    case (.mixed(let first, let second), nil): resolver.resolve(type, arguments: first, second)
    case (.mixed(let first, let second), let name):
      resolver.resolve(type, name: name, arguments: first, second)
    }
  }

  func identify(_ resolver: Resolver) -> GraphIdentifier? {
    resolver.resolve(GraphIdentifier.self)
  }

  func withGraph(
    _ container: Container, _ identifier: GraphIdentifier,
    _ body: (Container) throws -> String
  ) rethrows -> String {
    try container.withObjectGraph(identifier, closure: body)
  }

  func removeAll(_ container: Container) { container.removeAll() }

  func reset<K: Kind>(_ container: Container, _ scope: SwinjectScope, _ kind: K.Type) {
    container.resetObjectScope(settled(scope), serviceType: K.Value.self)
  }

  func reset(_ container: Container, _ scope: SwinjectScope) {
    container.resetObjectScope(settled(scope))
  }

  func has<K: Kind>(_ kind: K.Type, _ name: String?, in container: Container) -> Bool {
    container.hasAnyRegistration(of: K.Value.self, name: name)
  }

  func behave(_ container: Container, _ behavior: Int) {
    container.addBehavior(Note(number: behavior, ledger: ledger))
  }

  func assemble(
    _ container: Container, atOnce: Bool, _ assemblies: [SwinjectAssemblyOf<Container, Resolver>]
  ) {
    if atOnce {
      _ = Assembler(assemblies.map(Assembled.init), container: container)
    } else {
      let assembler = Assembler(container: container)
      for assembly in assemblies { assembler.apply(assembly: Assembled(assembly)) }
    }
  }

  func describe(_ container: Container) -> String { container.description }
}
