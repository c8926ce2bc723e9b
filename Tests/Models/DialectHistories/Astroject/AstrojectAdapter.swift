// SPDX-License-Identifier: MIT

import AstrojectDialect

/// Astroject as the compatibility module has it.
final class AstrojectAdapter: AstrojectSubject {
  typealias Container = AstrojectDialect.Container
  typealias Resolver = AstrojectDialect.Resolver

  private let ledger: Ledger

  init(_ ledger: Ledger) { self.ledger = ledger }

  func create() -> Container { Container() }

  // SAFETY: programs run on one thread.
  private final class Recording<Product>: Instance, @unchecked Sendable {
    private let ledger: Ledger
    private var value: Product?

    init(_ ledger: Ledger) { self.ledger = ledger }

    // How often it is asked is not said.
    func get() -> Product? { value }

    func set(_ product: Product) {
      ledger.note("set")
      value = product
    }

    func release() {
      ledger.note("release")
      value = nil
    }
  }

  private var shared: [Int: Any] = [:]

  private func instance<Product>(_ instance: AstrojectInstance, _ type: Product.Type)
    -> any Instance<Product>
  {
    switch instance {
    case .prototype: Prototype<Product>()
    case .singleton: Singleton<Product>()
    case .weak: Weak<Product>()
    case .recording: Recording<Product>(ledger)
    case .shared(let number): shared[number] as? any Instance<Product> ?? Singleton<Product>()
    }
  }

  func register<K: Kind>(
    _ kind: K.Type, _ registration: AstrojectRegistration, in container: Container,
    _ factory: @escaping (Resolver) throws -> K.Value, _ action: @escaping (K.Value) throws -> Void
  ) throws -> (() -> Void)? {
    let name = registration.key.name.map { Name($0) }
    let factory = Unchecked(factory)
    let made: Registration<K.Value>
    switch (registration.isAsync, registration.overridable) {
    case (false, nil):
      made = try container.register(K.Value.self, name: name) { try factory.value($0) }
    case (false, let overridable?):
      made = try container.register(K.Value.self, name: name, overridable: overridable) {
        try factory.value($0)
      }
    case (true, nil):
      made = try container.registerAsync(K.Value.self, name: name) { resolver async throws in
        nonisolated(unsafe) let value = try factory.value(resolver)
        return unsafe value
      }
    case (true, let overridable?):
      made = try container.registerAsync(K.Value.self, name: name, overridable: overridable) {
        resolver async throws in
        nonisolated(unsafe) let value = try factory.value(resolver)
        return unsafe value
      }
    }
    if registration.afterInit != nil {
      let action = Unchecked(action)
      made.afterInit { (_: Resolver, value: K.Value) throws in try action.value(value) }
    }
    switch registration.scope {
    case .usual: return nil
    case .prototype: made.asPrototype()
    case .singleton:
      if let made = made as? Registration<Int> {
        made.asSingleton()
      } else {
        made.asUnchecked(.singleton)
      }
    case .weak:
      if let made = made as? Registration<Widget> { made.asWeak() } else { made.asUnchecked(.weak) }
    case .instance(let form):
      let instance = instance(form, K.Value.self)
      shared[registration.number] = instance
      return use(instance, in: made)
    case .composite(let parts, let isByClosure):
      let instances = parts.map { instance($0, K.Value.self) }
      if isByClosure {
        let composite = Composite(instances)
        made.as { composite }
        return { composite.release() }
      }
      let composite = Composite(instances: instances)
      made.as(composite)
      return { composite.release() }
    }
    return nil
  }

  private func use<Product>(_ instance: some Instance<Product>, in made: Registration<Product>)
    -> () -> Void
  {
    made.as(instance)
    return { instance.release() }
  }

  func resolve<K: Kind>(
    _ kind: K.Type, _ name: String?, isAsync: Bool, from container: Container
  ) throws -> K.Value {
    let name = name.map { Name($0) }
    guard isAsync else {
      guard let name else { return try container.resolve(K.Value.self) }
      return try container.resolve(K.Value.self, name: name)
    }
    return try waiting {
      Unchecked(try await container.resolveAsync(K.Value.self, name: name))
    }.value
  }

  func resolve<K: Kind>(_ kind: K.Type, _ name: String?, within resolver: Resolver) throws
    -> K.Value
  {
    try resolver.resolve(K.Value.self, name: name.map { Name($0) })
  }

  func isRegistered<K: Kind>(_ kind: K.Type, _ name: String?, in container: Container) -> Bool {
    container.isRegistered(K.Value.self, with: name.map { Name($0) })
  }

  func clear(_ container: Container) { container.clear() }

  // SAFETY: programs run on one thread.
  private struct Noting: Behavior, @unchecked Sendable {
    let number: Int
    let ledger: Ledger

    func didRegister<Product>(
      type: Product.Type, to container: Container, as registration: Registration<Product>,
      with name: String?
    ) {
      ledger.note("b\(number): \(type) \(name ?? "without name")")
    }
  }

  func add(behavior: Int, to container: Container) {
    container.add(Noting(number: behavior, ledger: ledger))
  }

  private struct Part: Assembly {
    let id: String?
    let assembleIn: (Container) -> Void
    let loadedWith: (Resolver) -> Void

    func assemble(container: Container) { assembleIn(container) }
    func loaded(resolver: Resolver) { loadedWith(resolver) }
  }

  func apply(
    _ assemblies: [(id: String?, assemble: (Container) -> Void, loaded: (Resolver) -> Void)],
    to container: Container
  ) {
    let parts = assemblies.map { Part(id: $0.id, assembleIn: $0.assemble, loadedWith: $0.loaded) }
    let assembler = Assembler(container: container)
    if parts.count == 1 {
      assembler.apply(assembly: parts[0])
    } else {
      do { try assembler.apply(assemblies: parts) } catch { preconditionFailure("\(error)") }
    }
  }

  func text(of error: any Error) -> String {
    switch error {
    case RegistrationError.alreadyRegistered: return "alreadyRegistered"
    case ResolutionError.noRegistrationFound: return "noRegistrationFound"
    case ResolutionError.circularDependencyDetected: return "circularDependencyDetected"
    case ResolutionError.asyncResolutionRequired: return "asyncResolutionRequired"
    case let error as ResolutionError:
      return "underlyingError " + (error.underlyingError.map { "\($0)" } ?? "\(error)")
    default: return "\(error)"
    }
  }
}
