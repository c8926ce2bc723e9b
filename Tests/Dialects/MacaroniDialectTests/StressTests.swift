// SPDX-License-Identifier: MIT

import MacaroniDialect
import TestSupport
import XCTest

/// Eight threads on one container.
final class StressTests: MacaroniTestCase {
  private final class Owner: @unchecked Sendable {
    @Injected(.lazily, alternative: "stays") var tracked: Tracked
    @Injected(.lazily) var name: String
    @InjectedWeakly(.lazily, alternative: "stays") var weak: Tracked?
  }

  func testThreadsRegisterResolveInjectAndRemove() throws {
    let tracker = LifetimeTracker()
    let rounds = StressSize.scaled(300)
    let injected = Counter()
    do {
      let container = Container(parent: parent(counting: tracker))
      Container.lookupPolicy = .singleton(container)
      let misses = try onThreads(8) { index in
        var misses = 0
        for round in 0..<rounds {
          let captured = tracker.make()
          switch (index + round) % 4 {
          case 0:
            container.register { captured }
            container.register(alternative: .another) { captured }
          case 1:
            let found: Tracked? = try? container.resolve()
            let another: Tracked? = try? container.resolve(alternative: .another)
            if found == nil { misses += 1 }
            if another == nil { misses += 1 }
          case 2:
            let owner = Owner()
            let first = owner.tracked
            XCTAssertTrue(owner.tracked === first)
            XCTAssertEqual(owner.name, "Owner")
            XCTAssertNotNil(owner.weak)
            injected.next()
          default:
            if round % 8 == index { container.cleanup() }
            XCTAssertTrue(container.isResolvable(Tracked.self, alternative: "stays"))
          }
        }
        return misses
      }
      XCTAssertEqual(misses.count, 8)
      container.register { 1 }
      XCTAssertEqual(try container.resolve() as Int, 1)
    }
    Container.lookupPolicy = nil
    settleReclamation()
    // A quarter of the rounds of all threads.
    XCTAssertEqual(injected.value, 2 * rounds)
    XCTAssertGreaterThanOrEqual(tracker.created, 8 * rounds)
    XCTAssertEqual(tracker.alive, 0)
  }

  func testThreadsShareOneObjectWhileOthersReplaceThePolicy() throws {
    let tracker = LifetimeTracker()
    let rounds = StressSize.scaled(200)
    do {
      let container = parent(counting: tracker)
      let owners = (0..<rounds).map { _ in Owner() }
      Container.lookupPolicy = .singleton(container)
      let seen = try onThreads(8) { index in
        try owners.map { owner in
          if index == 7 {
            Container.lookupPolicy = .singleton(container)
            Macaroni.logger = DisabledMacaroniLogger()
          }
          _ = try container.resolve(alternative: "stays") as Tracked
          return owner.tracked.serial
        }
      }
      XCTAssertEqual(Set(seen).count, 1)
      XCTAssertEqual(Set(seen[0]).count, rounds)
      XCTAssertEqual(tracker.created, rounds * 8 + rounds)
    }
    Container.lookupPolicy = nil
    settleReclamation()
    XCTAssertEqual(tracker.alive, 0)
  }

  func testOneThreadDiesInAClosureWhileOthersGoOn() throws {
    let tracker = LifetimeTracker()
    do {
      let container = parent(counting: tracker)
      Container.lookupPolicy = .singleton(container)
      class Missing {
        @Injected(.lazily) var value: Double
      }
      container.register { () -> Float in Float(Missing().value) }
      XCTAssertNotNil(lastMessage { _ = try? container.resolve() as Float })
      _ = try onThreads(8) { _ in
        for _ in 0..<StressSize.scaled(200) {
          let captured = tracker.make()
          container.register { captured }
          _ = try container.resolve() as Tracked
        }
      }
      container.cleanup()
    }
    Container.lookupPolicy = nil
    settleReclamation()
    XCTAssertEqual(tracker.alive, 0)
  }

  private func parent(counting tracker: LifetimeTracker) -> Container {
    let container = Container()
    container.register(alternative: "stays") { tracker.make() }
    container.register { enclosing -> String in "\(type(of: enclosing))" }
    return container
  }
}
