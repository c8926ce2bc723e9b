// SPDX-License-Identifier: MIT

import Corinth
import Foundation
import TestSupport
import XCTest

/// A forked child, which has one thread, goes on using the containers of its parent.
class ForkTests: ForkTestCase {
  private let parent = getpid()

  private var children: Int { StressSize.scaled(fingerprintBits < 64 ? 10 : 50) }

  /// What a child may do, on keys of its own.
  @Sendable private static func use(
    _ container: Container, _ tracker: LifetimeTracker
  ) throws {
    for name in ["mine", "mine too"] as [Name] {
      try container.register(Tracked.self, name: name, scope: .singleton) { _ in tracker.make() }
      let first = try container.resolve(Tracked.self, name: name)
      try expect(try container.resolve(Tracked.self, name: name) === first, "built twice")
      let serial = first.serial
      try container.register(Tracked.self, name: name, scope: .weak) { _ in tracker.make() }
      let second = try container.resolve(Tracked.self, name: name)
      try expect(second.serial > serial, "an overridden instance")
      try expect(try container.resolve(Tracked.self, name: name) === second, "built twice")
    }
  }

  func testAChildUsesWhatTheParentLeft() throws {
    let container = makeContainer()
    let tracker = LifetimeTracker()
    try Self.use(container, tracker)
    try container.register(Tracked.self, scope: .singleton) { _ in tracker.make() }
    let ready = try container.resolve(Tracked.self)
    for _ in 0..<children {
      try ForkedChild {
        try expect(try container.resolve(Tracked.self) === ready, "another instance")
        try Self.use(container, tracker)
        try Self.use(Container(), tracker)
        container.unregister(Tracked.self)
        try expect(!container.contains(Tracked.self), "still registered")
      }.checkSuccess()
    }
    XCTAssert(try container.resolve(Tracked.self) === ready)
    container.removeAll()
  }

  func testAChildMayForkToo() throws {
    let container = makeContainer()
    let tracker = LifetimeTracker()
    try Self.use(container, tracker)
    func descend(_ generations: Int) throws {
      try Self.use(container, tracker)
      guard generations > 0 else { return }
      let child = ForkedChild { try descend(generations - 1) }
      try expect(child.exitStatus == 0, child.errorOutput)
    }
    try ForkedChild { try descend(5) }.checkSuccess()
    container.removeAll()
    assertNoneLeft(tracker)
  }

  /// The parent's threads are building, and waiting for one another, when the child begins.
  func testAChildBuildsWhatTheParentIsBuilding() throws {
    for scope in [AnyScope.singleton, .weak] {
      let container = makeContainer()
      let tracker = LifetimeTracker()
      let building = Gate()
      let mayEnd = Gate()
      try container.register(Node<A>.self, scope: scope) { [parent] _ in
        if getpid() == parent {
          building.open()
          mayEnd.wait()
        }
        return Node(tracker)
      }
      try container.register(Node<B>.self, scope: scope) { resolver in
        _ = try resolver.resolve(Node<A>.self)
        return Node(tracker)
      }
      try Self.use(container, tracker)
      try onThreads(5) { [children] index in
        switch index {
        case 0: _ = try container.resolve(Node<A>.self)
        case 1, 2: _ = try container.resolve(Node<B>.self)
        case 3: _ = try container.resolveIfRegistered(Node<A>.self)
        default:
          building.wait()
          defer { mayEnd.open() }
          // Long enough for the others to begin their wait, which most of the children then find.
          usleep(1000)
          for _ in 0..<children {
            try ForkedChild {
              let before = tracker.created
              let dependency = try container.resolve(Node<A>.self)
              let dependent = try container.resolve(Node<B>.self)
              try expect(try container.resolve(Node<A>.self) === dependency, "A is built twice")
              try expect(try container.resolve(Node<B>.self) === dependent, "B is built twice")
              try expect(tracker.created == before + 2, "built \(tracker.created - before)")
              try Self.use(container, tracker)
            }.checkSuccess()
          }
        }
      }
      container.removeAll()
      assertNoneLeft(tracker)
    }
  }

  /// What the parent's threads were inside of when the child began does not keep anything alive.
  func testReclamationWorksInAChild() throws {
    let container = makeContainer()
    let tracker = LifetimeTracker()
    let inside = Gate()
    let mayEnd = Gate()
    try container.register(Node<A>.self) { _ in
      inside.open()
      mayEnd.wait()
      return Node(tracker)
    }
    try Self.use(container, tracker)
    try onThreads(2) { [children] index in
      guard index == 1 else {
        _ = try container.resolve(Node<A>.self)
        return
      }
      inside.wait()
      defer { mayEnd.open() }
      for _ in 0..<children {
        try ForkedChild {
          let local = LifetimeTracker()
          for _ in 0..<100 { try Self.use(container, local) }
          container.unregister(Tracked.self, name: "mine")
          container.unregister(Tracked.self, name: "mine too")
          settleReclamation()
          try expect(local.created == 400, "created \(local.created)")
          try expect(local.alive == 0, "\(local.alive) are left")
        }.checkSuccess()
      }
    }
    container.removeAll()
    assertNoneLeft(tracker)
  }
}
