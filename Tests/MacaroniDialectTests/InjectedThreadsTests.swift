// SPDX-License-Identifier: MIT

import MacaroniDialect
import TestSupport
import XCTest

/// Properties under several threads.
final class InjectedThreadsTests: MacaroniTestCase {
  private final class Owner: @unchecked Sendable {
    @Injected var tracked: Tracked
    @InjectedWeakly var weak: MyServiceImplementation?
  }

  func testEightThreadsThatUseAPropertyFirstResolveItOnce() throws {
    for _ in 0..<StressSize.scaled(50) {
      let container = Container()
      Container.lookupPolicy = .singleton(container)
      let tracker = LifetimeTracker()
      container.register { tracker.make() }
      let owner = Owner()
      let serials = try onThreads(8) { _ in owner.tracked.serial }
      XCTAssertEqual(Set(serials), [1])
      XCTAssertEqual(tracker.created, 1)
    }
  }

  func testEightThreadsThatUseAWeakPropertyGetOneObject() throws {
    for _ in 0..<StressSize.scaled(50) {
      let container = Container()
      Container.lookupPolicy = .singleton(container)
      container.register { MyServiceImplementation() }
      let owner = Owner()
      let objects = try onThreads(8) { _ in Unchecked(owner.weak) }
      XCTAssertEqual(Set(objects.map { $0.value.map { ObjectIdentifier($0) } }).count, 1)
    }
  }

  func testTwoPropertiesThatNeedEachOtherDoNotDeadlock() throws {
    for _ in 0..<StressSize.scaled(20) {
      let container = Container()
      Container.lookupPolicy = .singleton(container)
      final class Pair: @unchecked Sendable {
        @Injected(alternative: "left") var left: Int
        @Injected(alternative: "right") var right: Int
      }
      let pair = Pair()
      container.register(alternative: "left") { 1 }
      container.register(alternative: "right") { pair.left + 1 }
      let sums = try onThreads(2) { index in index == 0 ? pair.left : pair.right }
      XCTAssertEqual(sums, [1, 2])
      // The closure holds the pair.
      container.cleanup()
    }
  }
}
