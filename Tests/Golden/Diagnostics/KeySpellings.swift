// SPDX-License-Identifier: MIT
//
// Keys spelled as other libraries spell parts: as computed properties, key paths and types. With
// KeySlips and KeyPitfalls, the mistakes that the four spellings of parts were tried with.

import Corinth

protocol Mailer: Sendable {}
final class Pool: Sendable {}
struct SMTPMailer: Mailer { let pool: Pool }
@MainActor final class Screen { init() {} }

// Computed properties of the container

extension Container {
  var pool: ServiceKey<Pool> { ServiceKey(scope: .singleton) { _ in Pool() } }
  var mailer: ServiceKey<any Mailer> {
    ServiceKey { SMTPMailer(pool: try $0.resolve($0.pool)) }
  }
  var unwrapped: Pool { Pool() }
  var throwing: Pool { get throws { try resolve(pool) } }
  @MainActor var screen: ServiceKey<Screen> { ServiceKey { _ in Screen() } }
}

extension Resolving {
  var pool: ServiceKey<Pool> { ServiceKey(scope: .singleton) { _ in Pool() } }
}

func properties(_ container: Container) throws {
  _ = try container.resolve(container.pool)
  _ = try container.resolve(container.unwrapped)
  _ = try container.pool()
}

// Key paths

struct KeptPath: Sendable { let path: KeyPath<Container, ServiceKey<Pool>> }

final class Client {
  @Injected(\.pool) var path: Pool
  @Injected(\Container.pool) var rooted: Pool
}

func paths(_ container: Container) throws {
  _ = try container.resolve(\.pool)
  _ = try container.resolve(\.pol)
  _ = \Container.throwing
  _ = \Container.screen
}

// A type for each part

enum PoolPart: ServiceKeyProtocol {
  typealias Product = Pool
}

enum RepositoryPart<Row> {
  static let key: ServiceKey<[Row]> = ServiceKey { _ in [] }
}

func parts(_ container: Container) throws {
  _ = try container.resolve(PoolPart)
  _ = try container.resolve(PoolPart.self)
  try container.register(PoolPart.self) { _ in Pool() }
}
