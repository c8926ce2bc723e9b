// SPDX-License-Identifier: MIT

import Corinth
import Foundation
import TestSupport
import XCTest

/// A weak instance is shared by all who hold it; when nobody does, the next resolve builds another.
class WeakTests: ContainerTestCase {
  private protocol Product: AnyObject, Sendable {
    var serial: Int { get }
    var isIntact: Bool { get }
  }

  /// An instance that tells when it is used after its end.
  private final class Guarded: Tracked, Product, @unchecked Sendable {
    private let mark = AtomicCounter(Guarded.alive)
    private static let alive = 0x5EED

    var isIntact: Bool { mark.value == Guarded.alive }

    deinit {
      mark.add(-Guarded.alive)
    }
  }

  /// Which instance is being held, and by how many.
  private struct Holders: Sendable {
    var serial = 0
    var count = 0
  }

  func testAClassIsNeverHeldTwice() throws {
    try dropAndRebuild(Guarded.self) { $0 }
  }

  func testAnExistentialIsNeverHeldTwice() throws {
    try dropAndRebuild((any Product).self) { $0 }
  }

  /// Threads resolve, check that whoever else holds an instance holds the same one, and drop it.
  private func dropAndRebuild<Registered: Sendable>(
    _ type: Registered.Type, _ convert: @escaping @Sendable (Registered) -> any Product
  ) throws {
    let container = makeContainer()
    let tracker = LifetimeTracker()
    let failures = AtomicCounter()
    try container.register(type, scope: .weak) { _ in
      // Now and then the next in turn has to try again.
      if tracker.created % 8 == 7, failures.add() % 2 == 0 { throw Refused() }
      guard let instance = Guarded(tracker) as? Registered else { throw Refused() }
      return instance
    }
    let holders = Shared(Holders())
    let rounds = StressSize.scaled(20_000, sanitized: 1000)
    try onThreads(6) { thread in
      for round in 0..<rounds {
        guard let resolved = try? container.resolve(type) else { continue }
        let instance = convert(resolved)
        let others = holders.withValue { holders in
          if holders.count == 0 { holders.serial = instance.serial }
          holders.count += 1
          return holders.serial
        }
        XCTAssertEqual(others, instance.serial, "two instances are held")
        XCTAssert(instance.isIntact, "the instance is dead")
        if round % 16 == thread { sched_yield() }
        if let again = try? container.resolve(type) {
          XCTAssertEqual(convert(again).serial, instance.serial)
        }
        holders.withValue { $0.count -= 1 }
      }
    }
    XCTAssertGreaterThan(tracker.created, 1, "the instance was never dropped")
    assertNoneLeft(tracker)
  }
}
