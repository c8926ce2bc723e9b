// SPDX-License-Identifier: MIT

import Corinth
import Foundation
import TestSupport
import XCTest

/// Instances per argument value, and those that are kept by the user, under concurrency.
final class InstanceStressTests: StressTestCase {
  private let threads = 8

  /// Values that all have one hash.
  private struct Colliding: Hashable, Sendable {
    let value: Int
    func hash(into hasher: inout Hasher) {}
  }

  private func oncePerValue<Value: Hashable & Sendable>(
    _ values: [Value], scope: AnyScope, rounds: Int
  ) throws {
    let tracker = LifetimeTracker()
    for _ in 0..<rounds {
      let container = Container()
      try container.register(Tracked.self, scope: scope) { (_, _: Value) in
        usleep(200)
        return tracker.make()
      }
      let asked = container.makeScope()
      let instances = try onThreads(threads) { index in
        // Each begins with another value, so that some meet and some do not.
        try values.indices.map { offset in
          let place = (offset + index * 3) % values.count
          return (place, try asked.resolve(Tracked.self, arguments: values[place]))
        }
      }
      let serials = instances.joined().map { ($0.0, $0.1.serial) }
      for place in values.indices {
        XCTAssertEqual(Set(serials.filter { $0.0 == place }.map(\.1)).count, 1, "\(scope)")
      }
      XCTAssertEqual(Set(serials.map(\.1)).count, values.count, "\(scope)")
    }
    XCTAssertEqual(tracker.created, rounds * values.count, "\(scope)")
    assertNoneLeft(tracker)
  }

  func testAnInstanceIsBuiltOncePerValue() throws {
    for scope in [AnyScope.singleton, .weak, .scoped, .cached(for: .seconds(3600))] {
      try oncePerValue(Array(0..<10), scope: scope, rounds: StressSize.scaled(5))
    }
  }

  func testAnInstanceIsBuiltOncePerValueWhenAllHashesAreEqual() throws {
    for scope in [AnyScope.singleton, .weak, .scoped, .cached(for: .seconds(3600))] {
      try oncePerValue(
        (0..<10).map { Colliding(value: $0) }, scope: scope, rounds: StressSize.scaled(5))
    }
  }

  func testReleasesBesideResolvesOfManyValues() throws {
    let tracker = LifetimeTracker()
    let container = Container()
    try container.register(Instance.self, scope: .singleton) { (_, value: Int) in
      Instance(tracker, generation: value)
    }
    try besideAWriter(readers: 4, rounds: StressSize.scaled(2_000, sanitized: 200)) { _ in
      container.releaseAll()
    } read: { index in
      for value in 0..<5 {
        XCTAssertEqual(
          try container.resolve(Instance.self, arguments: value).generation, value)
      }
    }
    container.removeAll()
    assertNoneLeft(tracker)
  }

  // MARK: - Custom instances

  /// Keeps one product, and counts what it is asked at once.
  private final class Keeper: CustomStorage {
    let product = Shared<Tracked?>(nil)
    let sets = AtomicCounter()

    func get(for context: StorageContext) -> Tracked? { product.value }

    func set(_ product: Tracked, for context: StorageContext) {
      sets.add()
      self.product.value = product
    }

    func release() { product.value = nil }
  }

  func testACustomStorageIsBuiltByOneAtATime() throws {
    let tracker = LifetimeTracker()
    let isRunning = AtomicCounter()
    let count = StressSize.scaled(20)
    for _ in 0..<count {
      let container = Container()
      let keeper = Keeper()
      try container.register(Tracked.self) { _ in
        XCTAssertEqual(isRunning.add(), 1, "two at a time")
        usleep(1000)
        isRunning.add(-1)
        return tracker.make()
      }.as(keeper)
      let serials = try onThreads(threads) { _ in try container.resolve(Tracked.self).serial }
      XCTAssertEqual(Set(serials).count, 1)
      XCTAssertEqual(keeper.sets.value, 1)
    }
    XCTAssertEqual(tracker.created, count)
    assertNoneLeft(tracker)
  }

  func testOneThatKeepsNothingIsStillBuiltByOneAtATime() throws {
    let tracker = LifetimeTracker()
    let isRunning = AtomicCounter()
    let container = Container()
    try container.register(Tracked.self) { _ in
      XCTAssertEqual(isRunning.add(), 1, "two at a time")
      sched_yield()
      isRunning.add(-1)
      return tracker.make()
    }.as(NoKeptProduct())
    let rounds = StressSize.scaled(200, sanitized: 50)
    let serials = try onThreads(threads) { _ in
      try (0..<rounds).map { _ in try container.resolve(Tracked.self).serial }
    }
    XCTAssertEqual(Set(serials.joined()).count, threads * rounds)
    assertNoneLeft(tracker)
  }
}
