// SPDX-License-Identifier: MIT

import TestSupport
import XCTest

@testable import Corinth

final class InstanceStoreTests: XCTestCase {
  private let shared = Shared()
  private let tracker = LifetimeTracker()

  private func entry(_ value: Int, requiresDisposal: Bool = false) -> StoredInstance? {
    shared.store.entry(of: key(value), payload: onlyMark, requiresDisposal: requiresDisposal)
  }

  private func track(_ value: Int) {
    _ = shared.store.entry(of: key(value), payload: tracker.make(), requiresDisposal: false)
  }

  func testAKeyHasOneEntry() throws {
    let one = try XCTUnwrap(entry(1))
    let two = try XCTUnwrap(entry(2))
    XCTAssert(one !== two && entry(1) === one && entry(2) === two)
  }

  func testAKeyWithoutValuesHasAnEntryForEachRegistrationAndContainer() {
    let marks = [Mark(), Mark(), Mark()]
    func entries() -> [StoredInstance?] {
      marks.flatMap { registration in
        marks.map { container in
          shared.store.entry(
            of: EntryKey(registration: registration, container: container, arguments: nil),
            payload: registration, requiresDisposal: false)
        }
      }
    }
    let first = entries()
    XCTAssertEqual(Set(first.map { $0.map(ObjectIdentifier.init) }).count, 9)
    XCTAssert(zip(first, entries()).allSatisfy { $0 === $1 })
  }

  func testASealedStoreGivesNoEntriesAndKeepsThoseThatItHas() {
    track(1)
    shared.store.seal()
    XCTAssertNil(entry(1))
    XCTAssertNil(entry(2))
    XCTAssertEqual(tracker.alive, 1)
    var listed = 0
    shared.store.forEachEntry { _ in listed += 1 }
    XCTAssertEqual(listed, 1)
  }

  /// It is listed before a search can find it. Here another thread's entry comes between the two
  /// steps.
  func testTheVersionChangesOnceASearchFindsAnEntryThatIsListed() {
    var beforehand: (version: UInt, isFound: Bool)?
    let made = shared.store.entry(hash: key(1).hash) { other in
      beforehand = (shared.store.version, shared.store.existingEntry(of: key(1)) != nil)
      return other.key.mayEqual(key(1))
    } _: { _ in
      true
    } orMake: {
      _ = entry(2)
      return StoredInstance(key(1), payload: nil)
    }
    XCTAssertEqual(made?.isNew, true)
    XCTAssertEqual(beforehand?.isFound, false)
    XCTAssertNotEqual(beforehand?.version, shared.store.version)
    XCTAssertNotNil(shared.store.existingEntry(of: key(1)))
  }

  func testAnExistingEntryIsFoundAndNoneIsMade() {
    XCTAssertNil(shared.store.existingEntry(of: key(1)))
    let made = entry(1)
    let others = (0..<3).map { value in
      shared.store.entry(of: key(value, hash: 7), payload: onlyMark, requiresDisposal: false)
    }
    XCTAssert(shared.store.existingEntry(of: key(1)) === made)
    XCTAssertNil(shared.store.existingEntry(of: key(2)))
    shared.store.seal()
    for value in 0..<3 {
      XCTAssert(shared.store.existingEntry(of: key(value, hash: 7)) === others[value])
    }
    XCTAssertNil(shared.store.existingEntry(of: key(3, hash: 7)))
    shared.store.close()
    XCTAssertNil(shared.store.existingEntry(of: key(1)))
  }

  func testAClosedStoreHasNoEntries() {
    for value in 0..<3 { track(value) }
    XCTAssertEqual(tracker.alive, 3)
    shared.store.close()
    XCTAssertEqual(tracker.left, 0)
    XCTAssertNil(entry(1))
    shared.store.forEachEntry { _ in XCTFail("an entry") }
    shared.store.close()
  }

  func testAnEmptyStoreIsClosed() {
    shared.store.close()
    XCTAssertNil(entry(1))
    XCTAssertNil(entry(2))
  }

  func testAStoreThatWasSealedBeforeIsClosed() {
    track(1)
    shared.store.seal()
    shared.store.close()
    XCTAssertEqual(tracker.left, 0)
  }

  func testEntriesAreListedTheNewestFirst() {
    let made = (0..<10).map { entry($0) }
    var listed: [StoredInstance] = []
    shared.store.forEachEntry { listed.append($0) }
    XCTAssert(listed.count == 10 && zip(listed, made.reversed()).allSatisfy { $0 === $1 })
  }

  func testAnEntryOutlivesItsStoreForThoseThatHaveIt() {
    var held: StoredInstance? = shared.store.entry(
      of: key(1), payload: tracker.make(), requiresDisposal: false)
    shared.store.close()
    XCTAssertEqual(tracker.alive, 1)
    XCTAssertNotNil(held)
    held = nil
    XCTAssertEqual(tracker.left, 0)
  }

  func testAStoreRequiresDisposalOnceOneOfItsEntriesDoes() {
    XCTAssertFalse(shared.store.requiresDisposal)
    _ = entry(1)
    XCTAssertFalse(shared.store.requiresDisposal)
    _ = entry(2, requiresDisposal: true)
    XCTAssertTrue(shared.store.requiresDisposal)
  }

  func testEntriesStayWhileTheyAreVisited() {
    for value in 0..<3 { track(value) }
    var visited = 0
    shared.store.forEachEntry { _ in
      shared.store.close()
      visited += 1
      XCTAssertEqual(tracker.alive, 3, "released under a visitor")
      XCTAssertNil(entry(1))
    }
    XCTAssertEqual(visited, 3)
    XCTAssertEqual(tracker.left, 0, "the last visitor releases them")
  }

  // MARK: - Comparisons

  /// A key of the same hash as all others of its kind, whose comparison runs `body` before.
  private func comparing(_ value: Int, _ body: @escaping @Sendable () -> Void) -> StoredInstance? {
    shared.store.entry(
      of: EntryKey(
        registration: onlyMark, container: onlyMark,
        arguments: values(value, hash: 7) {
          body()
          return $0 == $1
        }), payload: tracker.make(), requiresDisposal: false)
  }

  func testValuesOfOneHashAreToldApart() {
    let count = 100
    let made = (0..<count).map { comparing($0) {} }
    XCTAssertEqual(Set(made.map { $0.map(ObjectIdentifier.init) }).count, count)
    for value in 0..<count { XCTAssert(comparing(value) {} === made[value]) }
    XCTAssertEqual(tracker.alive, count)
  }

  func testAValueThatEqualsNothingHasANewEntryEachTime() {
    let entries = (0..<3).map { _ in
      shared.store.entry(
        of: EntryKey(
          registration: onlyMark, container: onlyMark, arguments: arguments(Double.nan, hash: 7)),
        payload: onlyMark, requiresDisposal: false)
    }
    XCTAssertEqual(Set(entries.compactMap { $0.map(ObjectIdentifier.init) }).count, 3)
  }

  /// The `==` of arguments ran while the search counted as a visitor. One that took long kept all
  /// instances of a closed scope alive as long.
  func testEntriesAreReleasedByAComparisonThatClosesTheStore() {
    let first = comparing(1) {}
    XCTAssertNotNil(first)
    _ = comparing(2) {}
    let shared = shared
    let tracker = tracker
    XCTAssertNil(
      comparing(3) {
        shared.store.close()
        // Besides the one that the test holds, and the one that the search is at.
        XCTAssertEqual(tracker.alive, 2)
      })
    XCTAssertEqual(tracker.alive, 1)
    withExtendedLifetime(first) {}
  }

  func testAComparisonMayUseTheStore() throws {
    let shared = shared
    let made = try XCTUnwrap(comparing(1) {})
    @Sendable func other(_ value: Int) -> StoredInstance? {
      shared.store.entry(of: key(value, hash: 7), payload: onlyMark, requiresDisposal: false)
    }
    XCTAssert(comparing(1) { for value in 10..<20 { _ = other(value) } } === made)
    let second = comparing(2) { _ = other(2) }
    XCTAssert(second != nil && second === other(2), "the entry that its own comparison has made")
  }

  // MARK: - Threads

  func testThreadsThatAskForOneKeyGetOneEntry() throws {
    let stores = (0..<StressSize.scaled(2000)).map { _ in Shared() }
    let found = try race(for: stores) { each, thread in
      each.store.entry(of: key(1), payload: onlyMark, requiresDisposal: thread == 0)
    }
    XCTAssertEqual(found.count { $0[0] == nil || $0[0] !== $0[1] }, 0)
  }

  /// A thread gets an entry that is whole, or none; in the end none is left.
  func testAStoreIsClosedBesideThreadsThatUseIt() throws {
    for _ in 0..<StressSize.scaled(300) {
      let other = Shared()
      try onThreads(4) { [tracker] index in
        if index == 0 {
          for value in 0..<10 {
            _ = other.store.entry(of: key(value), payload: tracker.make(), requiresDisposal: false)
          }
          other.store.close()
          return
        }
        var value = 0
        while let entry = other.store.entry(
          of: key(value % 30), payload: tracker.make(), requiresDisposal: false)
        {
          XCTAssertNotNil(entry.payload)
          other.store.forEachEntry { XCTAssertNotNil($0.payload) }
          value += 1
        }
      }
      XCTAssertEqual(tracker.left, 0)
    }
  }
}
