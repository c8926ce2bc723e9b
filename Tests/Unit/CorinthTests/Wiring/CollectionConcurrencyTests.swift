// SPDX-License-Identifier: MIT

import Corinth
import TestSupport
import XCTest

final class CollectionConcurrencyTests: AsyncTestCase {
  /// Each thread contributes in order: a collection that is seen holds a prefix of each thread's
  /// elements.
  func testEightThreadsContributeWhileOthersResolveAll() throws {
    let container = container
    let count = StressSize.scaled(40)
    let seen = try onThreads(16) { index -> [[Int]] in
      var seen: [[Int]] = []
      for number in 0..<count {
        if index < 8 {
          let element = index * count + number
          try container.contribute(to: Int.self) { _ in element }
        } else {
          seen.append(try container.resolveAll(Int.self))
        }
      }
      return seen
    }
    for collection in seen.joined() {
      for thread in 0..<8 {
        let own = collection.filter { $0 / count == thread }
        XCTAssertEqual(own, Array((thread * count)..<(thread * count + own.count)))
      }
    }
    XCTAssertEqual(try container.resolveAll(Int.self).sorted(), Array(0..<8 * count))
  }

  func testElementsThatAreRemovedMeanwhileAreLeftOut() throws {
    let tracker = LifetimeTracker()
    let container = Container()
    let rounds = StressSize.scaled(50)
    try container.contribute(to: Tracked.self) { _ in tracker.make() }.as(.singleton)
    let counts = try onThreads(8) { index -> Set<Int> in
      var counts: Set<Int> = []
      for round in 0..<rounds {
        if index < 4 {
          try container.register(Tracked.self, name: Name(index)) { _ in tracker.make() }
            .as(.singleton)
          if round.isMultiple(of: 2) {
            container.unregister(Tracked.self, name: Name(index))
          }
        } else {
          counts.insert(try container.resolveAll(Tracked.self).count)
        }
      }
      return counts
    }
    for count in counts.joined() { XCTAssertTrue((1...5).contains(count), "\(count)") }
    container.removeAll()
    settleReclamation()
    XCTAssertEqual(tracker.alive, 0)
  }

  func testEightThreadsBuildTheSingletonsOfACollectionOnce() throws {
    let tracker = LifetimeTracker()
    let container = Container()
    for _ in 0..<10 {
      try container.contribute(to: Tracked.self, scope: .singleton) { _ in tracker.make() }
    }
    let all = try onThreads(8) { _ in try container.resolveAll(Tracked.self).map(\.serial) }
    XCTAssertEqual(Set(all).count, 1)
    XCTAssertEqual(tracker.created, 10)
  }

  func testLazyElementsAndProvidersThatAreRemovedMeanwhileAreLeftOut() throws {
    let container = Container()
    let standing = 200
    let rounds = StressSize.scaled(200)
    for element in 0..<standing { try container.contribute(to: Int.self) { _ in element } }
    let counts = try onThreads(8) { index -> Set<Int> in
      var counts: Set<Int> = []
      for round in 0..<rounds {
        if index < 6 {
          let added = try container.contribute(to: Int.self) { _ in index }
          container.unregister(added)
        } else if round.isMultiple(of: 2) {
          counts.insert(try container.resolve([Lazy<Int>].self).count)
        } else {
          counts.insert(try container.resolve([Provider<Int>].self).count)
        }
      }
      return counts
    }
    for count in counts.joined() {
      XCTAssertTrue((standing...(standing + 6)).contains(count), "\(count)")
    }
  }
}
