// SPDX-License-Identifier: MIT

import DICDialect

/// DIC as the compatibility module has it.
final class DICAdapter: DICSubject {
  enum Place {
    case mutable(DependencyInjectionContainer)
    case mini(MiniDependencyInjectionContainer)
    case async(AsyncDependencyInjectionContainer)
    case builder(DICBuilder)
    case immutable(ImmutableDependencyInjectionContainer)
  }

  enum List {
    case plain([ObjectIdentifier: () -> Any])
    case throwing([ObjectIdentifier: () throws -> Any])
    case async([ObjectIdentifier: () async -> Any])
    case asyncThrowing([ObjectIdentifier: () async throws -> Any])
  }

  let hasEnded = false

  init(_ ledger: Ledger) {}

  func create(_ form: DICForm) -> Place {
    switch form {
    case .mutable: .mutable(DependencyInjectionContainer())
    case .mini: .mini(MiniDependencyInjectionContainer())
    case .async: .async(AsyncDependencyInjectionContainer())
    case .builder: .builder(DICBuilder())
    case .immutable: .immutable(DICBuilder().build())
    }
  }

  func form(_ place: Place) -> DICForm {
    switch place {
    case .mutable: .mutable
    case .mini: .mini
    case .async: .async
    case .builder: .builder
    case .immutable: .immutable
    }
  }

  func build(_ builder: Place) -> Place {
    guard case .builder(let builder) = builder else { preconditionFailure("not a builder") }
    return .immutable(builder.build())
  }

  func register<K: Kind>(
    _ kind: K.Type, _ registration: DICRegistration, in place: Place,
    _ builder: @escaping () throws -> K.Value
  ) {
    let certain: () -> K.Value = {
      do { return try builder() } catch { preconditionFailure("only throwing builders throw") }
    }
    let type = K.Value.self
    let isAutoclosure = registration.isAutoclosure
    switch (place, registration.slot, registration.isSpelled) {
    case (.mutable(let container), .plain, let spelled):
      register(in: container, type, certain, isAutoclosure, spelled)
    case (.mini(let container), .plain, let spelled):
      register(in: container, type, certain, isAutoclosure, spelled)
    case (.mutable(let container), .singleton, let spelled):
      registerSingleton(in: container, type, certain, isAutoclosure, spelled)
    case (.mini(let container), .singleton, let spelled):
      registerSingleton(in: container, type, certain, isAutoclosure, spelled)
    case (.mutable(let container), .throwing, true):
      if isAutoclosure {
        container.registerThrowable(try builder(), as: type)
      } else {
        container.registerThrowable({ try builder() }, as: type)
      }
    case (.mutable(let container), .throwing, false):
      if isAutoclosure {
        container.registerThrowable(try builder())
      } else {
        container.registerThrowable { try builder() }
      }
    case (.async(let container), .throwing, _):
      let unchecked = Unchecked(builder)
      container.registerAsync(
        { () async throws -> K.Value in
          await Task.yield()
          return try unchecked.value()
        }, as: type)
    case (.async(let container), _, _):
      let unchecked = Unchecked(certain)
      container.registerAsync(
        { () async -> K.Value in
          await Task.yield()
          return unchecked.value()
        }, as: type)
    case (.builder(let container), .plain, _):
      if isAutoclosure {
        container.register(certain(), as: type)
      } else {
        container.register({ certain() }, as: type)
      }
    case (.builder(let container), .singleton, _):
      if isAutoclosure {
        container.registerSingleton(certain(), as: type)
      } else {
        container.registerSingleton({ certain() }, as: type)
      }
    case (.builder(let container), .throwing, _):
      if isAutoclosure {
        container.registerThrowable(try builder(), as: type)
      } else {
        container.registerThrowable({ try builder() }, as: type)
      }
    case (.mini, .throwing, _), (.immutable, _, _): preconditionFailure("has no such function")
    }
  }

  private func register<T>(
    in container: DependencyContainer, _ type: T.Type, _ builder: @escaping () -> T,
    _ isAutoclosure: Bool, _ isSpelled: Bool
  ) {
    switch (isAutoclosure, isSpelled) {
    case (true, true): container.register(builder(), as: type)
    case (true, false): container.register(builder())
    case (false, true): container.register({ builder() }, as: type)
    case (false, false): container.register { builder() }
    }
  }

  private func registerSingleton<T>(
    in container: DependencyContainer, _ type: T.Type, _ builder: () -> T,
    _ isAutoclosure: Bool, _ isSpelled: Bool
  ) {
    switch (isAutoclosure, isSpelled) {
    case (true, true): container.registerSingleton(builder(), as: type)
    case (true, false): container.registerSingleton(builder())
    case (false, true): container.registerSingleton({ builder() }, as: type)
    case (false, false): container.registerSingleton { builder() }
    }
  }

  func load<K: Kind>(_ kind: K.Type, _ form: DICLoad, from place: Place) throws -> K.Value? {
    let type = K.Value.self
    switch place {
    case .mutable(let container):
      switch form {
      case .certain: return container.load(type)
      case .certainInferred:
        let found: K.Value = container.load()
        return found
      case .orNil: return container.loadOrNil(type)
      case .orThrow: return try container.loadOrThrow(type)
      }
    case .immutable(let container):
      switch form {
      case .certain: return container.load(type)
      case .certainInferred:
        let found: K.Value = container.load()
        return found
      case .orNil: return container.loadOrNil(type)
      case .orThrow: return try container.loadOrThrow(type)
      }
    case .mini(let container): return container.load(type)
    case .async(let container):
      return try waiting {
        switch form {
        case .certain: await container.loadAsync(type)
        case .certainInferred: await container.loadAsync() as K.Value
        case .orNil: await container.loadAsyncOrNil(type)
        case .orThrow: try await container.loadAsyncOrThrow(type)
        }
      }
    case .builder: preconditionFailure("a builder loads nothing")
    }
  }

  func unregister(_ place: Place, keepingCapacity: Bool) {
    switch place {
    case .mutable(let container): container.unregisterDependencies(keepingCapacity: keepingCapacity)
    case .mini(let container): container.unregisterDependencies(keepingCapacity: keepingCapacity)
    case .async(let container): container.unregisterDependencies(keepingCapacity: keepingCapacity)
    case .builder, .immutable: preconditionFailure("has no such function")
    }
  }

  func list(_ place: Place, throwable: Bool) -> List {
    switch (place, throwable) {
    case (.mutable(let container), false): .plain(container.dependencies())
    case (.mutable(let container), true): .throwing(container.throwableDependencies())
    case (.mini(let container), _): .plain(container.dependencies())
    case (.async(let container), false): .async(container.dependencies())
    case (.async(let container), true): .asyncThrowing(container.throwableDependencies())
    case (.builder, _), (.immutable, _): preconditionFailure("has no list")
    }
  }

  func has<K: Kind>(_ kind: K.Type, in list: List) -> Bool {
    switch list {
    case .plain(let builders): builders[K.identifier] != nil
    case .throwing(let builders): builders[K.identifier] != nil
    case .async(let builders): builders[K.identifier] != nil
    case .asyncThrowing(let builders): builders[K.identifier] != nil
    }
  }

  func run<K: Kind>(_ kind: K.Type, in list: List) throws -> K.Value {
    let made: Any? =
      switch list {
      case .plain(let builders): builders[K.identifier].map { $0() }
      case .throwing(let builders): try builders[K.identifier].map { try $0() }
      case .async(let builders):
        try builders[K.identifier].map { builder in try waiting { await builder() } }
      case .asyncThrowing(let builders):
        try builders[K.identifier].map { builder in try waiting { try await builder() } }
      }
    guard let made, let value = made as? K.Value else { preconditionFailure("of another type") }
    return value
  }

  func isMiss(_ error: any Error, of form: DICForm) -> Bool {
    switch form {
    case .mutable, .mini, .builder: error is DependencyInjectionContainer.InjectionLoadError
    case .async: error is AsyncDependencyInjectionContainer.InjectionLoadError
    case .immutable: error is ImmutableDependencyInjectionContainer.InjectionLoadError
    }
  }
}
