// SPDX-License-Identifier: MIT

import Corinth
import TestSupport
import XCTest

/// References to objects of any class; those to containers are tested by themselves.
final class SharedReferenceTests: XCTestCase {
  func testEightThreadsExchangeAndEachObjectIsHandedToOneOfThem() throws {
    let tracker = LifetimeTracker()
    do {
      let reference = SharedReference(tracker.make())
      let taken = try onThreads(8) { _ in
        (0..<500).map { _ in reference.exchange(tracker.make()) }
      }.joined()
      XCTAssertEqual(Set(taken.map(ObjectIdentifier.init)).count, 4_000)
      XCTAssertFalse(taken.contains { $0 === reference.load() })
    }
    settleReclamation()
    XCTAssertEqual(tracker.alive, 0)
  }

  func testWhoReadsWhileOthersReplaceGetsAnObjectThatIsAlive() throws {
    let tracker = LifetimeTracker()
    do {
      let reference = SharedReference(tracker.make())
      try onThreads(8) { index in
        for _ in 0..<500 {
          if index < 2 { reference.store(tracker.make()) } else { _ = reference.load().serial }
        }
      }
    }
    settleReclamation()
    XCTAssertEqual(tracker.alive, 0)
  }

  func testNoChangeOfEightThreadsIsLost() throws {
    let tracker = LifetimeTracker()
    do {
      let reference = SharedReference(Numbers([], tracker))
      try onThreads(8) { index in
        for number in 0..<100 {
          reference.update { Numbers($0.list + [index * 100 + number], tracker) }
        }
      }
      XCTAssertEqual(reference.load().list.sorted(), Array(0..<800))
    }
    settleReclamation()
    XCTAssertEqual(tracker.alive, 0)
  }
}

private final class Numbers: Tracked, @unchecked Sendable {
  let list: [Int]

  init(_ list: [Int], _ tracker: LifetimeTracker) {
    self.list = list
    super.init(tracker)
  }
}
