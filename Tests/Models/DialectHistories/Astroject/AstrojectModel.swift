// SPDX-License-Identifier: MIT

/// Astroject as its document has it.
final class AstrojectModel: AstrojectSubject {
  struct Key: Hashable {
    let type: ObjectIdentifier
    let name: String?
  }

  enum Failure: Error {
    case noRegistrationFound, circularDependencyDetected, asyncResolutionRequired, alreadyRegistered
    case underlyingError(any Error)
  }

  /// Where a registration keeps its instances.
  final class Instance {
    let kind: AstrojectInstance
    private let ledger: Ledger
    private var value: Any?
    private weak var object: AnyObject?

    init(_ kind: AstrojectInstance, _ ledger: Ledger) {
      (self.kind, self.ledger) = (kind, ledger)
    }

    func get<Value>(_ type: Value.Type) -> Value? {
      switch kind {
      case .prototype: return nil
      case .singleton, .recording, .shared: return (value as? Boxed<Value>)?.value
      case .weak: return object as? Value
      }
    }

    func set<Value>(_ new: Value) {
      switch kind {
      case .prototype: break
      case .singleton, .shared: value = value ?? Boxed(value: new)
      case .weak: object = type(of: new as Any) is AnyClass ? new as AnyObject : nil
      case .recording:
        ledger.note("set")
        value = Boxed(value: new)
      }
    }

    func release() {
      if kind == .recording { ledger.note("release") }
      // A singleton keeps its first product.
      if kind == .recording { value = nil }
      object = nil
    }
  }

  final class Entry {
    let isOverridable: Bool
    let isAsync: Bool
    let isProtected: Bool
    /// All get the instance; the first that has one gives it.
    let instances: [Instance]
    let factory: (Resolver) throws -> Any
    let action: ((Any) throws -> Void)?
    var isBuilding = false

    init(
      _ registration: AstrojectRegistration, _ instances: [Instance], isProtected: Bool,
      _ factory: @escaping (Resolver) throws -> Any, _ action: ((Any) throws -> Void)?
    ) {
      isOverridable = registration.overridable ?? true
      isAsync = registration.isAsync
      self.instances = instances
      self.isProtected = isProtected
      self.factory = factory
      self.action = action
    }
  }

  final class Container {
    private let ledger: Ledger
    var entries: [Key: Entry] = [:]
    var behaviors: [Int] = []

    init(_ ledger: Ledger) { self.ledger = ledger }

    deinit { ledger.retire(entries) }

    /// Migration, "What differs": what is replaced goes when no resolve is under way.
    func set(_ entry: Entry, _ key: Key) {
      if let former = entries[key] { ledger.retire(former) }
      entries[key] = entry
    }
  }

  struct Resolver {
    let container: Container
    let isAsync: Bool
  }

  private let ledger: Ledger

  init(_ ledger: Ledger) { self.ledger = ledger }

  private var shared: [Int: (instance: Instance, type: ObjectIdentifier)] = [:]

  private func instance(_ kind: AstrojectInstance, _ type: ObjectIdentifier) -> Instance {
    if case .shared(let number) = kind, let found = shared[number], found.type == type {
      return found.instance
    }
    return Instance(kind, ledger)
  }

  func create() -> Container { Container(ledger) }

  func register<K: Kind>(
    _ kind: K.Type, _ registration: AstrojectRegistration, in container: Container,
    _ factory: @escaping (Resolver) throws -> K.Value, _ action: @escaping (K.Value) throws -> Void
  ) throws -> (() -> Void)? {
    let key = Key(type: K.identifier, name: registration.key.name)
    if let existing = container.entries[key],
      !existing.isOverridable || !(registration.overridable ?? true)
    {
      throw Failure.alreadyRegistered
    }
    var instances: [Instance] = []
    var (isOwn, isProtected) = (false, true)
    switch registration.scope {
    case .usual, .prototype: isProtected = false
    case .singleton: instances = [Instance(.singleton, ledger)]
    case .weak: instances = [Instance(.weak, ledger)]
    case .instance(let instance):
      isOwn = true
      let made = self.instance(instance, K.identifier)
      instances = [made]
      shared[registration.number] = (made, K.identifier)
    case .composite(let parts, _):
      isOwn = true
      instances = parts.map { instance($0, K.identifier) }
    }
    let entry = Entry(registration, instances, isProtected: isProtected) {
      Boxed(value: try factory($0))
    } _: { made in
      guard registration.afterInit != nil, let made = made as? Boxed<K.Value> else { return }
      try action(made.value)
    }
    container.set(entry, key)
    for behavior in container.behaviors {
      ledger.note("b\(behavior): \(K.Value.self) \(registration.key.name ?? "without name")")
    }
    guard isOwn else { return nil }
    return { for instance in instances { instance.release() } }
  }

  func resolve<K: Kind>(
    _ kind: K.Type, _ name: String?, isAsync: Bool, from container: Container
  ) throws -> K.Value {
    try resolve(kind, name, within: Resolver(container: container, isAsync: isAsync))
  }

  func resolve<K: Kind>(_ kind: K.Type, _ name: String?, within resolver: Resolver) throws
    -> K.Value
  {
    let key = Key(type: K.identifier, name: name)
    guard let entry = resolver.container.entries[key] else { throw Failure.noRegistrationFound }
    for instance in entry.instances {
      if let found = instance.get(K.Value.self) { return found }
    }
    if entry.isAsync, !resolver.isAsync { throw Failure.asyncResolutionRequired }
    // Migration, "What differs": a prototype may resolve itself, if it ends by itself.
    if entry.isBuilding, entry.isProtected { throw Failure.circularDependencyDetected }
    entry.isBuilding = true
    defer { entry.isBuilding = false }
    do {
      let made = try entry.factory(Resolver(container: resolver.container, isAsync: false))
      guard let value = (made as? Boxed<K.Value>)?.value else { preconditionFailure("\(made)") }
      try entry.action?(made)
      for instance in entry.instances { instance.set(value) }
      return value
    } catch let error as Failure {
      throw error
    } catch {
      throw Failure.underlyingError(error)
    }
  }

  func isRegistered<K: Kind>(_ kind: K.Type, _ name: String?, in container: Container) -> Bool {
    container.entries[Key(type: K.identifier, name: name)] != nil
  }

  /// The registrations only.
  func clear(_ container: Container) {
    ledger.retire(container.entries)
    container.entries = [:]
  }

  func add(behavior: Int, to container: Container) { container.behaviors.append(behavior) }

  func apply(
    _ assemblies: [(id: String?, assemble: (Container) -> Void, loaded: (Resolver) -> Void)],
    to container: Container
  ) {
    // Migration, "What differs": those of one type and one id are one.
    var ids: Set<String?> = []
    let assemblies = assemblies.filter { ids.insert($0.id).inserted }
    for assembly in assemblies { assembly.assemble(container) }
    for assembly in assemblies { assembly.loaded(Resolver(container: container, isAsync: false)) }
  }

  func text(of error: any Error) -> String {
    switch error as? Failure {
    case .underlyingError(let error)?: "underlyingError \(error)"
    case let failure?: "\(failure)"
    case nil: "\(error)"
    }
  }
}
