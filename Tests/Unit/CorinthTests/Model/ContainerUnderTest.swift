// SPDX-License-Identifier: MIT

import Corinth
import TestSupport

/// The keys of ``ReferenceContainer`` as keys of a container: three products, each with several
/// names and with or without an argument.
final class ContainerUnderTest {
  typealias Built = ReferenceContainer.Built
  typealias Outcome = ReferenceContainer.Outcome

  private final class Product<Tag>: Sendable {
    let built: Built

    init(_ built: Built) {
      self.built = built
    }
  }

  private static let productCount = 3
  private static let names: [Name?] = [
    nil, "", "short", "a name that does not fit into two words", "\u{E9}", Name(0), Name(1),
    Name(Role.guest(visits: 1)),
  ]
  private static let keysWithoutArgument = productCount * names.count

  static let keyCount = 2 * keysWithoutArgument

  private let container: Container
  private let built = AtomicCounter()
  private var chained: [Int: (AnyScope) -> Void] = [:]

  init(fingerprintBits: UInt32) {
    container = Container(fingerprintBits: fingerprintBits)
  }

  static func hasArgument(_ key: Int) -> Bool { key >= keysWithoutArgument }

  private static func name(_ key: Int) -> Name? { names[key / productCount % names.count] }

  func register(_ key: Int, serial: Int, scope: AnyScope, isOverridable: Bool) throws -> Outcome {
    switch key % Self.productCount {
    case 0: try register(A.self, key, serial, scope, isOverridable)
    case 1: try register(B.self, key, serial, scope, isOverridable)
    default: try register(C.self, key, serial, scope, isOverridable)
    }
  }

  private func register<Tag>(
    _ tag: Tag.Type, _ key: Int, _ serial: Int, _ scope: AnyScope, _ isOverridable: Bool
  ) throws -> Outcome {
    let name = Self.name(key)
    let build = { @Sendable [built] in
      Product<Tag>(Built(registration: serial, number: built.add()))
    }
    do {
      let registration =
        if Self.hasArgument(key) {
          try container.register(
            Product<Tag>.self, name: name, scope: scope, onDuplicate: isOverridable ? nil : .refuse
          ) { (_, _: Int) in build() }
        } else {
          try container.register(
            Product<Tag>.self, name: name, scope: scope, onDuplicate: isOverridable ? nil : .refuse
          ) { _ in build() }
        }
      chained[serial] = { scope in
        switch scope {
        case .singleton: registration.as(.singleton)
        case .weak: registration.as(.weak)
        default: registration.as(.transient)
        }
      }
      return .done(true)
    } catch RegistrationError.alreadyRegistered {
      return .refused
    }
  }

  func chain(serial: Int, scope: AnyScope) throws -> Outcome {
    chained[serial]?(scope)
    return .done(true)
  }

  func unregister(_ key: Int) -> Outcome {
    switch key % Self.productCount {
    case 0: unregister(A.self, key)
    case 1: unregister(B.self, key)
    default: unregister(C.self, key)
    }
  }

  private func unregister<Tag>(_ tag: Tag.Type, _ key: Int) -> Outcome {
    let name = Self.name(key)
    return .done(
      Self.hasArgument(key)
        ? container.unregister(Product<Tag>.self, name: name, arguments: Int.self)
        : container.unregister(Product<Tag>.self, name: name))
  }

  func contains(_ key: Int) -> Outcome {
    switch key % Self.productCount {
    case 0: contains(A.self, key)
    case 1: contains(B.self, key)
    default: contains(C.self, key)
    }
  }

  private func contains<Tag>(_ tag: Tag.Type, _ key: Int) -> Outcome {
    let name = Self.name(key)
    return .done(
      Self.hasArgument(key)
        ? container.contains(Product<Tag>.self, name: name, arguments: Int.self)
        : container.contains(Product<Tag>.self, name: name))
  }

  func removeAll() -> Outcome {
    container.removeAll()
    return .done(true)
  }

  /// Resolves, in one of the ways that there are.
  func resolve(_ key: Int, way: Int) throws -> Outcome {
    do {
      return switch key % Self.productCount {
      case 0: try .resolved(resolve(A.self, key, way))
      case 1: try .resolved(resolve(B.self, key, way))
      default: try .resolved(resolve(C.self, key, way))
      }
    } catch ResolutionError.noRegistrationFound {
      return .missing
    }
  }

  private func resolve<Tag>(
    _ tag: Tag.Type, _ key: Int, _ way: Int
  ) throws -> Built {
    let name = Self.name(key)
    let product = Product<Tag>.self
    if Self.hasArgument(key) {
      return try container.resolve(product, name: name, arguments: 0).built
    }
    switch way % 3 {
    case 0: return try container.resolve(product, name: name).built
    case 1: return try container.provider(for: product, name: name)().built
    default:
      if let found = try container.resolveIfRegistered(product, name: name) { return found.built }
      return try container.resolve(product, name: name).built
    }
  }
}
