// SPDX-License-Identifier: MIT

import Corinth
import Synchronization
import TestSupport
import XCTest

/// Request scopes that threads share, and close at any moment: what a closer releases, others may
/// be about to retain.
final class ScopeCellStressTests: StressTestCase {
  private protocol Life: Sendable {
    var isAlive: Bool { get }
  }

  /// Says whether it is still there. Its memory is used again soon.
  private final class Canary: Life {
    private let life = Atomic<UInt64>(Canary.alive)
    private let tracker: Tracked

    private static var alive: UInt64 { 0x5CA1_AB1E_0DDB_A115 }

    init(_ tracker: LifetimeTracker) { self.tracker = tracker.make() }

    var isAlive: Bool { life.load(ordering: .relaxed) == Self.alive }

    deinit { life.store(0, ordering: .relaxed) }
  }

  private struct Pair: Sendable {
    let left: Canary
    let right: Canary
  }

  private final class SharedScopes: Sendable {
    private let scopes: Locked<[Container]>
    private let parent: Container

    init(_ count: Int, of parent: Container) {
      self.parent = parent
      scopes = Locked((0..<count).map { _ in parent.makeScope() })
    }

    subscript(index: Int) -> Container { scopes.withLock { $0[index] } }

    /// The former one, which nobody finds here any more.
    func replace(_ index: Int) -> Container {
      let fresh = parent.makeScope()
      return scopes.withLock { scopes in
        defer { scopes[index] = fresh }
        return scopes[index]
      }
    }
  }

  /// - Parameter others: how many registrations there are besides, which take the first cells more
  ///   often than not.
  private func run(disposing: Bool, others: Int = 0, line: UInt = #line) throws {
    let tracker = LifetimeTracker()
    let disposed = AtomicCounter()
    let built = AtomicCounter()
    let container = Container()
    let registration = try container.register(Canary.self, scope: .scoped) { _ in
      built.add()
      return Canary(tracker)
    }
    if disposing {
      registration.onDispose { canary in
        if canary.isAlive { disposed.add() }
      }
    }
    try container.register(Pair.self, scope: .scoped) {
      Pair(left: try $0.resolve(Canary.self), right: Canary(tracker))
    }
    for name in 0..<others {
      try container.register(Canary.self, name: Name(name), scope: .scoped) { _ in Canary(tracker) }
    }
    let rounds = StressSize.scaled(4000, sanitized: 400)
    let count = 3
    do {
      let shared = SharedScopes(count, of: container)
      let dead = try onThreads(5) { thread in
        var random = SeededGenerator(seed: UInt64(thread + 1))
        var dead = 0
        for _ in 0..<rounds {
          let index = Int.random(in: 0..<count, using: &random)
          if others > 0, Bool.random(using: &random) {
            let scope = shared[index]
            for _ in 0..<others {
              let name = Name(Int.random(in: 0..<others, using: &random))
              guard let canary = try? scope.resolve(Canary.self, name: name) else { break }
              if !canary.isAlive { dead += 1 }
            }
          }
          switch Int.random(in: 0..<10, using: &random) {
          case 0:
            try shared.replace(index).syncClose()
          case 1:
            _ = shared.replace(index)  // dropped, sooner or later
          case 2...4:
            if let pair = try? shared[index].resolve(Pair.self) {
              if !pair.left.isAlive || !pair.right.isAlive { dead += 1 }
            }
          default:
            if let canary = try? shared[index].resolve(Canary.self), !canary.isAlive { dead += 1 }
          }
        }
        return dead
      }
      XCTAssertEqual(dead.reduce(0, +), 0, "instances that were given out were gone", line: line)
      for index in 0..<count { try shared[index].syncClose() }
    }
    if !disposing { XCTAssertEqual(disposed.value, 0, line: line) }
    XCTAssertLessThanOrEqual(disposed.value, built.value, line: line)
    assertNoneLeft(tracker)
  }

  func testInstancesThatAreGivenOutAreThere() throws {
    try run(disposing: false)
  }

  func testInstancesThatAreGivenOutAreThereIfTheyAreDisposedOf() throws {
    try run(disposing: true)
  }

  func testInstancesOfScopesOfManyThatAreGivenOutAreThere() throws {
    try run(disposing: true, others: 40)
  }

  func testInstancesOfScopesOfMoreThanTheirCellsThatAreGivenOutAreThere() throws {
    try run(disposing: false, others: 140)
  }

  /// Factories fail, resolves put boxes in the place of instances, and several closers meet what is
  /// under construction.
  func testEachInstanceIsDisposedOfOrReportedOnce() throws {
    let (tracker, container) = (LifetimeTracker(), Container())
    let (attempts, built, ended) = (AtomicCounter(), AtomicCounter(), AtomicCounter())
    Container.onUndisposed = { ended.add($0.instances.count) }
    defer { Container.onUndisposed = nil }
    for name in ["first", "second", "third"] {
      try container.register(Canary.self, name: Name(name), scope: .scoped) { _ in
        let attempt = attempts.add()
        if attempt % 3 == 0 { sched_yield() }
        if attempt % 5 == 0 { throw Refused() }
        built.add()
        return Canary(tracker)
      }.onDispose { if $0.isAlive { ended.add() } }.implements((any Life).self)
    }
    let count = 2
    do {
      let shared = SharedScopes(count, of: container)
      let dead = try onThreads(5) { thread in
        var random = SeededGenerator(seed: UInt64(thread + 1))
        var dead = 0
        for _ in 0..<StressSize.scaled(4000, sanitized: 400) {
          let index = Int.random(in: 0..<count, using: &random)
          let name: Name = ["first", "second", "third"].randomElement(using: &random) ?? "first"
          let scope = shared[index]
          switch Int.random(in: 0..<12, using: &random) {
          case 0:
            // Others may be closing the scope.
            try scope.syncClose()
            try shared.replace(index).syncClose()
          case 1:
            _ = shared.replace(index)
          case 2...4:
            let canary = try? scope.resolve((any Life).self, name: name)
            if let canary, !canary.isAlive { dead += 1 }
          case 5:
            if let canary = try? Container(parent: scope).resolve(Canary.self, name: name),
              !canary.isAlive
            {
              dead += 1
            }
          default:
            if let canary = try? scope.resolve(Canary.self, name: name), !canary.isAlive {
              dead += 1
            }
          }
        }
        return dead
      }
      XCTAssertEqual(dead.reduce(0, +), 0, "instances that were given out were gone")
      for index in 0..<count { try shared[index].syncClose() }
    }
    XCTAssertEqual(ended.value, built.value)
    assertNoneLeft(tracker)
  }
}
