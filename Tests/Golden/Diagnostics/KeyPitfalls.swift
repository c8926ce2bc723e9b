// SPDX-License-Identifier: MIT
//
// Slips where keys are declared and resolved, for which the compiler has several errors, some of
// them for the overloads, or an error in Swift 6 only.

import Corinth

final class Pool: Sendable {}
final class Mutable { var count = 0 }

enum App {
  static let pool: ServiceKey<Pool> = ServiceKey(scope: .singleton) { _ in Pool() }
  static let slow: AsyncServiceKey<Pool> = AsyncServiceKey { _ in Pool() }
  static var variable: ServiceKey<Pool> = ServiceKey { _ in Pool() }
  static func capturing(_ mutable: Mutable) -> ServiceKey<Int> {
    ServiceKey { _ in mutable.count }
  }
}

func resolve(_ container: Container) async throws {
  _ = try await container.resolveAsync(App.pol)
  try container.withResolved(App.pool) { _ in }
  try container.withResolved(key: App.pol) { _ in }
}

func resolve(_ container: Container, _ resolver: Resolver, _ any: some Resolving) throws {
  _ = try container.resolve(App.pol)
  _ = try resolver.resolve(App.pol)
  _ = try any.resolve(App.pol)
  _ = try container.resolve(App.slow)
  _ = try resolver.resolve(App.slow)
  _ = try any.resolve(App.slow)
  _ = try container.resolveIfRegistered(App.pool)
  _ = try container.resolve(App.pool, name: "main")
}
