// SPDX-License-Identifier: MIT

/// Macaroni as its document has it, on one thread, with the fixed behavior where the library has a
/// fault.
final class MacaroniModel: MacaroniSubject {
  struct Key: Hashable {
    let type: ObjectIdentifier
    let alternative: String?
  }

  enum Miss: Error { case noResolver }

  final class Container {
    let parent: Container?
    var plain: [Key: () -> Any] = [:]
    var taking: [Key: (Any) -> Any] = [:]
    var isLocked = false

    private let ledger: Ledger

    init(_ ledger: Ledger, _ parent: Container?) {
      self.ledger = ledger
      self.parent = parent
    }

    deinit { retire() }

    /// Migration, "What differs": closures that are replaced go when no resolve is under way.
    func retire() {
      ledger.retire(plain)
      ledger.retire(taking)
      plain = [:]
      taking = [:]
    }

    /// The closure of the nearest container that has one.
    func own<Closure>(_ table: KeyPath<Container, [Key: Closure]>, _ key: Key) -> Closure? {
      self[keyPath: table][key] ?? parent?.own(table, key)
    }

    /// A registration of `T` serves `T?`.
    ///
    /// Migration, "What differs": one of `T?` comes first, even if it is the parent's.
    func plain<K: Kind>(_ kind: K.Type, _ alternative: String?) -> (() -> K.Value)? {
      if let found = own(\.plain, Key(type: K.identifier, alternative: alternative)) {
        return { unbox(found()) }
      }
      guard let wrapped = K.wrapped,
        let found = own(\.plain, Key(type: wrapped.identifier, alternative: alternative))
      else { return nil }
      return { unbox(K.lift(found()) as Any) }
    }

    func taking<K: Kind>(_ kind: K.Type, _ alternative: String?) -> ((Any) -> K.Value)? {
      if let found = own(\.taking, Key(type: K.identifier, alternative: alternative)) {
        return { unbox(found($0)) }
      }
      guard let wrapped = K.wrapped,
        let found = own(\.taking, Key(type: wrapped.identifier, alternative: alternative))
      else { return nil }
      return { unbox(K.lift(found($0)) as Any) }
    }

    /// For a property: closures that take the object come first.
    func injected<K: Kind>(_ kind: K.Type, _ alternative: String?, for object: Any?) -> K.Value? {
      if let object, let closure = taking(kind, alternative) { return closure(object) }
      return plain(kind, alternative)?()
    }
  }

  private let ledger: Ledger
  private var policy: ((Any) -> Container?)?

  init(_ ledger: Ledger) { self.ledger = ledger }

  func create(parent: Container?) -> Container {
    ledger.note("logs")
    return Container(ledger, parent)
  }

  func register<K: Kind>(
    _ kind: K.Type, _ alternative: String?, spelled: Bool, in container: Container,
    _ closure: @escaping () -> K.Value
  ) {
    guard mayRegister(container) else { return }
    let key = Key(type: K.identifier, alternative: alternative)
    container.plain[key].map(ledger.retire)
    container.plain[key] = { Boxed(value: closure()) }
  }

  func register<K: Kind>(
    _ kind: K.Type, _ alternative: String?, spelled: Bool, in container: Container,
    taking closure: @escaping (Any) -> K.Value
  ) {
    guard mayRegister(container) else { return }
    let key = Key(type: K.identifier, alternative: alternative)
    container.taking[key].map(ledger.retire)
    container.taking[key] = {
      Boxed(value: closure($0))
    }
  }

  private func mayRegister(_ container: Container) -> Bool {
    ledger.note(container.isLocked ? "logs an error" : "logs")
    return !container.isLocked
  }

  func resolve<K: Kind>(
    _ kind: K.Type, _ alternative: String?, _ form: MacaroniForm, from container: Container
  ) throws -> K.Value? {
    guard form == .optional || form == .alternativeOptional else {
      guard let closure = container.plain(kind, alternative) else { throw Miss.noResolver }
      return closure()
    }
    guard let closure = container.plain(OptionalKind<K>.self, alternative) else {
      throw Miss.noResolver
    }
    return closure()
  }

  func resolve<K: Kind>(
    _ kind: K.Type, _ alternative: String?, _ form: MacaroniForm, from container: Container,
    parameter: Any
  ) throws -> K.Value? {
    guard form == .optional || form == .alternativeOptional else {
      guard let closure = container.taking(kind, alternative) else { throw Miss.noResolver }
      return closure(parameter)
    }
    guard let closure = container.taking(OptionalKind<K>.self, alternative) else {
      throw Miss.noResolver
    }
    return closure(parameter)
  }

  /// Migration, "What differs": true also for a closure with a parameter.
  func isResolvable<K: Kind>(_ kind: K.Type, _ alternative: String?, in container: Container)
    -> Bool
  {
    container.plain(kind, alternative) != nil || container.taking(kind, alternative) != nil
  }

  func cleanup(_ container: Container) {
    ledger.note("logs")
    container.retire()
  }

  func lock(_ container: Container) { container.isLocked = true }
  func unlock(_ container: Container) { container.isLocked = false }

  func setPolicy(_ policy: MacaroniPolicyOf<Container>?) {
    self.policy =
      switch policy {
      case nil: nil
      case .singleton(let container): { _ in container }
      case .enclosing(let other): { ($0 as? Host)?.module ?? other }
      case .custom(let even, let odd):
        { [ledger] object in
          ledger.note("asked for \(text(of: object))")
          return ((object as? Host)?.number ?? 0).isMultiple(of: 2) ? even : odd
        }
      }
  }

  private func died() -> Never { diesLoudly(ledger) }

  private func found(by policy: ((Any) -> Container?)?, for object: Any) -> Container {
    guard let container = policy?(object) else { died() }
    return container
  }

  class Host: MacaroniHost {
    let number: Int
    let module: Container?

    init(_ ledger: Ledger, _ module: Container?) {
      number = ledger.nextNumber()
      self.module = module
    }

    var text: String { "host \(number)" }
    var isWeak: Bool { false }
    func read() -> String { "" }
    /// Migration, "What differs": a projected value is one with the value of the property.
    func project() -> String { read() }
    /// Ignores the value.
    func assign() {}
  }

  /// A property that gets its value at the first access, and keeps it.
  private final class LazyHost<K: Kind>: Host {
    private var value: K.Value?
    private var find: ((Any) -> Container)?
    private let resolve: (Any, Container) -> K.Value
    private var isResolving = false
    private let ledger: Ledger

    init(
      _ ledger: Ledger, _ module: Container?, in find: @escaping (Any) -> Container,
      _ resolve: @escaping (Any, Container) -> K.Value
    ) {
      self.ledger = ledger
      self.find = find
      self.resolve = resolve
      super.init(ledger, module)
    }

    override func assign() { _ = K.make(ledger) }

    override func read() -> String {
      if let value { return K.text(value) }
      guard let find else { preconditionFailure("there must be a value, or a policy") }
      let container = find(self)
      // Migration, "What is better": a property that its own closure needs dies.
      guard !isResolving else { diesLoudly(ledger) }
      isResolving = true
      let found = resolve(self, container)
      isResolving = false
      // The policy is kept until there is a value.
      self.find = nil
      value = found
      return K.text(found)
    }
  }

  /// A property that holds its value from the beginning.
  private final class EagerHost<K: Kind>: Host {
    private let value: K.Value
    private let ledger: Ledger

    init(_ ledger: Ledger, _ module: Container?, _ value: K.Value) {
      self.ledger = ledger
      self.value = value
      super.init(ledger, module)
    }

    override func read() -> String { K.text(value) }
    override func assign() { _ = K.make(ledger) }
  }

  /// A property that holds its value weakly, and resolves it again.
  private final class WeakHost<K: Kind>: Host {
    private weak var value: AnyObject?
    private let find: (Any) -> Container
    private let resolve: (Any, Container) -> K.Value?
    private var resolving: [Container] = []
    private let ledger: Ledger

    init(
      _ ledger: Ledger, _ first: K.Value? = nil, in find: @escaping (Any) -> Container,
      _ resolve: @escaping (Any, Container) -> K.Value?
    ) {
      self.ledger = ledger
      self.find = find
      self.resolve = resolve
      value = first.flatMap { type(of: $0 as Any) is AnyClass ? $0 as AnyObject : nil }
      super.init(ledger, nil)
    }

    override func assign() { _ = K.make(ledger) }

    override func project() -> String { "" }

    override var isWeak: Bool { true }

    override func read() -> String {
      if let value = value as? K.Value { return OptionalKind<K>.text(value) }
      let container = find(self)
      // As a lazy property, when it is the same container that resolves.
      guard !resolving.contains(where: { $0 === container }) else { diesLoudly(ledger) }
      resolving.append(container)
      defer { resolving.removeLast() }
      let found = resolve(self, container)
      if let found, type(of: found as Any) is AnyClass { value = found as AnyObject }
      return OptionalKind<K>.text(found)
    }
  }

  /// A structure reads without an object: only values that are there already.
  private final class StructureHost<K: Kind>: Host {
    private let value: K.Value?
    private let ledger: Ledger
    /// What a lazy property has captured, for nothing.
    private let captured: Any?

    init(_ ledger: Ledger, _ value: K.Value?, capturing captured: Any? = nil) {
      self.ledger = ledger
      self.value = value
      self.captured = captured
      super.init(ledger, nil)
    }

    override func read() -> String {
      guard let value else { diesLoudly(ledger) }
      return K.text(value)
    }
  }

  func host<K: Kind>(
    _ kind: K.Type, _ alternative: String?, _ form: MacaroniHostFormOf<Container>,
    _ mode: MacaroniModeOf<Container>
  ) -> any MacaroniHost {
    let module: Container? = if case .module(let container) = form { container } else { nil }
    let isWeak = if case .weak = form { true } else { false }
    let find: (Any) -> Container
    switch mode {
    case .usual:
      guard let policy else { died() }
      find = { self.found(by: policy, for: $0) }
    case .capturing(let container, _): find = { _ in container }
    case .lazily: find = { self.found(by: self.policy, for: $0) }
    case .eager(let container):
      if isWeak { return eagerWeak(kind, alternative, container) }
      // Migration, "What differs": there is no enclosing object.
      let container = container ?? found(by: policy, for: ())
      guard let value = container.injected(kind, alternative, for: nil) else { died() }
      ledger.note("logs")
      if case .structure = form { return StructureHost<K>(ledger, value) }
      return EagerHost<K>(ledger, module, value)
    case .holding:
      if case .structure = form { return StructureHost<K>(ledger, K.make(ledger)) }
      return EagerHost<K>(ledger, module, K.make(ledger))
    }
    if isWeak { return lazyWeak(kind, alternative, find) }
    if case .structure = form { return StructureHost<K>(ledger, nil, capturing: find) }
    return LazyHost<K>(ledger, module, in: find) { [ledger] object, container in
      guard let value = container.injected(kind, alternative, for: object) else {
        diesLoudly(ledger)
      }
      ledger.note("logs")
      return value
    }
  }

  private func lazyWeak<K: Kind>(
    _ kind: K.Type, _ alternative: String?, _ find: @escaping (Any) -> Container
  ) -> Host {
    WeakHost<K>(ledger, in: find) { [ledger] object, container in
      let found = container.injected(OptionalKind<K>.self, alternative, for: object)
      guard let found else { diesLoudly(ledger) }
      ledger.note("logs")
      return found
    }
  }

  private func eagerWeak<K: Kind>(
    _ kind: K.Type, _ alternative: String?, _ container: Container?
  ) -> Host {
    // Migration, "What differs": a property keeps the policy that it captured.
    let policy = container.map { container in { _ in container } } ?? self.policy
    let find: (Any) -> Container = { [unowned self] _ in found(by: policy, for: ()) }
    let resolve: (Any, Container) -> K.Value? = { [ledger] _, container in
      let found = container.injected(OptionalKind<K>.self, alternative, for: nil)
      guard let found else { diesLoudly(ledger) }
      ledger.note("logs")
      return found
    }
    let first = resolve((), find(()))
    return withExtendedLifetime(first) { WeakHost<K>(ledger, first, in: find, resolve) }
  }

  func pass<K: Kind>(
    _ kind: K.Type, _ alternative: String?, _ source: MacaroniSourceOf<Container>
  ) -> K.Value {
    var found: K.Value?
    switch source {
    case .object(let object):
      found = self.found(by: policy, for: object).injected(kind, alternative, for: object)
    case .container(let container), .resolved(let container, _):
      found = container.injected(kind, alternative, for: nil)
    case .value, .plain: return K.make(ledger)
    case .wrongValue: died()
    }
    guard let found else { died() }
    ledger.note("logs")
    return found
  }
}

/// A logger gets the message as an error first.
private func diesLoudly(_ ledger: Ledger) -> Never {
  ledger.note("logs an error")
  endThread(ledger)
}
