// SPDX-License-Identifier: MIT

import Corinth
import Foundation
import TestSupport
import XCTest

/// Containers of one family, used by many threads at once.
final class ParentStressTests: StressTestCase {
  private let threads = 8

  /// Odd steps register in the child, even ones remove that: what is found has to fit a step of the
  /// time.
  func testOverridingInAChildWhileAllResolve() throws {
    let parent = Container()
    let child = Container(parent: parent)
    let grandchild = Container(parent: child)
    let tracker = LifetimeTracker()
    try parent.register(Instance.self) { _ in Instance(tracker, generation: 0) }
    try parent.register(Int.self) { try $0.resolve(Instance.self).generation }
    try parent.register(Int.self, name: "shared", scope: .singleton) {
      try $0.resolve(Instance.self).generation
    }
    let provider = try child.provider(for: Instance.self)
    let steps = Generations()
    let scopes: [AnyScope] = [.transient, .singleton, .weak, .graph]
    try besideAWriter(readers: 5, rounds: StressSize.scaled(10_000, sanitized: 1_000)) { written in
      try steps.advance { step in
        guard step % 2 == 1 else { return XCTAssertTrue(child.unregister(Instance.self)) }
        try child.register(Instance.self, scope: scopes[written / 2 % scopes.count]) { _ in
          Instance(tracker, generation: step)
        }
      }
    } read: { index in
      XCTAssertEqual(try parent.resolve(Int.self), 0)
      XCTAssertEqual(try grandchild.resolve(Int.self, name: "shared"), 0)
      let found = Shared(0)
      let unchanged = try steps.unchanged {
        found.value =
          switch index {
          case 0: try child.resolve(Instance.self).generation
          case 1: try grandchild.resolve(Instance.self).generation
          case 2: try grandchild.resolve(Int.self)
          case 3: try provider().generation
          default: try child.withResolved(Instance.self) { $0.generation }
          }
      }
      guard let unchanged else { return }
      XCTAssertEqual(found.value, unchanged % 2 == 1 ? unchanged : 0)
    }
    child.removeAll()
    assertNoneLeft(tracker)
  }

  func testOverridingInTheParentWhileChildrenComeAndGo() throws {
    let parent = Container()
    let tracker = LifetimeTracker()
    let generations = Generations()
    @Sendable func register(_ generation: Int) throws {
      try parent.register(Instance.self, scope: generation % 2 == 0 ? .singleton : .transient) {
        _ in Instance(tracker, generation: generation)
      }
    }
    try generations.advance(register)
    try besideAWriter(readers: 5, rounds: StressSize.scaled(5_000, sanitized: 500)) { _ in
      try generations.advance(register)
    } read: { index in
      let child = index % 2 == 0 ? Container(parent: parent) : parent.makeScope()
      if index == 0 { try child.register(Int.self) { _ in 1 } }
      try generations.check { try child.resolve(Instance.self).generation }
      if index == 1 { try child.syncClose() }
    }
    parent.removeAll()
    assertNoneLeft(tracker)
  }

  func testASingletonIsBuiltOnceForAllChildren() throws {
    let tracker = LifetimeTracker()
    let count = StressSize.scaled(20)
    for _ in 0..<count {
      let parent = Container()
      try parent.register(Tracked.self, scope: .singleton) { _ in
        usleep(1000)
        return tracker.make()
      }
      let serials = try onThreads(threads) { index in
        let child = index % 2 == 0 ? Container(parent: parent) : parent.makeScope()
        return try Container(parent: child).resolve(Tracked.self).serial
      }
      XCTAssertEqual(Set(serials).count, 1)
    }
    XCTAssertEqual(tracker.created, count)
    assertNoneLeft(tracker)
  }

  func testAParentIsKeptByTheLastOfItsChildren() throws {
    let tracker = LifetimeTracker()
    for _ in 0..<StressSize.scaled(200, sanitized: 50) {
      let children = Shared<[Container]>([])
      do {
        let parent = Container()
        try parent.register(Tracked.self, scope: .singleton) { _ in tracker.make() }
        children.value = (0..<threads).map { _ in Container(parent: parent) }
      }
      try onThreads(threads) { _ in
        var child = children.withValue { $0.popLast() }
        XCTAssertNotNil(try child?.resolve(Tracked.self))
        child = nil
      }
    }
    assertNoneLeft(tracker)
  }

  func testSixtyFourLevelsOfSeveralThreads() throws {
    let tracker = LifetimeTracker()
    let root = Container()
    try root.register(Tracked.self, scope: .singleton) { _ in tracker.make() }
    try root.register([Tracked].self) { [try $0.resolve(Tracked.self)] }
    let serials = try onThreads(threads) { _ in
      var bottom = root
      for _ in 0..<64 { bottom = Container(parent: bottom) }
      return try (0..<100).map { _ in try bottom.resolve([Tracked].self)[0].serial }
    }
    XCTAssertEqual(Set(serials.joined()), [1])
    root.removeAll()
    assertNoneLeft(tracker)
  }

  func testChildrenLeaveNoGrowth() throws {
    let parent = Container()
    let tracker = LifetimeTracker()
    try parent.register(Tracked.self) { _ in tracker.make() }
    try parent.register(Int.self, scope: .singleton) { _ in 1 }
    try assertMemoryStaysFlat(after: StressSize.scaled(100_000)) { index in
      let child = Container(parent: parent)
      if index % 2 == 0 { _ = try child.resolve(Int.self) }
      if index % 10 == 0 { _ = try child.provider(for: Tracked.self)() }
      if index % 100 == 0 {
        try child.register(Tracked.self, scope: .singleton) { _ in tracker.make() }
        _ = try child.resolve(Tracked.self)
      }
    }
    assertNoneLeft(tracker)
  }
}
