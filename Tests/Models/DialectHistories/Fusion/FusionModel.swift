// SPDX-License-Identifier: MIT

/// Fusion as its document has it.
final class FusionModel: FusionSubject {
  struct Key: Hashable {
    let type: ObjectIdentifier
    let id: AnyHashable?

    init(_ kind: any Kind.Type, _ id: AnyHashable?) {
      type = kind.identifier
      // Migration, "What differs": a `Substring` is the same id as a `String` of the same text.
      self.id = (id?.base as? Substring).map { AnyHashable(String($0)) } ?? id
    }
  }

  /// A binding with the singleton that it has made.
  final class Entry {
    let isSingleton: Bool
    let hasCalls: Bool
    let name: String
    let factory: (Container) -> Any
    let text: (Any) -> String
    var instance: Any?
    var isBuilding = false

    init(
      _ name: String, isSingleton: Bool, hasCalls: Bool, _ factory: @escaping (Container) -> Any,
      _ text: @escaping (Any) -> String
    ) {
      self.name = name
      self.isSingleton = isSingleton
      self.hasCalls = hasCalls
      self.factory = factory
      self.text = text
    }
  }

  final class Container {
    let parent: Container?
    private let ledger: Ledger
    var entries: [Key: Entry] = [:]

    init(_ ledger: Ledger, _ parent: Container?) {
      self.ledger = ledger
      self.parent = parent
    }

    deinit { ledger.retire(entries) }

    /// Migration, "What differs": what is replaced goes when no resolve is under way.
    func set(_ entry: Entry?, _ key: Key) {
      if let former = entries[key] { ledger.retire(former) }
      entries[key] = entry
    }
  }

  private let ledger: Ledger
  private var current: Container
  private(set) var hasEnded = false

  init(_ ledger: Ledger) {
    self.ledger = ledger
    current = Container(ledger, nil)
  }

  func create(parent: Container?) -> Container { Container(ledger, parent) }
  func setMain(_ container: Container, spelling: Int) { current = container }
  func main() -> Container { current }

  func bind<K: Kind>(
    _ kind: K.Type, _ binding: FusionBinding, in container: Container?,
    _ factory: @escaping (Container?) -> K.Value
  ) {
    let takes = binding.form.takesContainer
    let id = binding.key.id.hashable
    let name = "\(K.Value.self)" + (id.map { " (\($0))" } ?? "")
    let entry = Entry(name, isSingleton: binding.isSingleton, hasCalls: !binding.during.isEmpty) {
      Boxed(value: factory(takes ? $0 : nil))
    } _: { boxed in
      (boxed as? Boxed<K.Value>).map { "\($0.value)" } ?? ""
    }
    (container ?? current).set(entry, Key(kind, id))
  }

  func unbind<K: Kind>(_ kind: K.Type, _ id: AnyHashable?, in container: Container?) {
    (container ?? current).set(nil, Key(kind, id))
  }

  /// The instance of the container that owns the binding, which the factory gets too.
  private func find(_ key: Key, in container: Container) -> Any? {
    var owner: Container? = container
    while let searched = owner {
      if let entry = searched.entries[key] { return instance(of: entry, in: searched) }
      owner = searched.parent
    }
    return nil
  }

  private func instance(of entry: Entry, in owner: Container) -> Any {
    guard entry.isSingleton else { return entry.factory(owner) }
    if let instance = entry.instance { return instance }
    // Migration, "What is better": the program ends.
    if entry.isBuilding { hasEnded = true }
    entry.isBuilding = true
    let made = entry.factory(owner)
    entry.isBuilding = false
    entry.instance = made
    return made
  }

  private func find<K: Kind>(_ kind: K.Type, _ id: AnyHashable?, in container: Container)
    -> K.Value?
  {
    (find(Key(kind, id), in: container) as? Boxed<K.Value>)?.value
  }

  func resolve<K: Kind>(
    _ kind: K.Type, _ id: AnyHashable?, _ form: FusionForm, from container: Container?
  ) -> FusionOutcome<K.Value> {
    let found = find(kind, id, in: container ?? current)
    if let found { return .value(found) }
    switch form {
    case .optional, .identifier, .old: return .none
    case .throwing, .throwingIdentifier: return .notRegistered(type: K.Value.self, id: id)
    case .assert, .assertIdentifier, .inferred, .inferredIdentifier:
      hasEnded = true
      return .none
    }
  }

  func describe(_ container: Container) -> String? {
    let entries = container.entries.values
    let running = entries.filter { !$0.isSingleton || $0.instance == nil }
    if running.count > 1 || entries.count > 1 && running.contains(where: \.hasCalls) { return nil }
    if entries.isEmpty { return "*Container Entries*\n<nothing registered>" }
    let lines = entries.map { entry in
      let value = entry.text(instance(of: entry, in: container))
      return "- \(entry.name): \(value) (\(entry.isSingleton ? "singleton" : "transient"))"
    }
    return (["*Container Entries*"] + lines.sorted()).joined(separator: "\n")
  }

  private final class Host<K: Kind>: FusionHost {
    private let id: AnyHashable?
    private let container: Container?
    private let model: FusionModel

    init(_ id: AnyHashable?, _ container: Container?, _ model: FusionModel) {
      (self.id, self.container, self.model) = (id, container, model)
    }

    /// At each access.
    func read() -> String {
      guard let found = model.find(K.self, id, in: container ?? model.current) else {
        model.hasEnded = true
        return ""
      }
      return K.text(found)
    }
  }

  func host<K: Kind>(_ kind: K.Type, _ id: AnyHashable?, _ form: FusionHostFormOf<Container>)
    -> any FusionHost
  {
    let container: Container? = if case .containerized(let own) = form { own } else { nil }
    return Host<K>(id, container, self)
  }
}
