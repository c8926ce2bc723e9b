// SPDX-License-Identifier: MIT

import TestSupport
import XCTest

@testable import Corinth

/// A child's scopes end although threads of its parent were comparing arguments there at the fork.
final class ForkArgumentInstancesTests: ForkTestCase {
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
