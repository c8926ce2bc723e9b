// SPDX-License-Identifier: MIT

import Corinth
import Foundation
import TestSupport
import XCTest

/// Threads that build each other's dependencies get an error and never a deadlock.
class CrossThreadCycleTests: ContainerTestCase {
  private let rounds = StressSize.scaled(50)

  func testTwoThreadsBuildingEachOthersDependency() throws {
    let ring = Ring()
    for _ in 0..<rounds {
      let container = makeContainer()
      let meeting = Meeting(of: 2)
      try ring.register(A.self, in: container, meeting) { _ = try $0.resolve(Node<B>.self) }
      try ring.register(B.self, in: container, meeting) { _ = try $0.resolve(Node<A>.self) }
      try assertCycle(ring, of: 2, in: [container, container])
    }
    XCTAssertEqual(ring.tracker.created, 2 * rounds)
    assertNoneLeft(ring.tracker)
  }

  func testThreeThreadsBuildingEachOthersDependency() throws {
    let ring = Ring()
    for _ in 0..<rounds {
      let container = makeContainer()
      try ring.registerThree(in: container, Meeting(of: 3))
      try assertCycle(ring, of: 3, in: [container, container, container])
    }
    XCTAssertEqual(ring.tracker.created, 3 * rounds)
    assertNoneLeft(ring.tracker)
  }

  func testTwoContainersBuildingEachOthersDependency() throws {
    let ring = Ring()
    for _ in 0..<rounds {
      let (left, right) = (makeContainer(), makeContainer())
      let meeting = Meeting(of: 2)
      try ring.register(A.self, in: left, meeting) { [weak right] _ in
        _ = try right?.resolve(Node<B>.self)
      }
      try ring.register(B.self, in: right, meeting) { [weak left] _ in
        _ = try left?.resolve(Node<A>.self)
      }
      try assertCycle(ring, of: 2, in: [left, right])
    }
    XCTAssertEqual(ring.tracker.created, 2 * rounds)
    assertNoneLeft(ring.tracker)
  }

  /// As many threads as members, each resolving one, end in the error; once the ring is open, all
  /// members can be resolved.
  private func assertCycle(_ ring: Ring, of count: Int, in containers: [Container]) throws {
    ring.close()
    try onThreads(count) { index in
      StressTests.assertCycle(through: Ring.path(from: index, of: count)) {
        try Ring.resolve(index, from: containers[index])
      }
    }
    ring.open()
    for (index, container) in containers.enumerated() {
      XCTAssert(
        try Ring.resolve(index, from: container) === Ring.resolve(index, from: container))
    }
  }

  func testACycleThroughATransientAndAHop() throws {
    let ring = Ring()
    for _ in 0..<rounds {
      let container = makeContainer()
      let meeting = Meeting(of: 2)
      try ring.register(A.self, in: container, meeting) { resolver in
        _ = try JoinableThread { try resolver.resolve(Node<C>.self) }.join().get()
      }
      try ring.register(B.self, in: container, meeting) { _ = try $0.resolve(Node<A>.self) }
      try container.register(Node<C>.self) { resolver in
        _ = try resolver.resolve(Node<B>.self)
        return Node(ring.tracker)
      }
      ring.close()
      try onThreads(2) { index in
        StressTests.assertCycle { try Ring.resolve(index, from: container) }
      }
      ring.open()
      _ = try container.resolve(Node<A>.self)
      _ = try container.resolve(Node<C>.self)
    }
    assertNoneLeft(ring.tracker)
  }

  func testManyRoundsWithoutAMeeting() throws {
    let ring = Ring()
    let containers = try (0..<StressSize.scaled(300)).map { _ in
      let container = makeContainer()
      try ring.registerThree(in: container)
      return container
    }
    let arrival = Barrier(6)
    try onThreads(6) { thread in
      let index = thread % 3
      for container in containers {
        arrival.wait()
        StressTests.assertCycle(through: Ring.path(from: index, of: 3)) {
          try Ring.resolve(index, from: container)
        }
      }
    }
    ring.open()
    for container in containers {
      for index in 0..<3 { _ = try Ring.resolve(index, from: container) }
    }
    withExtendedLifetime(containers) {}
    XCTAssertEqual(ring.tracker.created, 3 * containers.count)
  }

  /// Waiting for the same instance from several sides is not a cycle.
  func testAGraphWithoutCyclesNeverReportsOne() throws {
    let ring = Ring()
    let containers = try (0..<StressSize.scaled(300)).map { _ in
      let container = makeContainer()
      try ring.register(A.self, in: container) { resolver in
        _ = try resolver.resolve(Node<B>.self)
        _ = try resolver.resolve(Node<C>.self)
      }
      try ring.register(B.self, in: container) { _ = try $0.resolve(Node<C>.self) }
      try ring.register(C.self, in: container) { _ in sched_yield() }
      return container
    }
    let arrival = Barrier(6)
    try onThreads(6) { thread in
      for container in containers {
        arrival.wait()
        _ = try Ring.resolve(thread % 3, from: container)
      }
    }
    XCTAssertEqual(ring.tracker.created, 3 * containers.count)
  }

  /// Those who waited for a construction that was a part of a cycle try themselves.
  func testWaitersOfAFailedCycleGetATurn() throws {
    let ring = Ring()
    for _ in 0..<rounds {
      let container = makeContainer()
      let building = Gate()
      ring.close()
      try ring.register(A.self, in: container) { resolver in
        building.open()
        // Long enough for the others to wait; if they come too late, they find nothing to wait for.
        usleep(1000)
        ring.open()
        _ = try resolver.resolve(Node<A>.self)
      }
      let results = try onThreads(5) { index in
        if index > 0 { building.wait() }
        return Result { try container.resolve(Node<A>.self) }
      }
      StressTests.assertCycle(through: Ring.path(from: 0, of: 1)) { try results[0].get() }
      let resolved = try results.dropFirst().map { try $0.get() }
      XCTAssert(resolved.allSatisfy { $0 === resolved[0] })
    }
    XCTAssertEqual(ring.tracker.created, rounds)
    assertNoneLeft(ring.tracker)
  }
}
