// SPDX-License-Identifier: MIT

import Corinth
import ModularShop
import TestSupport
import XCTest

/// One story, told by eight forks at once, each of which overrides something else.
final class ForkedShopTests: AsyncTestCase {
  func testEachForkTellsItsOwnStory() async throws {
    let shop = try await runningShop()
    let stories = try await onTasks(Variant.all.count) { index in
      try await Story.told(by: shop.fork(Variant.all[index].configure))
    }
    XCTAssertEqual(Variant.all.count, 8)
    for (variant, story) in zip(Variant.all, stories) {
      XCTAssertEqual(story, variant.expected, variant.description)
    }
    try await shop.shutdown()
  }

  func testTheBaseIsUntouched() async throws {
    let shop = try await runningShop()
    let journal = try shop.resolve(Journal.self)
    let (before, entries) = (shop.registrations.map(\.description), journal.entries)
    _ = try await onTasks(Variant.all.count) { index in
      try await Story.told(by: shop.fork(Variant.all[index].configure))
    }
    XCTAssertEqual(shop.registrations.map(\.description), before)
    XCTAssertTrue(try shop.resolve(Journal.self) === journal)
    XCTAssertEqual(journal.entries, entries)
    let story = try await Story.told(by: shop)
    XCTAssertEqual(story, Story())
  }

  func testAForkBuildsEachSingletonOnceAndLeavesNothingUndisposed() async throws {
    let shop = try await runningShop()
    let ledgers = try await onTasks(Variant.all.count) { index in
      let ledger = InstanceLedger()
      let fork = try shop.fork { fork in
        fork.add(ledger)
        try Variant.all[index].configure(fork)
      }
      let singletons = fork.registrations.filter { $0.scope == .singleton }.map { "\($0.key)" }
      _ = try await Story.told(by: fork)
      for key in singletons {
        XCTAssertLessThanOrEqual(ledger.built[key] ?? 0, 1, key)
      }
      return ledger
    }
    for (variant, ledger) in zip(Variant.all, ledgers) {
      XCTAssertEqual(ledger.built["Journal"], 1, variant.description)
      // Two requests; the one that only looks has no unit of work.
      XCTAssertEqual(
        ledger.disposed, ["ConnectionPool": 1, "MailQueue": 1, "Sessions": 1, "UnitOfWork": 1],
        variant.description)
      XCTAssertEqual(ledger.dropped, [], variant.description)
      XCTAssertGreaterThan(ledger.seen, 10)
    }
    await waitUntil {
      reclaimWhatIsFree()
      return ledgers.allSatisfy { $0.alive.isEmpty }
    }
    for (variant, ledger) in zip(Variant.all, ledgers) {
      XCTAssertEqual(ledger.alive, [], variant.description)
    }
    try await shop.shutdown()
  }
}
