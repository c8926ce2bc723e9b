// SPDX-License-Identifier: MIT

import Corinth
import TestSupport
import XCTest

/// Factories and deinits may use the container that runs them.
class ReentrancyTests: ContainerTestCase {
  private let rounds = StressSize.scaled(2000, sanitized: 300)
  private let threads = 4

  // MARK: - Factories

  func testFactoriesOverrideTheirOwnKey() throws {
    try reenter { container, tracker, scope, _ in
      try container.register(Tracked.self, scope: scope) { _ in tracker.make() }
    }
  }

  func testFactoriesUnregisterTheirOwnKey() throws {
    try reenter { container, tracker, scope, register in
      container.unregister(Tracked.self)
      try register()
    }
  }

  func testFactoriesRemoveAllRegistrations() throws {
    try reenter { container, tracker, scope, register in
      container.removeAll()
      try register()
    }
  }

  private typealias Register = @Sendable () throws -> Void

  /// All threads resolve a key whose factory runs `body`.
  private func reenter(
    _ body: @escaping @Sendable (Container, LifetimeTracker, AnyScope, Register) throws -> Void
  ) throws {
    for scope in [AnyScope.transient, .singleton, .weak] {
      let container = makeContainer()
      let tracker = LifetimeTracker()
      @Sendable func register() throws {
        try container.register(Tracked.self, scope: scope) { resolver in
          let instance = tracker.make()
          try body(resolver.container, tracker, scope, { try register() })
          return instance
        }
      }
      try register()
      try onThreads(threads) { [rounds] index in
        for _ in 0..<rounds {
          do {
            _ = try container.resolve(Tracked.self)
          } catch ResolutionError.noRegistrationFound {
            // In the moment between the removal and the registration that follows.
          }
          if index == 0 { try register() }
        }
      }
      container.removeAll()
      assertNoneLeft(tracker)
    }
  }

  // MARK: - Names

  /// A name that uses the container when it is compared. All such names have the same hash.
  private struct Busy: Hashable, Sendable {
    let container: Container
    let text: String

    static func == (left: Busy, right: Busy) -> Bool {
      _ = try? left.container.register(Int.self, name: "compared") { _ in 1 }
      _ = try? left.container.resolve(Int.self, name: "compared")
      return left.text == right.text
    }

    func hash(into hasher: inout Hasher) {}
  }

  func testNamesUseTheContainerWhenTheyAreCompared() throws {
    let container = makeContainer()
    try onThreads(threads) { index in
      for key in 0..<20 {
        let name = Name(Busy(container: container, text: "\(index): \(key)"))
        try container.register(Int.self, name: name) { _ in key }
        XCTAssertEqual(try container.resolve(Int.self, name: name), key)
        XCTAssert(container.unregister(Int.self, name: name))
      }
    }
  }

  /// A name that registers a new key whenever it is compared. All such names have the same hash.
  private struct Growing: Hashable, Sendable {
    let container: Container
    let comparisons: AtomicCounter
    let number: Int

    static func == (left: Growing, right: Growing) -> Bool {
      let comparison = left.comparisons.add()
      // Far more than it takes: without an end of its own, the test would not fail but hang.
      if comparison < 10_000 {
        _ = try? left.container.register(Int.self, name: "new \(comparison)") { _ in comparison }
      }
      return left.number == right.number
    }

    func hash(into hasher: inout Hasher) {}
  }

  /// A registration searched anew whenever a key had been registered during its search: without end
  /// if the search did that itself.
  func testRegistrationsEndThoughEachComparisonOfNamesRegistersAKey() throws {
    let container = makeContainer()
    let comparisons = AtomicCounter()
    for number in 0..<4 {
      let name = Name(Growing(container: container, comparisons: comparisons, number: number))
      try container.register(Int.self, name: name) { _ in number }
    }
    XCTAssertLessThan(comparisons.value, 100)
    container.removeAll()
  }

  // MARK: - Deinits

  func testDeinitsResolveAndRegister() throws {
    for scope in [AnyScope.singleton, .weak, .transient] {
      let container = makeContainer()
      let tracker = LifetimeTracker()
      let other = LifetimeTracker()
      let failures = Shared<[String]>([])
      try container.register(Tracked.self, name: "ready", scope: .singleton) { _ in other.make() }
      try onThreads(threads) { [rounds] index in
        for round in 0..<rounds {
          try container.register(Farewell.self, scope: scope) { [unowned container] _ in
            Farewell(tracker) {
              do {
                _ = try container.resolve(Tracked.self, name: "ready")
                try container.register(Tracked.self, name: Name(index)) { _ in other.make() }
                _ = try container.resolve(Tracked.self, name: Name(index))
                if round % 2 == 0 { container.unregister(Tracked.self, name: Name(index)) }
              } catch ResolutionError.noRegistrationFound {
                // Another thread's deinit has removed it.
              } catch {
                failures.withValue { $0.append("\(error)") }
              }
            }
          }
          _ = try container.resolve(Farewell.self)
        }
      }
      XCTAssertEqual(failures.value, [])
      container.unregister(Farewell.self)
      assertNoneLeft(tracker)
      container.removeAll()
      assertNoneLeft(other)
    }
  }

  /// Each instance overrides the next key when it goes away, so that one removal ends all of them.
  func testAChainOfDeinitsNeedsNoStack() throws {
    let length = StressSize.scaled(fingerprintBits < 64 ? 2000 : 20_000, sanitized: 1000)
    let container = makeContainer()
    let tracker = LifetimeTracker()
    for link in 0..<length {
      try container.register(Farewell.self, name: Name(link), scope: .singleton) {
        [unowned container] _ in
        Farewell(tracker) {
          _ = try? container.register(Farewell.self, name: Name(link + 1)) { _ in
            Farewell(tracker) {}
          }
        }
      }
      _ = try container.resolve(Farewell.self, name: Name(link))
    }
    XCTAssertEqual(tracker.alive, length)
    try onSmallStack { _ = container.unregister(Farewell.self, name: Name(0)) }
    XCTAssertEqual(tracker.created, length)
    assertNoneLeft(tracker)
  }
}
