// SPDX-License-Identifier: MIT

import Corinth
import TestSupport
import XCTest

/// A factory may resolve on another thread and wait for it.
class HoppingTests: ContainerTestCase {
  private final class Config: Tracked, @unchecked Sendable {}

  private final class Service: Tracked, @unchecked Sendable {
    let config: Config

    init(_ tracker: LifetimeTracker, _ config: Config) {
      self.config = config
      super.init(tracker)
    }
  }

  /// Runs `body` on another thread and waits for its result.
  private static func hop<Value: Sendable>(
    _ body: @escaping @Sendable () throws -> Value
  ) throws -> Value {
    try JoinableThread(body).join().get()
  }

  func testAFactoryHopsWithItsResolver() throws {
    try hopping { resolver, _ in try resolver.resolve(Config.self) }
  }

  func testAFactoryHopsWithTheContainer() throws {
    try hopping { _, container in try container.resolve(Config.self) }
  }

  func testAFactoryHopsWithAProvider() throws {
    try hopping { resolver, _ in try resolver.provider(for: Config.self)() }
  }

  private func hopping(
    _ resolveConfig: @escaping @Sendable (Resolver, Container) throws -> Config
  ) throws {
    let tracker = LifetimeTracker()
    let rounds = StressSize.scaled(20)
    for _ in 0..<rounds {
      let container = makeContainer()
      try container.register(Config.self) { _ in Config(tracker) }.as(.singleton)
      try container.register(Service.self) { resolver in
        let container = try resolver.container
        let config = try Self.hop { try resolveConfig(resolver, container) }
        return Service(tracker, config)
      }.as(.singleton)
      let services = try onThreads(4) { index in
        if index == 0 { _ = try container.resolve(Config.self) }
        return try container.resolve(Service.self)
      }
      XCTAssert(services.allSatisfy { $0 === services[0] })
      XCTAssert(try container.resolve(Config.self) === services[0].config)
    }
    XCTAssertEqual(tracker.created, 2 * rounds)
    assertNoneLeft(tracker)
  }

  func testAHopToTheKeyBeingBuiltIsACycle() throws {
    let container = makeContainer()
    try container.register(Config.self) { resolver in
      try Self.hop { try resolver.resolve(Config.self) }
    }.as(.singleton)
    for _ in 0..<2 {
      assertCycle(through: [Config.self, Config.self]) { try container.resolve() as Config }
    }
  }

  func testAHopToWhatDependsOnTheKeyBeingBuiltIsACycle() throws {
    let tracker = LifetimeTracker()
    let container = makeContainer()
    try container.register(Config.self) { resolver in
      try Self.hop { try resolver.resolve(Service.self).config }
    }.as(.singleton)
    try container.register(Service.self) { resolver in
      let config = try Self.hop { try resolver.resolve(Config.self) }
      return Service(tracker, config)
    }.as(.singleton)
    assertCycle(through: [Config.self, Service.self, Config.self]) {
      try container.resolve() as Config
    }
    assertCycle(through: [Service.self, Config.self, Service.self]) {
      try container.resolve() as Service
    }

    try container.register(Config.self) { _ in Config(tracker) }.as(.singleton)
    XCTAssert(
      try container.resolve(Service.self).config === container.resolve(Config.self))
    container.removeAll()
    assertNoneLeft(tracker)
  }

  func testAResolverKeptBeyondItsFactoryStartsAfresh() throws {
    let tracker = LifetimeTracker()
    let container = makeContainer()
    let kept = Shared<Resolver?>(nil)
    try container.register(Config.self) { resolver in
      kept.value = resolver
      return Config(tracker)
    }.as(.singleton)
    let config = try container.resolve(Config.self)
    let resolver = try XCTUnwrap(kept.value)
    XCTAssert(try Self.hop { try resolver.resolve(Config.self) } === config)
    kept.value = nil
  }
}
