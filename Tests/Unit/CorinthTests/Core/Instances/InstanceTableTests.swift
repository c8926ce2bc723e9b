// SPDX-License-Identifier: MIT

import TestSupport
import XCTest

@testable import Corinth

final class InstanceTableTests: XCTestCase {
  private let shared = Shared()

  private var listed: [StoredInstance] {
    var entries: [StoredInstance] = []
    shared.table.forEachEntry { entries.append($0) }
    return entries
  }

  func testAnEmptyTableHoldsNothing() {
    XCTAssertNil(shared.table.find(key(1)))
    XCTAssertEqual(listed.count, 0)
    XCTAssertFalse(shared.table.isSealed)
  }

  func testAKeyHasOneEntry() throws {
    let entry = try XCTUnwrap(shared.table.entry(of: key(1)))
    XCTAssert(shared.table.entry(of: key(1)) === entry)
    XCTAssert(shared.table.find(key(1)) === entry)
    XCTAssertNil(shared.table.find(key(2)))
    XCTAssertEqual(listed.count, 1)
  }

  func testKeysThatDifferInOnePartHaveEntriesOfTheirOwn() {
    let marks = [Mark(), Mark()]
    var entries: [StoredInstance?] = []
    for _ in 0..<2 {
      for registration in marks {
        for container in marks {
          for values in [nil, values(1), values(2)] {
            entries.append(
              shared.table.entry(
                of: EntryKey(registration: registration, container: container, arguments: values)))
          }
        }
      }
    }
    XCTAssertEqual(Set(entries.map { $0.map(ObjectIdentifier.init) }).count, 12)
    XCTAssert(zip(entries, entries.dropFirst(12)).allSatisfy { $0 === $1 })
  }

  func testManyEntriesAreFoundAndListedTheNewestFirst() {
    let count = StressSize.scaled(20_000)
    let made = (0..<count).map { shared.table.entry(of: key($0)) }
    for value in 0..<count {
      XCTAssert(shared.table.entry(of: key(value)) === made[value])
    }
    XCTAssertNil(shared.table.find(key(count)))
    XCTAssert(listed.count == count && zip(listed, made.reversed()).allSatisfy { $0 === $1 })
  }

  /// The way that a hash leads ends after 32 levels; from there on entries follow one another.
  func testEntriesOfOneHashAreFound() {
    let count = 200
    let made = (0..<count).map { shared.table.entry(of: key($0, hash: 7)) }
    XCTAssertEqual(Set(made.map { $0.map(ObjectIdentifier.init) }).count, count)
    for value in 0..<count {
      XCTAssert(shared.table.entry(of: key(value, hash: 7)) === made[value])
    }
    XCTAssertEqual(listed.count, count)
  }

  func testEachValueOfOneHashIsComparedOnce() throws {
    let comparisons = AtomicCounter()
    func search(for value: Int) -> StoredInstance? {
      shared.table.entry(
        of: EntryKey(
          registration: onlyMark, container: onlyMark,
          arguments: values(value, hash: 7) {
            comparisons.add()
            return $0 == $1
          }))
    }
    let made = (0..<10).map { search(for: $0) }
    XCTAssertEqual(comparisons.value, 45)
    XCTAssert(search(for: 9) === made[9])
    XCTAssertEqual(comparisons.value, 55)
    // With other hashes on the way.
    for value in 100..<200 { _ = shared.table.entry(of: key(value)) }
    XCTAssert(search(for: 0) === made[0])
    XCTAssertEqual(comparisons.value, 56)
  }

  func testASealedTableMakesNoEntries() throws {
    XCTAssertTrue(Shared().table.isEmpty)
    let entry = try XCTUnwrap(shared.table.entry(of: key(1)))
    shared.table.seal()
    XCTAssertFalse(shared.table.isEmpty, "it has an entry")
    XCTAssertTrue(shared.table.isSealed)
    XCTAssertNil(shared.table.entry(of: key(2)))
    XCTAssert(shared.table.entry(of: key(1)) === entry)
    XCTAssertEqual(listed.count, 1)
    let empty = Shared()
    empty.table.seal()
    XCTAssertNil(empty.table.entry(of: key(1)))
  }

  func testEntriesKeepTheirPayloadsUntilTheyAreReleased() {
    let tracker = LifetimeTracker()
    for value in 0..<10 { _ = shared.table.findOrMake(key(value), payload: tracker.make()) }
    XCTAssertEqual(tracker.alive, 10)
    _ = shared.table.findOrMake(key(1), payload: tracker.make())
    XCTAssertEqual(tracker.alive, 10, "a payload is for an entry that is made")
    shared.table.releaseEntries()
    XCTAssertEqual(tracker.left, 0)
    XCTAssertEqual(listed.count, 0)
  }

  func testATableReleasesItsEntriesWhenItGoesAway() {
    let tracker = LifetimeTracker()
    do {
      let other = Shared()
      for value in 0..<10 { _ = other.table.findOrMake(key(value), payload: tracker.make()) }
      XCTAssertEqual(tracker.alive, 10)
    }
    XCTAssertEqual(tracker.left, 0)
  }

  /// One after the other: an entry that released the next would nest as deeply as the list is long.
  func testTheReleaseOfManyEntriesNeedsNoStack() throws {
    let count = StressSize.scaled(50_000)
    try onSmallStack {
      let other = Shared()
      for value in 0..<count { _ = other.table.entry(of: key(value)) }
    }
  }

  // MARK: - Threads

  func testThreadsThatAskForTheSameKeysGetTheSameEntries() throws {
    for hash in [nil, 7] {
      let count = hash == nil ? StressSize.scaled(2000) : 100
      let other = Shared()
      let found = try onThreads(4) { index in
        (0..<count).map { value in
          // From both ends, so that the threads meet and overtake each other.
          let value = index % 2 == 0 ? value : count - 1 - value
          return (value, other.table.entry(of: key(value, hash: hash)))
        }.sorted { $0.0 < $1.0 }.map(\.1)
      }
      for entries in found {
        XCTAssert(zip(entries, found[0]).allSatisfy { $0 != nil && $0 === $1 })
      }
      XCTAssertEqual(Set(found[0].map { $0.map(ObjectIdentifier.init) }).count, count)
      var listed: Set<ObjectIdentifier> = []
      other.table.forEachEntry { listed.insert(ObjectIdentifier($0)) }
      XCTAssert(found[0].allSatisfy { $0.map { listed.contains(ObjectIdentifier($0)) } ?? false })
    }
  }

  /// The first entry is the root, the second one the first that has a branch for its place.
  func testThreadsThatRaceForOnePlaceGetOneEntry() throws {
    for entriesBefore in 0..<2 {
      let tables = (0..<StressSize.scaled(2000)).map { _ in Shared() }
      for each in tables where entriesBefore > 0 { _ = each.table.entry(of: key(0)) }
      let found = try race(for: tables) { each, _ in each.table.entry(of: key(1)) }
      XCTAssertEqual(found.count { $0[0] == nil || $0[0] !== $0[1] }, 0)
    }
  }

  func testThreadsThatRaceWithDifferentKeysGetTheirEntries() throws {
    let tables = (0..<StressSize.scaled(2000)).map { _ in Shared() }
    let found = try race(for: tables) { each, thread in each.table.entry(of: key(thread)) }
    for (each, entries) in zip(tables, found) {
      XCTAssert((0..<2).allSatisfy { each.table.find(key($0)) === entries[$0] })
    }
  }

  /// The thread that seals the table finds every entry that another thread is ever given.
  func testTheListOfASealedTableHasAllEntriesThatThreadsHave() throws {
    for _ in 0..<StressSize.scaled(200) {
      let other = Shared()
      let sets = try onThreads(4) { index -> Set<ObjectIdentifier> in
        var entries: Set<ObjectIdentifier> = []
        if index == 0 {
          // While the others are making entries.
          for _ in 0..<1000 where other.table.find(key(5)) == nil { sched_yield() }
          other.table.seal()
          other.table.forEachEntry { entries.insert(ObjectIdentifier($0)) }
        } else {
          for value in 0..<50 {
            guard let entry = other.table.entry(of: key(value)) else { break }
            entries.insert(ObjectIdentifier(entry))
          }
        }
        return entries
      }
      for set in sets.dropFirst() { XCTAssert(set.isSubset(of: sets[0])) }
    }
  }
}
