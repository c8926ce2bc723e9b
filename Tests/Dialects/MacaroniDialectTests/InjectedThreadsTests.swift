// SPDX-License-Identifier: MIT

import MacaroniDialect
import Synchronization
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

  func testThreadsWhoseContainersDifferGetOneValue() throws {
    let containers = [Container(), Container()]
    for container in containers { container.register { MyServiceImplementation() } }
    Container.lookupPolicy = AlternatingPolicy(containers)
    final class Owner: @unchecked Sendable {
      @Injected var service: MyServiceImplementation
    }
    let owners = (0..<StressSize.scaled(40_000, sanitized: 4_000)).map { _ in Owner() }
    let meeting = Meeting()
    let seen = try onThreads(2) { index in
      owners.enumerated().map { number, owner in
        meeting.meet(index, at: number)
        return owner.service
      }
    }
    XCTAssertTrue(owners.indices.allSatisfy { seen[0][$0] === seen[1][$0] })
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

/// Finds another container each time.
private final class AlternatingPolicy: ContainerLookupPolicy {
  private let containers: [Container]
  private let turns = Atomic<Int>(0)

  init(_ containers: [Container]) { self.containers = containers }

  func container<EnclosingType>(
    for instance: EnclosingType, file: StaticString, function: String, line: UInt
  ) -> Container? {
    containers[turns.add(1, ordering: .relaxed).newValue % containers.count]
  }
}

/// How far two threads have come.
private final class Meeting: Sendable {
  private let first = Atomic<Int>(0)
  private let second = Atomic<Int>(0)

  /// Waits for the other thread, but not for long: it may not be running.
  func meet(_ thread: Int, at number: Int) {
    if thread == 0 {
      first.store(number, ordering: .relaxed)
      for _ in 0..<2_000 where second.load(ordering: .relaxed) >= number { return }
    } else {
      second.store(number, ordering: .relaxed)
      for _ in 0..<2_000 where first.load(ordering: .relaxed) >= number { return }
    }
  }
}
