// SPDX-License-Identifier: MIT

import Foundation
import MacaroniDialect

/// Macaroni as the compatibility module has it.
final class MacaroniAdapter: MacaroniSubject {
  typealias Container = MacaroniDialect.Container

  private let ledger: Ledger

  init(_ ledger: Ledger) {
    self.ledger = ledger
    Macaroni.logger = Logger(ledger)
    Container.lookupPolicy = nil
  }

  private final class Logger: MacaroniLogger {
    private let ledger: Ledger

    init(_ ledger: Ledger) { self.ledger = ledger }

    func log(
      _ message: String, level: MacaroniLoggingLevel, file: StaticString, function: String,
      line: UInt
    ) {
      ledger.note(level == .error ? "logs an error" : "logs")
    }

    func die(_ message: String, file: StaticString, function: String, line: UInt) -> Never {
      if ProcessInfo.processInfo.environment["SHOW"] != nil { print("DIED", message) }
      endThread(ledger)
    }
  }

  func create(parent: Container?) -> Container { Container(parent: parent) }

  func register<K: Kind>(
    _ kind: K.Type, _ alternative: String?, spelled: Bool, in container: Container,
    _ closure: @escaping () -> K.Value
  ) {
    if spelled {
      container.register(alternative: alternative.map { RegistrationAlternative($0) }, closure)
    } else if let alternative {
      container.register(alternative: alternative, closure)
    } else {
      container.register(closure)
    }
  }

  func register<K: Kind>(
    _ kind: K.Type, _ alternative: String?, spelled: Bool, in container: Container,
    taking closure: @escaping (Any) -> K.Value
  ) {
    if spelled {
      container.register(alternative: alternative.map { RegistrationAlternative($0) }, closure)
    } else if let alternative {
      container.register(alternative: alternative, closure)
    } else {
      container.register(closure)
    }
  }

  func resolve<K: Kind>(
    _ kind: K.Type, _ alternative: String?, _ form: MacaroniForm, from container: Container
  ) throws -> K.Value? {
    switch form {
    case .string:
      let value: K.Value = try container.resolve(alternative: alternative)
      return value
    case .alternative:
      guard let alternative else {
        let value: K.Value = try container.resolve(alternative: nil as String?)
        return value
      }
      let value: K.Value = try container.resolve(
        alternative: RegistrationAlternative(stringLiteral: alternative))
      return value
    case .optional:
      // Only without an alternative.
      guard let alternative else { return try container.resolve() }
      let value: K.Value? = try container.resolve(alternative: alternative)
      return value
    case .alternativeOptional:
      return try container.resolve(
        alternative: alternative.map { RegistrationAlternative(stringLiteral: $0) })
    }
  }

  func resolve<K: Kind>(
    _ kind: K.Type, _ alternative: String?, _ form: MacaroniForm, from container: Container,
    parameter: Any
  ) throws -> K.Value? {
    switch form {
    case .string, .alternative:
      let value: K.Value = try container.resolve(parameter: parameter, alternative: alternative)
      return value
    case .optional:
      let value: K.Value? = try container.resolve(parameter: parameter, alternative: alternative)
      return value
    case .alternativeOptional:
      return try container.resolve(
        parameter: parameter,
        alternative: alternative.map { RegistrationAlternative(stringLiteral: $0) })
    }
  }

  func isResolvable<K: Kind>(_ kind: K.Type, _ alternative: String?, in container: Container)
    -> Bool
  {
    container.isResolvable(K.Value.self, alternative: alternative)
  }

  func cleanup(_ container: Container) { container.cleanup() }
  func lock(_ container: Container) { container.lock() }
  func unlock(_ container: Container) { container.unlock() }

  private final class Policy: ContainerLookupPolicy {
    let ledger: Ledger
    let (even, odd): (Container?, Container?)

    init(_ ledger: Ledger, _ even: Container?, _ odd: Container?) {
      (self.ledger, self.even, self.odd) = (ledger, even, odd)
    }

    func container<EnclosingType>(
      for instance: EnclosingType, file: StaticString, function: String, line: UInt
    ) -> Container? {
      ledger.note("asked for \(text(of: instance))")
      return ((instance as? Host)?.number ?? 0).isMultiple(of: 2) ? even : odd
    }
  }

  func setPolicy(_ policy: MacaroniPolicyOf<Container>?) {
    Container.lookupPolicy =
      switch policy {
      case nil: nil
      case .singleton(let container): .singleton(container)
      case .enclosing(let other): .enclosingType(default: other)
      case .custom(let even, let odd): Policy(ledger, even, odd)
      }
  }

  class Host: MacaroniHost {
    let number: Int

    init(_ ledger: Ledger) { number = ledger.nextNumber() }

    var text: String { "host \(number)" }
    var isWeak: Bool { false }
    func read() -> String { "" }
    func project() -> String { "" }
    func assign() {}
  }

  private class ObjectHost<K: Kind>: Host {
    private let ledger: Ledger
    var stored: Injected<K.Value>
    // What the compiler makes of a property that is declared with `@Injected`, but without its
    // default.
    var value: K.Value {
      get {
        Injected<K.Value>[
          _enclosingInstance: self, wrapped: \ObjectHost<K>.value, storage: \ObjectHost<K>.stored]
      }
      set {
        Injected<K.Value>[
          _enclosingInstance: self, wrapped: \ObjectHost<K>.value, storage: \ObjectHost<K>.stored] =
          newValue
      }
    }

    init(_ ledger: Ledger, _ value: Injected<K.Value>) {
      self.ledger = ledger
      stored = value
      super.init(ledger)
    }

    override func read() -> String { K.text(value) }
    override func assign() { value = K.make(ledger) }

    var projection: Injected<K.Value>.ResolveFrom {
      Injected<K.Value>[
        _enclosingInstance: self, projected: \ObjectHost<K>.projection,
        storage: \ObjectHost<K>.stored]
    }

    override func project() -> String {
      func take(@Injected value: K.Value) -> String { K.text(value) }
      return take($value: projection)
    }
  }

  private final class DeclaredHost<K: Kind>: Host {
    private let ledger: Ledger
    @Injected var value: K.Value

    override init(_ ledger: Ledger) {
      self.ledger = ledger
      super.init(ledger)
    }

    override func read() -> String { K.text(value) }
    override func assign() { value = K.make(ledger) }

    override func project() -> String {
      func take(@Injected value: K.Value) -> String { K.text(value) }
      return take($value: $value)
    }
  }

  private final class ModuleHost<K: Kind>: ObjectHost<K>, Containerable {
    let container: Container!

    init(_ ledger: Ledger, _ container: Container?, _ value: Injected<K.Value>) {
      self.container = container
      super.init(ledger, value)
    }
  }

  private final class WeakHost<K: Kind>: Host {
    private let ledger: Ledger
    var stored: InjectedWeakly<K.Value>
    // What the compiler makes of a property that is declared with `@InjectedWeakly`, but without
    // its default.
    var value: K.Value? {
      get {
        InjectedWeakly<K.Value>[
          _enclosingInstance: self, wrapped: \WeakHost<K>.value, storage: \WeakHost<K>.stored]
      }
      set {
        InjectedWeakly<K.Value>[
          _enclosingInstance: self, wrapped: \WeakHost<K>.value, storage: \WeakHost<K>.stored] =
          newValue
      }
    }

    init(_ ledger: Ledger, _ value: InjectedWeakly<K.Value>) {
      self.ledger = ledger
      stored = value
      super.init(ledger)
    }

    override var isWeak: Bool { true }

    override func read() -> String { OptionalKind<K>.text(value) }
    override func assign() { value = K.make(ledger) }
  }

  private struct Structure<Value> {
    let stored: Injected<Value>
    var value: Value { stored.wrappedValue }
  }

  private final class StructureHost<K: Kind>: Host {
    private let structure: Structure<K.Value>

    init(_ ledger: Ledger, _ value: Injected<K.Value>) {
      structure = Structure(stored: value)
      super.init(ledger)
    }

    override func read() -> String { K.text(structure.value) }

    override func project() -> String {
      func take(@Injected value: K.Value) -> String { K.text(value) }
      return take($value: structure.stored.projectedValue)
    }
  }

  func host<K: Kind>(
    _ kind: K.Type, _ alternative: String?, _ form: MacaroniHostFormOf<Container>,
    _ mode: MacaroniModeOf<Container>
  ) -> any MacaroniHost {
    if case (.object, .usual, nil) = (form, mode, alternative) { return DeclaredHost<K>(ledger) }
    let alternative = alternative.map { RegistrationAlternative($0) }
    let kind: Injected<K.Value>.InitializationKind =
      switch mode {
      case .usual, .holding: .capturingContainerOnInit()
      case .capturing(let container, true): .capturingContainerOnInit(from: container)
      case .capturing(let container, false): .capturingContainerOnInit(container)
      case .lazily: .lazily
      case .eager(let container): .resolvingOnInit(from: container)
      }
    if case .weak = form {
      return WeakHost<K>(ledger, InjectedWeakly(kind, alternative: alternative))
    }
    let value: Injected<K.Value> =
      if case .holding = mode {
        Injected(wrappedValue: K.make(ledger))
      } else {
        Injected(kind, alternative: alternative)
      }
    switch form {
    case .module(let container): return ModuleHost<K>(ledger, container, value)
    case .structure: return StructureHost<K>(ledger, value)
    default: return ObjectHost<K>(ledger, value)
    }
  }

  func pass<K: Kind>(
    _ kind: K.Type, _ alternative: String?, _ source: MacaroniSourceOf<Container>
  ) -> K.Value {
    func take(@Injected value: K.Value) -> K.Value { value }
    return switch source {
    case .object(let object): take($value: .object(object, alternative: alternative))
    case .container(let container): take($value: .container(container, alternative: alternative))
    case .resolved(let container, true):
      if let alternative {
        take($value: container.resolved(alternative: RegistrationAlternative(alternative)))
      } else {
        take($value: container.resolved())
      }
    case .resolved(let container, false):
      take($value: container.resolved(alternative: alternative))
    case .value: take($value: .alreadyResolved(K.make(ledger)))
    case .wrongValue: take($value: .alreadyResolved("text"))
    case .plain: take(value: K.make(ledger))
    }
  }
}
