// SPDX-License-Identifier: MIT

import Corinth
import Synchronization
import TestSupport
import XCTest

/// A registration that is made in one step is never seen without its options.
final class RegistrationOptionsStressTests: StressTestCase {
  func testEveryInstanceBuiltBesideRegistrationsHasItsHooks() throws {
    let container = Container()
    let account = Account()
    let options = RegistrationOptions<Entry>.afterInit { _, entry in
      entry.hasBegun.store(true, ordering: .relaxed)
    }
    .onDispose { _ in account.disposed.add() }
    Container.onUndisposed = { account.reported.add($0.instances.count) }
    defer { Container.onUndisposed = nil }

    @Sendable func register(_ round: Int) throws {
      if round.isMultiple(of: 2) {
        try container.register(Entry.self, scope: .singleton, with: options) { _ in account.make() }
      } else {
        try container.register(Entry.self, scope: .singleton, onDuplicate: .require, with: options)
        {
          _ in account.make()
        }
      }
    }

    try register(0)
    try besideAWriter(readers: 3, rounds: StressSize.scaled(20_000, sanitized: 2000)) { round in
      try register(round)
    } read: { _ in
      let entry = try container.resolve(Entry.self)
      XCTAssertTrue(entry.hasBegun.load(ordering: .relaxed))
    }
    try container.syncClose()
    XCTAssertGreaterThan(account.made.value, 0)
    XCTAssertEqual(account.made.value, account.disposed.value + account.reported.value)
  }
}

/// How many instances were built, disposed of by their disposer, and reported by a container that
/// has let go of them.
private final class Account: Sendable {
  let made = AtomicCounter()
  let disposed = AtomicCounter()
  let reported = AtomicCounter()

  func make() -> Entry {
    made.add()
    return Entry()
  }
}

private final class Entry: Sendable {
  let hasBegun = Atomic(false)
}
