// SPDX-License-Identifier: MIT

import Corinth
import Foundation
import TestSupport
import XCTest

/// Beside registrations that come and go, a resolve sees one of them whole, or none.
class RemovalTests: ContainerTestCase {
  private let rounds = StressSize.scaled(10_000, sanitized: 1000)

  func testUnregisteringBesideResolves() throws {
    try resolve { $0.unregister(Tracked.self, name: "key") }
  }

  func testRemovingAllBesideResolves() throws {
    try resolve { $0.removeAll() }
  }

  /// One thread runs `remove` and registers, again and again; the others find an instance, or
  /// nothing.
  private func resolve(_ remove: @escaping @Sendable (Container) -> Void) throws {
    for scope in [AnyScope.singleton, .transient, .weak] {
      let container = makeContainer()
      let tracker = LifetimeTracker()
      @Sendable func register() throws {
        try container.register(Tracked.self, name: "key", scope: scope) { _ in tracker.make() }
      }
      try register()
      // The readers may not get a turn while something is registered.
      _ = try container.resolve(Tracked.self, name: "key")
      let provider = try container.provider(for: Tracked.self, name: "key")
      try besideAWriter(readers: 4, rounds: rounds) { round in
        remove(container)
        // Now and then others find the key absent, or present, for longer.
        if round % 256 == 0 { sched_yield() }
        try register()
        if round % 256 == 128 { sched_yield() }
      } read: { index in
        do {
          switch index {
          case 0: _ = try container.resolve(Tracked.self, name: "key")
          case 1: _ = try container.resolveIfRegistered(Tracked.self, name: "key")
          case 2: _ = try provider()
          default: _ = try Self.borrow(from: container)
          }
        } catch {
          guard case ResolutionError.noRegistrationFound(let context) = error, index != 1 else {
            throw error
          }
          XCTAssertEqual(context.path.map(\.name), ["key"])
        }
      }
      container.removeAll()
      assertNoneLeft(tracker)
    }
  }

  private static func borrow(from container: Container) throws -> Int {
    try container.withResolved(Tracked.self, name: "key") { $0.serial }
  }
}
