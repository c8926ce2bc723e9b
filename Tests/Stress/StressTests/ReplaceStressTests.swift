// SPDX-License-Identifier: MIT

import Corinth
import Foundation
import TestSupport
import XCTest

/// Asynchronous singletons that are replaced while synchronous factories use them.
final class ReplaceStressTests: StressTestCase {
  private let tracker = LifetimeTracker()

  private final class Pool: Tracked, @unchecked Sendable {}
  private struct Service: Sendable {
    let pool: Pool
  }

  func testSynchronousResolvesNeverMeetARegistrationWithoutItsInstance() async throws {
    let (container, isOver, disposed) = (Container(), Flag(), AtomicCounter())
    try container.registerAsync(Pool.self) { [tracker] _ in Pool(tracker) }
      .as(.singleton).onDispose { _ in disposed.add() }
    try container.register(Service.self) { Service(pool: try $0.resolve(Pool.self)) }
    _ = try await container.resolveAsync(Pool.self)
    let readers = (0..<4).map { reader in
      JoinableThread {
        var last = 0
        var seen = 0
        repeat {
          let serial =
            reader % 2 == 0
            ? try container.resolve(Service.self).pool.serial
            : try container.resolve(Pool.self).serial
          if serial < last { XCTFail("\(serial) after \(last)") }
          if serial > last { seen += 1 }
          last = serial
        } while !isOver.isSet
        return seen
      }
    }
    let replacements = StressSize.scaled(300, sanitized: 50)
    for turn in 0..<replacements {
      if turn % 3 == 2 {
        try await container.replace(Pool.self) { [tracker] _ in Pool(tracker) }
        disposed.add()
      } else {
        try await container.replace(Pool.self, disposingOfOld: true) { [tracker] _ in
          await Task.yield()
          return Pool(tracker)
        }
      }
    }
    isOver.isSet = true
    for reader in readers { XCTAssertGreaterThan(try reader.join().get(), 0) }
    XCTAssertEqual(tracker.created, replacements + 1, "each replacement is built once")
    try await container.shutdown()
    XCTAssertEqual(disposed.value, replacements + 1)
    await tracker.waitUntilNoneIsLeft()
    assertNoneLeft(tracker)
  }

  func testReplacementsAtOnceEachBuildOneAndOneStays() async throws {
    let (container, disposed) = (Container(), AtomicCounter())
    try container.registerAsync(Pool.self) { [tracker] _ in Pool(tracker) }
      .as(.singleton).onDispose { _ in disposed.add() }
    _ = try await container.resolveAsync(Pool.self)
    let rounds = StressSize.scaled(50, sanitized: 10)
    for _ in 0..<rounds {
      try await onTasks(6) { [tracker] _ in
        try await container.replace(Pool.self, disposingOfOld: true) { _ in
          await Task.yield()
          return Pool(tracker)
        }
        _ = try container.resolve(Pool.self)
      }
    }
    XCTAssertEqual(tracker.created, rounds * 6 + 1)
    XCTAssertEqual(disposed.value, rounds * 6)
    try await container.shutdown()
    XCTAssertEqual(disposed.value, rounds * 6 + 1)
    await tracker.waitUntilNoneIsLeft()
    assertNoneLeft(tracker)
  }
}
