// SPDX-License-Identifier: MIT

/// Swinject as its document has it, on one thread.
final class SwinjectModel: SwinjectSubject {
  struct Key: Hashable {
    let type: ObjectIdentifier
    let shape: SwinjectShape
    let name: String?
  }

  final class Entry {
    let typeName: String
    let shape: SwinjectShape
    let factory: (Container, String) -> Any
    var scope: SwinjectScope
    var completions: [(Container, Any) -> Void] = []
    private(set) weak var container: Container?
    private let ledger: Ledger
    private var made: SwinjectStorage?

    /// Made by the first resolve or reset: another scope later changes nothing of it.
    var storage: SwinjectStorage {
      if let made { return made }
      let new = SwinjectModel.storage(scope, ledger)
      made = new
      return new
    }

    init(
      _ typeName: String, _ shape: SwinjectShape, in container: Container, _ ledger: Ledger,
      _ factory: @escaping (Container, String) -> Any
    ) {
      self.typeName = typeName
      self.shape = shape
      self.factory = factory
      self.container = container
      self.ledger = ledger
      scope = container.scope
    }

    func reset() { storage.reset() }
  }

  final class Container {
    let number: Int?
    let parent: Container?
    let scope: SwinjectScope
    var behaviors: [Int]
    var entries: [Key: (entry: Entry, typeName: String)] = [:]
    var graph: Int?
    private var depth = 0
    /// What has got an instance since the outermost resolve began.
    private var stored: [Entry] = []
    /// The graphs that it has been in since then.
    private var visited: [Int] = []
    private let model: SwinjectModel

    init(
      _ model: SwinjectModel, _ number: Int?, _ parent: Container?, _ scope: SwinjectScope,
      _ behaviors: [Int]
    ) {
      self.model = model
      self.number = number
      self.parent = parent
      self.scope = scope
      self.behaviors = behaviors
    }

    deinit { model.ledger.retire(entries) }

    func begin() {
      parent?.begin()
      if depth == 0, graph == nil { enter(model.nextGraph()) }
      depth += 1
    }

    func enter(_ graph: Int) {
      self.graph = graph
      visited.append(graph)
      model.visitors[graph, default: 0] += 1
    }

    func end() {
      parent?.end()
      depth -= 1
      guard depth == 0 else { return }
      graph = nil
      let (ended, left) = (stored, visited)
      (stored, visited) = ([], [])
      for entry in ended { entry.storage.complete() }
      for graph in left { model.leave(graph) }
    }

    func entry(_ key: Key) -> Entry? { entries[key]?.entry ?? parent?.entry(key) }

    func put(_ entry: Entry, _ key: Key, _ typeName: String, _ name: String?) {
      entries[key].map(model.ledger.retire)
      entries[key] = (entry, typeName)
      for behavior in behaviors {
        model.ledger.note("b\(behavior) \(typeName) of \(entry.typeName) \(name ?? "-")")
      }
    }

    /// An instance of an entry: the kept one, or a new one.
    func instance<Service>(of entry: Entry, _ arguments: SwinjectArguments) -> Service? {
      begin()
      defer { end() }
      guard let graph else { preconditionFailure("a resolve has a graph") }
      if let kept: Service = kept(by: entry, in: graph) { return kept }
      let made = entry.factory(self, arguments.description)
      // The factory may have asked for the service itself, by way of a completion.
      if let kept: Service = kept(by: entry, in: graph) { return kept }
      entry.storage.set(made, in: graph)
      stored.append(entry)
      model.held[graph, default: []].append(entry.storage)
      guard let service = made as? Service else { return nil }
      for completion in entry.completions { completion(self, service) }
      return service
    }

    /// In two steps: a missing instance would be one of an optional type.
    private func kept<Service>(by entry: Entry, in graph: Int) -> Service? {
      guard let kept = entry.storage.instance(in: graph) else { return nil }
      return kept as? Service
    }

    func reset(_ scope: SwinjectScope) {
      for (entry, _) in entries.values where entry.scope == scope { entry.reset() }
      parent?.reset(scope)
    }

    func reset(_ scope: SwinjectScope, _ type: ObjectIdentifier) {
      let own = entries.filter { $0.key.type == type }
      guard !own.isEmpty else { return }
      for (entry, _) in own.values where entry.scope == scope { entry.reset() }
      parent?.reset(scope, type)
    }
  }

  final class Lazily<Value> {
    private var value: Value?
    private var isResolving = false
    private let make: () -> Value

    init(_ make: @escaping () -> Value) { self.make = make }

    /// Migration, "What differs": what is read while it is resolved resolves it again, and is not
    /// kept.
    var instance: Value {
      if let value { return value }
      if isResolving { return make() }
      isResolving = true
      defer { isResolving = false }
      let made = make()
      value = made
      return made
    }
  }

  final class Provides<Value> {
    let make: () -> Value

    init(_ make: @escaping () -> Value) { self.make = make }
  }

  private let ledger: Ledger
  private var graphs = 0
  private var containers = 0
  /// How many containers are in a graph.
  private var visitors: [Int: Int] = [:]
  /// What has instances of a graph.
  private var held: [Int: [SwinjectStorage]] = [:]

  init(_ ledger: Ledger) { self.ledger = ledger }

  private func nextGraph() -> Int {
    graphs += 1
    return graphs
  }

  private func leave(_ graph: Int) {
    visitors[graph, default: 0] -= 1
    guard visitors[graph] == 0 else { return }
    for storage in held.removeValue(forKey: graph) ?? [] { storage.leave(graph) }
  }

  static func storage(_ scope: SwinjectScope, _ ledger: Ledger) -> SwinjectStorage {
    switch scope {
    case .graph: SwinjectGraphs()
    case .container, .own: SwinjectPermanent(ledger)
    case .weak, .weakly: SwinjectComposite(SwinjectWeakly(), SwinjectGraphs())
    case .transient: SwinjectStorage()
    case .inherited: SwinjectComposite(SwinjectStorage(), SwinjectPermanent(ledger))
    case .shelf: SwinjectShelf(ledger)
    }
  }

  func create(
    parent: Container?, _ scope: SwinjectScope, behaviors: [Int],
    _ registering: (Container) -> Void
  ) -> Container {
    containers += 1
    let container = Container(self, containers, parent, scope, behaviors)
    registering(container)
    return container
  }

  func resolver(_ container: Container) -> Container { container }
  func view(_ container: Container) -> Container {
    Container(self, nil, container, container.scope, [])
  }
  func number(_ resolver: Container) -> Int? { resolver.number }

  private func key<K: Kind>(_ kind: K.Type, _ shape: SwinjectShape, _ name: String?) -> Key {
    Key(type: K.identifier, shape: shape, name: name)
  }

  func register<K: Kind>(
    _ kind: K.Type, _ name: String?, _ shape: SwinjectShape, in container: Container,
    _ factory: @escaping (Container, String) -> K.Value
  ) -> Entry {
    let entry = Entry("\(K.Value.self)", shape, in: container, ledger, factory)
    container.put(entry, key(kind, shape, name), entry.typeName, name)
    return entry
  }

  func scope(_ entry: Entry, _ scope: SwinjectScope) { entry.scope = scope }

  func complete(_ entry: Entry, _ completion: @escaping (Container, Any) -> Void) {
    entry.completions.append(completion)
  }

  func implement<K: Kind>(_ entry: Entry, _ kind: K.Type, _ name: String?) {
    guard let container = entry.container else { return }
    forward(kind, name, to: entry, in: container)
  }

  func forward<K: Kind>(_ kind: K.Type, _ name: String?, to entry: Entry, in container: Container) {
    container.put(entry, key(kind, entry.shape, name), "\(K.Value.self)", name)
  }

  func resolve<K: Kind>(
    _ kind: K.Type, _ name: String?, _ arguments: SwinjectArguments, _ form: SwinjectForm,
    from container: Container
  ) -> SwinjectFound<K.Value> {
    let entry = container.entry(key(kind, arguments.shape, name))
    switch form {
    case .plain:
      // An exact registration goes first. One whose instance is of another type leaves the way to
      // the wrapped type.
      if let entry, let found: K.Value = container.instance(of: entry, arguments) {
        return .value(found)
      }
      return optional(kind, name, arguments, from: container).map { .value($0) } ?? .missing
    case .lazy:
      guard let entry else { return .missing }
      let graph = container.graph
      let lazily = Lazily<K.Value> {
        // It reuses the graph that it was made in.
        let former = container.graph
        defer { if let former { container.graph = former } }
        if let graph { container.enter(graph) }
        return Self.certain(container.instance(of: entry, arguments))
      }
      return .wrapper(lazily, { [unowned lazily] in lazily.instance })
    case .provider:
      guard let entry else { return .missing }
      let provides = Provides<K.Value> { Self.certain(container.instance(of: entry, arguments)) }
      return .wrapper(provides, { [unowned provides] in provides.make() })
    case .lazyOfLazy: return .missing
    case .optionalLazy: return .empty
    }
  }

  private static func certain<Value>(_ value: Value?) -> Value {
    guard let value else { preconditionFailure("programs have no wrapper of a wrong alias") }
    return value
  }

  /// `X?` needs no registration, and is there even if `X` is not.
  private func optional<K: Kind>(
    _ kind: K.Type, _ name: String?, _ arguments: SwinjectArguments, from container: Container
  ) -> K.Value? {
    guard let wrapped = K.wrapped else { return nil }
    return found(wrapped, name, arguments, from: container) as? K.Value ?? K.makeNone(ledger)
  }

  private func found<K: Kind>(
    _ kind: K.Type, _ name: String?, _ arguments: SwinjectArguments, from container: Container
  ) -> Any? {
    guard let entry = container.entry(key(kind, arguments.shape, name)) else { return nil }
    // Whatever its type is.
    return container.instance(of: entry, arguments)
  }

  func identify(_ container: Container) -> Int? { container.graph }

  func withGraph(
    _ container: Container, _ identifier: Int, _ body: (Container) throws -> String
  ) rethrows -> String {
    let former = container.graph
    container.enter(identifier)
    container.begin()
    defer {
      container.end()
      container.graph = former
    }
    return try body(container)
  }

  func removeAll(_ container: Container) {
    ledger.retire(container.entries)
    container.entries = [:]
  }

  func reset<K: Kind>(_ container: Container, _ scope: SwinjectScope, _ kind: K.Type) {
    container.reset(scope, K.identifier)
  }

  func reset(_ container: Container, _ scope: SwinjectScope) { container.reset(scope) }

  func has<K: Kind>(_ kind: K.Type, _ name: String?, in container: Container) -> Bool {
    let isThere = container.entries.keys.contains { $0.type == K.identifier && $0.name == name }
    return isThere || container.parent.map { has(kind, name, in: $0) } ?? false
  }

  func behave(_ container: Container, _ behavior: Int) { container.behaviors.append(behavior) }

  func assemble(
    _ container: Container, atOnce: Bool, _ assemblies: [SwinjectAssemblyOf<Container, Container>]
  ) {
    let lists = atOnce ? [assemblies] : assemblies.map { [$0] }
    for list in lists {
      for assembly in list { assembly.assemble(container) }
      for assembly in list { assembly.loaded(container) }
    }
  }

  func describe(_ container: Container) -> String {
    let lines = container.entries.map { key, value in
      "\n    { \(Self.text(key, value.entry, value.typeName)) }"
    }
    return "[" + lines.sorted().joined(separator: ",") + "\n]"
  }

  private static func text(_ key: Key, _ entry: Entry, _ typeName: String) -> String {
    let arguments =
      switch key.shape {
      case .none: "Resolver"
      case .number: "(Resolver, Int)"
      case .text: "(Resolver, String)"
      case .numbers: "(Resolver, Int, Int)"
      case .mixed: "(Resolver, Int, String)"
      }
    let name = key.name.map { ", Name: \"\($0)\"" } ?? ""
    let count = entry.completions.count
    let completions = count == 0 ? "" : ", InitCompleted: Specified \(count) closures"
    return "Service: \(entry.typeName)\(name), Factory: \(arguments) -> \(typeName), "
      + "ObjectScope: \(entry.scope)\(completions)"
  }
}
