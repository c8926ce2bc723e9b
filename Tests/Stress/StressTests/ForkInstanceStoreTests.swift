// SPDX-License-Identifier: MIT

import TestSupport
import XCTest

@testable import Corinth

/// A child's scopes end although threads of its parent were inside of them at the fork.
final class ForkInstanceStoreTests: ForkTestCase {
  /// A store belongs to a container, which has forks observed.
  override func setUpWithError() throws {
    try super.setUpWithError()
    _ = Container()
  }

  private final class Visited: Sendable {
    let store = InstanceStore()
    let registration = LifetimeTracker()

    func keep(_ payload: AnyObject) {
      _ = store.entry(
        of: EntryKey(registration: payload, container: registration, arguments: nil),
        payload: payload, requiresDisposal: false)
    }
  }

  /// A thread that is inside of a store at a fork never leaves it in the child. It was still
  /// counted there, so that the end of the store left the entries to a last visitor that never
  /// left.
  func testTheEndOfAStoreReleasesItsEntriesDespiteAVisitorThatAForkLost() throws {
    let visited = Visited()
    let tracker = LifetimeTracker()
    for _ in 0..<3 { visited.keep(tracker.make()) }
    let inside = Gate()
    let mayLeave = Gate()
    try onThreads(2) { index in
      if index == 0 {
        visited.store.forEachEntry { _ in
          inside.open()
          mayLeave.wait()
        }
        return
      }
      inside.wait()
      defer { mayLeave.open() }
      for isUsedBefore in [false, true] {
        try ForkedChild {
          if isUsedBefore {
            visited.keep(tracker.make())
            visited.store.forEachEntry { _ in }
          }
          // The lost thread holds the entry that it was at.
          visited.store.close()
          try expect(tracker.alive == 1, "\(tracker.alive) are left")
          visited.keep(tracker.make())
          try expect(tracker.alive == 1, "kept by a closed store")
        }.checkSuccess()
      }
    }
    visited.store.close()
    XCTAssertEqual(tracker.left, 0)
  }

  /// A child's own visitors count, whatever its parent's do.
  func testEntriesStayWhileAChildVisitsThem() throws {
    let visited = Visited()
    let tracker = LifetimeTracker()
    visited.keep(tracker.make())
    let inside = Gate()
    let mayLeave = Gate()
    try onThreads(2) { index in
      if index == 0 {
        visited.store.forEachEntry { _ in
          inside.open()
          mayLeave.wait()
        }
        return
      }
      inside.wait()
      defer { mayLeave.open() }
      try ForkedChild {
        for _ in 0..<3 { visited.keep(tracker.make()) }
        var visits = 0
        var fewest = Int.max
        visited.store.forEachEntry { _ in
          visited.store.close()
          visits += 1
          fewest = min(fewest, tracker.alive)
        }
        try expect(visits == 4 && fewest == 4, "\(visits) visits, \(fewest) were left")
        try expect(tracker.alive == 1, "\(tracker.alive) are left")
      }.checkSuccess()
    }
    visited.store.close()
    XCTAssertEqual(tracker.left, 0)
  }

  /// An argument whose comparison with an unequal one waits, in the parent. A resolve compares each
  /// argument with itself too.
  private struct Slow: Hashable, Sendable {
    let number: Int
    let comparing: Gate
    let mayEnd: Gate
    private let parent = getpid()

    static func == (left: Slow, right: Slow) -> Bool {
      if getpid() == left.parent, left.number != right.number {
        left.comparing.open()
        left.mayEnd.wait()
      }
      return left.number == right.number
    }

    func hash(into hasher: inout Hasher) {}
  }

  /// The `==` of an argument ran inside of the store.
  func testAChildEndsScopesInWhichAParentsThreadComparesArguments() throws {
    let container = makeContainer()
    let tracker = LifetimeTracker()
    let comparing = Gate()
    let mayEnd = Gate()
    try container.register(Node<A>.self) { (_, _: Slow) in Node(tracker) }.as(.scoped)
    try container.register(Node<B>.self) { _ in Node(tracker) }.as(.scoped)
    let scope = container.makeScope()
    func argument(_ number: Int) -> Slow {
      Slow(number: number, comparing: comparing, mayEnd: mayEnd)
    }
    let first = argument(1)
    let second = argument(2)
    _ = try scope.resolve(Node<A>.self, arguments: first)
    _ = try scope.resolve(Node<B>.self)
    XCTAssertEqual(tracker.alive, 2)
    try onThreads(2) { index in
      if index == 0 {
        _ = try scope.resolve(Node<A>.self, arguments: second)
        return
      }
      comparing.wait()
      defer { mayEnd.open() }
      try ForkedChild {
        try scope.syncClose()
        // The lost thread holds the instance that it was comparing arguments for.
        try expect(tracker.alive == 1, "\(tracker.alive) are left")
      }.checkSuccess()
    }
    try scope.syncClose()
    container.removeAll()
    assertNoneLeft(tracker)
  }

  /// The lost thread may be in the middle of a search, and its entries in any state.
  func testAChildGivesBackTheEntriesOfArgumentsThatAParentsThreadCompares() throws {
    let container = makeContainer()
    let tracker = LifetimeTracker()
    let comparing = Gate()
    let mayEnd = Gate()
    try container.register(Node<A>.self) { (_, _: Slow) in Node(tracker) }.as(.weak)
    // Made in the parent, where alone comparisons wait.
    let arguments = (0..<200).map { Slow(number: $0, comparing: comparing, mayEnd: mayEnd) }
    @Sendable func resolve(_ number: Int) throws -> Node<A> {
      try container.resolve(Node<A>.self, arguments: arguments[number])
    }
    let first = try resolve(1)
    try onThreads(2) { index in
      if index == 0 {
        _ = try resolve(2)
        return
      }
      comparing.wait()
      defer { mayEnd.open() }
      try ForkedChild {
        for number in 2..<200 { _ = try resolve(number) }
        try expect(resolve(1) === first, "another instance")
        let key = RegistrationKey(Node<A>.self, arguments: Slow.self)
        let record = container.registry.table.find(key)?.registration
        let entries = record?.instancesByArguments?.all.count ?? 0
        try expect((1...18).contains(entries), "\(entries) are left")
      }.checkSuccess()
    }
    withExtendedLifetime(first) {}
    container.removeAll()
  }
}
