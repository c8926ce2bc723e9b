// SPDX-License-Identifier: MIT

import Corinth
public import TestSupport

/// A container and a child of it, used through their public operations.
public final class ContainerSubject: HistorySubject {
  private let container: Container
  private let child: Container
  private let factories: HistoryFactories
  /// Whether factories hold objects that use the container in their deinits: in every other
  /// history.
  private let hasFarewells: Bool
  /// Whether factories take an argument, and have an instance for each of its values: in every
  /// third history.
  private let hasArguments: Bool

  /// One key takes the shortest path there is, the other the one of names.
  private static let names: [Name?] = [nil, "named"]

  public init(_ script: HistoryScript, _ tracker: LifetimeTracker) {
    container = Container(fingerprintBits: script.collides ? 2 : 64)
    child = Container(parent: container)
    factories = HistoryFactories(tracker)
    hasFarewells = script.operations.count.isMultiple(of: 2)
    hasArguments = script.operations.count.isMultiple(of: 3)
  }

  public var built: Int { factories.count }

  public func perform(_ operation: HistoryScript.Operation) -> HistoryEvent.Outcome {
    let name = Self.names[operation.key]
    do {
      switch operation.kind {
      case .register(let registration):
        return .answer(try register(registration, operation, onDuplicate: .refuse))
      case .override(let registration):
        return .answer(try register(registration, operation, onDuplicate: nil))
      case .unregister:
        return .answer(
          hasArguments
            ? container.unregister(HistoryInstance.self, name: name, arguments: Int.self)
            : container.unregister(HistoryInstance.self, name: name))
      case .contains(let view):
        let asked = view == .own ? container : child
        return .answer(
          hasArguments
            ? asked.contains(HistoryInstance.self, name: name, arguments: Int.self)
            : asked.contains(HistoryInstance.self, name: name))
      case .release:
        return .answer(
          hasArguments
            ? container.release(HistoryInstance.self, name: name, arguments: 7)
            : container.release(HistoryInstance.self, name: name))
      case .resolve(let way):
        return .instance(
          hasArguments
            ? try resolveWithArgument(way, name: name) : try resolve(way, name: name))
      }
    } catch {
      return .unexpected("\(error)")
    }
  }

  private func register(
    _ registration: HistoryScript.Registration, _ operation: HistoryScript.Operation,
    onDuplicate: DuplicatePolicy?
  ) throws -> Bool {
    let (number, pause) = (registration.number, operation.pauses.inside)
    let farewell = hasFarewells ? HistoryFarewell(container, number) : nil
    do {
      if hasArguments {
        try container.register(
          HistoryInstance.self, name: Self.names[operation.key],
          scope: registration.lifetime.scope, onDuplicate: onDuplicate
        ) { [factories] (_, _: Int) in
          withExtendedLifetime(farewell) { factories.build(number, pause) }
        }
        return true
      }
      try container.register(
        HistoryInstance.self, name: Self.names[operation.key], scope: registration.lifetime.scope,
        onDuplicate: onDuplicate
      ) { [factories] _ in
        withExtendedLifetime(farewell) { factories.build(number, pause) }
      }
      return true
    } catch RegistrationError.alreadyRegistered {
      return false
    }
  }

  private func resolveWithArgument(
    _ way: HistoryScript.Resolve, name: Name?
  ) throws -> HistoryInstance? {
    do {
      switch way {
      case .plain, .borrowed, .provider:
        return try container.resolve(HistoryInstance.self, name: name, arguments: 7)
      case .ifRegistered:
        return try container.resolveIfRegistered(HistoryInstance.self, name: name, arguments: 7)
      case .inChild:
        return try child.resolve(HistoryInstance.self, name: name, arguments: 7)
      }
    } catch ResolutionError.noRegistrationFound {
      return nil
    }
  }

  private func resolve(_ way: HistoryScript.Resolve, name: Name?) throws -> HistoryInstance? {
    do {
      switch way {
      case .plain:
        guard let name else { return try container.resolve(HistoryInstance.self) }
        return try container.resolve(HistoryInstance.self, name: name)
      case .ifRegistered:
        return try container.resolveIfRegistered(HistoryInstance.self, name: name)
      case .borrowed:
        return try container.withResolved(HistoryInstance.self, name: name) { $0 }
      case .provider:
        return try container.provider(for: HistoryInstance.self, name: name)()
      case .inChild:
        return try child.resolve(HistoryInstance.self, name: name)
      }
    } catch ResolutionError.noRegistrationFound {
      return nil
    }
  }
}
