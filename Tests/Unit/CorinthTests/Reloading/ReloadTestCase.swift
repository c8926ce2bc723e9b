// SPDX-License-Identifier: MIT

import Corinth
import TestSupport
import XCTest

/// A container with settings, and services that depend on them and on other things.
class ReloadTestCase: AsyncTestCase {
  struct Settings: Sendable {
    let version: Int
  }

  /// Counted, and it says when it is disposed of.
  class Service: Tracked, @unchecked Sendable {
    let version: Int

    init(_ tracker: LifetimeTracker, version: Int = 0) {
      self.version = version
      super.init(tracker)
    }
  }
  final class Clock: Service, @unchecked Sendable {}
  final class Database: Service, @unchecked Sendable {}
  final class Cache: Service, @unchecked Sendable {
    let database: Database

    init(_ tracker: LifetimeTracker, _ database: Database) {
      self.database = database
      super.init(tracker, version: database.version)
    }
  }

  let log = EventLog()
  let services = LifetimeTracker()
  var base: Container { container }

  /// Registers a singleton that has declared its dependencies, and logs its disposal.
  func add<Product: Service>(
    _ product: Product.Type, to container: Container? = nil, dependingOn types: any Any.Type...,
    file: StaticString = #fileID, line: UInt = #line,
    factory: @escaping @Sendable (Resolver) throws -> Product
  ) throws {
    try (container ?? base).register(
      product, scope: .singleton, file: file, line: line, factory: factory
    )
    .dependsOn(keys: types.map { RegistrationKey(product: $0) })
    .onDispose { [log] in log.add("\(product) \($0.version)") }
  }

  /// Settings, and a database whose construction for the second version waits.
  ///
  /// - Returns: a gate that opens as that construction begins, and the gate that it waits for.
  func addDatabaseHeldInVersion2() throws -> (isBuilding: AsyncGate, mayGoOn: AsyncGate) {
    let (isBuilding, mayGoOn) = (AsyncGate(), AsyncGate())
    try base.register(value: Settings(version: 1))
    try base.registerAsync(Database.self) { [services] resolver in
      let version = try resolver.resolve(Settings.self).version
      if version == 2 {
        isBuilding.open()
        await mayGoOn.wait()
      }
      return Database(services, version: version)
    }.as(.singleton).dependsOn(Settings.self)
    return (isBuilding, mayGoOn)
  }

  /// Settings, a clock that does not depend on them, a database that does, and a cache of that.
  func addServices() throws {
    try base.register(value: Settings(version: 1))
    try add(Clock.self) { [services] _ in Clock(services) }
    try add(Database.self, dependingOn: Settings.self) { [services] resolver in
      Database(services, version: try resolver.resolve(Settings.self).version)
    }
    try add(Cache.self, dependingOn: Database.self) { [services] resolver in
      Cache(services, try resolver.resolve(Database.self))
    }
  }
}

extension ReloadableContainer {
  /// Reloads the settings, and waits for the disposal.
  func reload(to version: Int) async throws {
    try await reload { try $0.register(value: ReloadTestCase.Settings(version: version)) }.value
  }
}
