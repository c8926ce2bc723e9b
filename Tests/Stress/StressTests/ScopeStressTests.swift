// SPDX-License-Identifier: MIT

import Corinth
import Foundation
import TestSupport
import XCTest

/// Request scopes that many threads use at once.
final class ScopeStressTests: StressTestCase {
  private let threads = 8

  func testAScopedInstanceIsBuiltOncePerScope() throws {
    let tracker = LifetimeTracker()
    let container = Container()
    try container.register(Tracked.self, scope: .scoped) { _ in
      usleep(1000)
      return tracker.make()
    }
    let count = StressSize.scaled(50)
    do {
      let scopes = (0..<count).map { _ in container.makeScope() }
      let arrival = Barrier(threads)
      let resolved = try onThreads(threads) { _ in
        try scopes.map { scope in
          arrival.wait()
          return try scope.resolve(Tracked.self).serial
        }
      }
      XCTAssertEqual(Set(resolved).count, 1, "all threads got the same ones")
      XCTAssertEqual(Set(resolved[0]).count, count, "each scope has its own")
    }
    XCTAssertEqual(tracker.created, count)
    assertNoneLeft(tracker)
  }

  func testManyInstancesOfOneScopeAreEachBuiltOnce() throws {
    let tracker = LifetimeTracker()
    let container = Container()
    let keys = 20
    for key in 0..<keys {
      try container.register(Tracked.self, name: Name(key), scope: .scoped) { resolver in
        if key > 0 { _ = try resolver.resolve(Tracked.self, name: Name(key / 2)) }
        sched_yield()
        return tracker.make()
      }
    }
    let rounds = StressSize.scaled(200, sanitized: 30)
    for _ in 0..<rounds {
      let scope = container.makeScope()
      let serials = try onThreads(threads) { index in
        try (0..<keys).map { key in
          // Some from the front, some from the back.
          let key = index % 2 == 0 ? key : keys - 1 - key
          return (key, try scope.resolve(Tracked.self, name: Name(key)).serial)
        }
      }
      for key in 0..<keys {
        XCTAssertEqual(Set(serials.joined().filter { $0.0 == key }.map(\.1)).count, 1)
      }
      try scope.syncClose()
    }
    XCTAssertEqual(tracker.created, rounds * keys)
    assertNoneLeft(tracker)
  }

  func testScopesLeaveNoGrowth() throws {
    let container = Container()
    let tracker = LifetimeTracker()
    let disposed = AtomicCounter()
    try container.register(Tracked.self, scope: .scoped) { _ in tracker.make() }
      .onDispose { _ in disposed.add() }
    try container.register(Int.self) { try $0.resolve(Tracked.self).serial }
    try assertMemoryStaysFlat(after: StressSize.scaled(100_000)) { index in
      let scope = container.makeScope()
      if index % 100 == 0 { try scope.register(String.self, scope: .singleton) { _ in "own" } }
      if index % 2 == 0 { _ = try scope.resolve(Int.self) }
      // What is dropped unclosed must not leave more than what is closed.
      if index % 4 != 2 { try scope.syncClose() }
    }
    XCTAssertGreaterThan(disposed.value, 0)
    XCTAssertLessThan(disposed.value, tracker.created)
    assertNoneLeft(tracker)
  }

  func testScopesWithinScopesOfSeveralThreads() throws {
    let tracker = LifetimeTracker()
    let container = Container()
    try container.register(Tracked.self, scope: .scoped) { _ in tracker.make() }
    let rounds = StressSize.scaled(2_000, sanitized: 200)
    try container.syncWithScope { outer in
      let shared = try outer.resolve(Tracked.self)
      try onThreads(threads) { _ in
        for _ in 0..<rounds {
          try outer.syncWithScope { inner in
            let own = try inner.resolve(Tracked.self)
            XCTAssertTrue(try inner.resolve(Tracked.self) === own)
            XCTAssertFalse(own === shared)
          }
          XCTAssertTrue(try outer.resolve(Tracked.self) === shared)
        }
      }
    }
    XCTAssertEqual(tracker.created, threads * rounds + 1)
    assertNoneLeft(tracker)
  }

  func testACaptiveDependencyIsRefusedWhateverOtherThreadsDo() throws {
    let tracker = LifetimeTracker()
    let container = Container()
    try container.register(Tracked.self, scope: .scoped) { _ in tracker.make() }
    try container.register([Tracked].self) { [try $0.resolve(Tracked.self)] }
    try container.register([[Tracked]].self, scope: .singleton) { resolver in
      sched_yield()
      return [try resolver.resolve([Tracked].self)]
    }
    let refused = AtomicCounter()
    let rounds = StressSize.scaled(500, sanitized: 50)
    try onThreads(threads) { index in
      for _ in 0..<rounds {
        try container.syncWithScope { scope in
          if index % 2 == 0 {
            XCTAssertEqual(try scope.resolve([Tracked].self).count, 1)
            return
          }
          XCTAssertThrowsError(try scope.resolve([[Tracked]].self)) { error in
            if case ResolutionError.captiveDependency = error { refused.add() }
          }
        }
      }
    }
    XCTAssertEqual(refused.value, threads / 2 * rounds)
    XCTAssertEqual(tracker.created, threads / 2 * rounds)
    assertNoneLeft(tracker)
  }

  func testScopesWithInputsLeaveNoMemoryInUse() throws {
    let container = Container()
    try container.registerInput(Int.self)
    try container.registerInput(String.self)
    try container.register([String].self) {
      [try $0.resolve(String.self), "\(try $0.resolve(Int.self))"]
    }.as(.scoped)
    try assertMemoryStaysFlat(after: StressSize.scaled(50_000)) { index in
      let text = "request \(index), whose name is too long to be kept inline"
      try container.syncWithScope(providing: index, text) { scope in
        XCTAssertEqual(try scope.resolve([String].self), [text, "\(index)"])
      }
    }
  }
}
