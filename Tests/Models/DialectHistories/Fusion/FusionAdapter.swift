// SPDX-License-Identifier: MIT

import FusionDialect

/// Fusion as the compatibility module has it.
final class FusionAdapter: FusionSubject {
  typealias Container = FusionDialect.Container

  let hasEnded = false

  init(_ ledger: Ledger) { Container.main = Container() }

  func create(parent: Container?) -> Container {
    if let parent { Container(parent: parent) } else { Container() }
  }

  func setMain(_ container: Container, spelling: Int) {
    switch spelling {
    case 0: Container.main = container
    case 1: Container.default = container
    default: Container.global = container
    }
  }

  func main() -> Container { .main }

  func bind<K: Kind>(
    _ kind: K.Type, _ binding: FusionBinding, in container: Container?,
    _ factory: @escaping (Container?) -> K.Value
  ) {
    guard let container else { return bind(kind, binding, factory) }
    let type = K.Value.self
    let id = binding.key.id.hashable
    let behavior: Container.ResolveBehavior = binding.isSingleton ? .singleton : .transient
    switch binding.form {
    case .factory: container.bind(behavior, to: type, id: id) { factory($0) }
    case .value: container.bind(behavior, to: type, id: id, value: factory(nil))
    case .positionalFactory: container.bind(type, id: id, factory: { factory($0) })
    case .positionalValue: container.bind(type, id: id, value: factory(nil))
    case .identifierFactory: container.bind(behavior, to: type, identifier: id) { factory($0) }
    case .identifierValue: container.bind(behavior, to: type, identifier: id, value: factory(nil))
    case .registerTaking:
      container.register(type, factory: { (container: Container) in factory(container) })
    case .register: container.register(type, factory: { () in factory(nil) })
    case .registerSingletonTaking:
      container.register(singleton: type, identifier: id) { factory($0) }
    case .registerUntypedTaking:
      container.register { (container: Container) -> K.Value in factory(container) }
    case .registerSingletonUntypedTaking:
      container.register(singleton: { (container: Container) -> K.Value in factory(container) })
    case .registerValue: container.register(factory(nil))
    case .registerSingletonValue: container.register(singleton: factory(nil), identifier: id)
    case .registerBehaviorValue: container.register(behavior, to: type, id: id, value: factory(nil))
    }
  }

  private func bind<K: Kind>(
    _ kind: K.Type, _ binding: FusionBinding, _ factory: @escaping (Container?) -> K.Value
  ) {
    let type = K.Value.self
    let id = binding.key.id.hashable
    let behavior: Container.ResolveBehavior = binding.isSingleton ? .singleton : .transient
    switch binding.form {
    case .factory: Container.bind(behavior, to: type, id: id) { factory($0) }
    case .value: Container.bind(behavior, to: type, id: id, value: factory(nil))
    case .positionalFactory: Container.bind(type, id: id, factory: { factory($0) })
    case .positionalValue: Container.bind(type, id: id, value: factory(nil))
    case .identifierFactory: Container.bind(behavior, to: type, identifier: id) { factory($0) }
    case .identifierValue: Container.bind(behavior, to: type, identifier: id, value: factory(nil))
    case .registerTaking:
      Container.register(type, factory: { (container: Container) in factory(container) })
    case .register: Container.register(type, factory: { () in factory(nil) })
    case .registerSingletonTaking:
      Container.register(singleton: type, identifier: id) { factory($0) }
    case .registerValue: Container.register(factory(nil))
    case .registerSingletonValue: Container.register(singleton: factory(nil), identifier: id)
    case .registerUntypedTaking, .registerSingletonUntypedTaking, .registerBehaviorValue:
      preconditionFailure("there is no static form")
    }
  }

  func unbind<K: Kind>(_ kind: K.Type, _ id: AnyHashable?, in container: Container?) {
    if let container {
      container.unbind(type: K.Value.self, id: id)
    } else {
      Container.unbind(type: K.Value.self, id: id)
    }
  }

  func resolve<K: Kind>(
    _ kind: K.Type, _ id: AnyHashable?, _ form: FusionForm, from container: Container?
  ) -> FusionOutcome<K.Value> {
    do {
      let found =
        if let container {
          try resolve(K.Value.self, id, form, from: container)
        } else {
          try resolve(K.Value.self, id, form)
        }
      return found.map { .value($0) } ?? .none
    } catch FusionError.notRegistered(let type, let id) {
      return .notRegistered(type: type, id: id)
    } catch {
      preconditionFailure("\(error)")
    }
  }

  private func resolve<T>(
    _ type: T.Type, _ id: AnyHashable?, _ form: FusionForm, from container: Container
  ) throws -> T? {
    switch form {
    case .optional:
      guard let id else { return container.resolve(type) }
      if let text = id.base as? String { return container.resolve(type, id: text) }
      return container.resolve(type, id: id)
    case .identifier: return container.resolve(type, identifier: id)
    case .throwing:
      guard let id else { return try container.resolveThrowing(type) }
      return try container.resolveThrowing(type, id: id)
    case .throwingIdentifier: return try container.resolveThrowing(type, identifier: id)
    case .assert: return container.resolveAssert(type, id: id)
    case .assertIdentifier: return container.resolveAssert(type, identifier: id)
    case .inferred:
      guard let id else {
        let found: T = container.resolve()
        return found
      }
      let found: T = container.resolveAssert(id: id)
      return found
    case .inferredIdentifier:
      let found: T = container.resolve(type, identifier: id)
      return found
    case .old: return container.resolveOptional(type, identifier: id)
    }
  }

  private func resolve<T>(_ type: T.Type, _ id: AnyHashable?, _ form: FusionForm) throws -> T? {
    switch form {
    case .optional:
      guard let id else { return Container.resolve(type) }
      return Container.resolve(type, id: id)
    case .identifier: return Container.resolve(type, identifier: id)
    case .throwing: return try Container.resolveThrowing(type, id: id)
    case .throwingIdentifier: return try Container.resolveThrowing(type, identifier: id)
    case .assert: return Container.resolveAssert(type, id: id)
    case .assertIdentifier: return Container.resolveAssert(type, identifier: id)
    case .inferred:
      guard let id else {
        let found: T = Container.resolve()
        return found
      }
      let found: T = Container.resolveAssert(id: id)
      return found
    case .inferredIdentifier:
      let found: T = Container.resolve(type, identifier: id)
      return found
    case .old: return Container.resolveOptional(type, identifier: id)
    }
  }

  func describe(_ container: Container) -> String? { container.debugDescription }

  private final class ObjectHost<K: Kind>: FusionHost {
    @Inject var value: K.Value

    init(_ value: Inject<K.Value>) { _value = value }

    func read() -> String { K.text(value) }
  }

  private final class ContainerizedHost<K: Kind>: FusionHost, Containerized {
    let container: Container
    @Inject var value: K.Value

    init(_ value: Inject<K.Value>, _ container: Container) {
      self.container = container
      _value = value
    }

    func read() -> String { K.text(value) }
  }

  private struct StructureHost<K: Kind>: FusionHost {
    @Inject var value: K.Value

    init(_ value: Inject<K.Value>) { _value = value }

    func read() -> String { K.text(value) }
  }

  private struct LocalHost<K: Kind>: FusionHost {
    let id: AnyHashable?

    func read() -> String {
      @Inject(id) var value: K.Value
      return K.text(value)
    }
  }

  func host<K: Kind>(_ kind: K.Type, _ id: AnyHashable?, _ form: FusionHostFormOf<Container>)
    -> any FusionHost
  {
    switch form {
    case .object(0): ObjectHost<K>(id == nil ? Inject() : Inject(id: id))
    case .object: ObjectHost<K>(Inject(identifier: id))
    case .containerized(let container): ContainerizedHost<K>(Inject(id), container)
    case .structure: StructureHost<K>(Inject(id))
    case .local: LocalHost<K>(id: id)
    }
  }
}
