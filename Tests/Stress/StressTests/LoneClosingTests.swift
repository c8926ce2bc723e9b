// SPDX-License-Identifier: MIT

import Corinth
import Foundation
import TestSupport
import XCTest

/// The maker of a scope closes the scope while a second thread comes for the first time: one of the
/// two is first. A maker that is first takes everything out by plain stores; a second thread that
/// is first finds what the ordinary closing leaves, and keeps instances alive that it has got.
final class LoneClosingTests: XCTestCase {
  private final class Leaf: Sendable {
    let count: AtomicCounter
    private let tracked: Tracked

    init(_ tracker: LifetimeTracker, _ count: AtomicCounter) {
      tracked = tracker.make()
      self.count = count
      count.add()
    }
  }

  private final class Branch: Sendable {
    let leaf: Leaf
    private let tracked: Tracked

    init(_ leaf: Leaf, _ tracker: LifetimeTracker) {
      (self.leaf, tracked) = (leaf, tracker.make())
    }
  }

  /// What the second thread does.
  private enum Visit: Int, CaseIterable {
    case leaf, branch, ofArgument, close, register, nested, walk
  }

  /// What the first thread has done before.
  private enum Beginning: Int, CaseIterable { case nothing, leaf, branch, argument }

  private let tracker = LifetimeTracker()

  func testOneOfTheLoneCloserAndTheSecondUserIsFirst() throws {
    let tracker = tracker
    let container = Container()
    try container.registerInput(AtomicCounter.self)
    try container.register(Leaf.self, scope: .scoped) { Leaf(tracker, try $0.resolve()) }
    try container.register(Branch.self, scope: .scoped) { Branch(try $0.resolve(), tracker) }
    try container.register(Tracked.self, scope: .scoped) { (_, _: Int) in tracker.make() }
    let shared = Shared<(scope: Container, built: AtomicCounter)?>(nil)
    let barrier = Barrier(2)
    let refused = AtomicCounter()
    let served = AtomicCounter()
    let failures = Shared<[String]>([])
    try onThreads(2) { thread in
      for round in 0..<StressSize.scaled(4000) {
        let beginning = Beginning.allCases[round % 4]
        let visit = Visit.allCases[round / 4 % 7]
        // No error leaves the other thread alone at the barrier.
        func attempt(_ body: () throws -> Void) {
          do { try body() } catch {
            failures.withValue { $0.append("\(beginning), \(visit): \(error)") }
          }
        }
        if thread == 0 {
          let built = AtomicCounter()
          let scope = container.makeScope(providing: built)
          attempt { try Self.begin(scope, beginning) }
          shared.value = (scope, built)
          barrier.wait()
          Self.spin(round / 28 % 40)
          attempt { try scope.syncClose() }
          barrier.wait()
          attempt { try expect(built.value <= 1, "built \(built.value) times") }
          attempt { try expect(scope.isClosed, "open") }
          shared.value = nil
        } else {
          barrier.wait()
          Self.spin(round / 28 % 7 * 5)
          attempt {
            do {
              try shared.value.map { try Self.visit($0.scope, visit) }
              served.add()
            } catch let error where "\(error)".contains("closed") { refused.add() }
          }
          barrier.wait()
        }
      }
    }
    XCTAssertEqual(failures.value.prefix(5), [])
    // Neither has always been first.
    XCTAssertGreaterThan(served.value, 0)
    XCTAssertGreaterThan(refused.value, 0)
    try container.syncClose()
    XCTAssertEqual(tracker.left, 0)
  }

  /// A resolve has found a free cell, and then is interrupted until the maker of the scope has
  /// closed the scope, disposals included. The end let users in again: the resolve built in the
  /// cell, and nobody disposed of the instance, or even released the instance.
  func testNobodyBuildsInAScopeWhoseMakerHasDisposedOfAll() throws {
    let tracker = tracker
    let (built, disposed) = (AtomicCounter(), AtomicCounter())
    let container = Container()
    for name in ["first", "second"] {
      try container.register(
        Tracked.self, name: Name(name), scope: .scoped,
        with: .onDispose { (_: Tracked) in disposed.add() }
      ) { _ in
        built.add()
        return tracker.make()
      }
    }
    try visitEndingScopes(of: container, spinning: 50) { scope, _ in
      _ = try scope.resolve(Tracked.self, name: "first")
    } visit: { scope in
      _ = try? scope.resolve(Tracked.self, name: "second")
    }
    try container.syncClose()
    XCTAssertEqual(disposed.value, built.value)
    XCTAssertEqual(tracker.left, 0)
  }

  /// The first registration in a scope comes while the maker closes the scope: the registration is
  /// refused, or its instance is disposed of. The closer exchanges state and cache together, and
  /// the writer the cache first.
  func testTheFirstRegistrationBesideTheEndIsRefusedOrItsInstanceIsDisposedOf() throws {
    let tracker = tracker
    let (built, disposed, refused) = (AtomicCounter(), AtomicCounter(), AtomicCounter())
    let container = Container()
    try container.register(Leaf.self, scope: .scoped) { _ in Leaf(tracker, AtomicCounter()) }
    try visitEndingScopes(of: container, spinning: 100) { scope, round in
      if round % 2 == 0 { _ = try scope.resolve(Leaf.self) }
    } visit: { scope in
      do {
        try scope.register(
          Tracked.self, scope: .singleton, with: .onDispose { (_: Tracked) in disposed.add() }
        ) { _ in
          built.add()
          return tracker.make()
        }
        _ = try scope.resolve(Tracked.self)
      } catch { refused.add() }
    }
    try container.syncClose()
    XCTAssertEqual(disposed.value, built.value)
    XCTAssertGreaterThan(refused.value, 0)
    XCTAssertEqual(tracker.left, 0)
  }

  /// Has a thread make scopes, begin and close each, while another thread, which is interrupted
  /// again and again, visits each once.
  private func visitEndingScopes(
    of container: Container, spinning spinsAtMost: Int,
    begin: @escaping @Sendable (Container, Int) throws -> Void,
    visit: @escaping @Sendable (Container) -> Void
  ) throws {
    let current = Shared<Container?>(nil)
    let (visited, isOver) = (AtomicCounter(), Shared(false))
    let interruptions = Interruptions()
    try onThreads(2) { thread in
      if thread == 0 {
        defer { isOver.value = true }
        for round in 1...StressSize.scaled(4000, sanitized: 400) {
          let scope = container.makeScope()
          try begin(scope, round)
          current.value = scope
          while visited.value < round { sched_yield() }
          Self.spin(round % spinsAtMost)
          try scope.syncClose()
        }
      } else {
        interruptions.interruptCallingThread()
        defer { interruptions.leaveCallingThread() }
        var last: Container?
        while !isOver.value {
          guard let scope = current.value, scope !== last else { continue }
          last = scope
          visited.add()
          visit(scope)
        }
      }
    }
    interruptions.end()
    current.value = nil
  }

  /// A resolve by a deinit, at the end of a scope that is closed alone, finds the scope closed.
  func testADeinitFindsTheScopeClosed() throws {
    final class Late: @unchecked Sendable {
      // SAFETY: set before the end, by the thread that ends it.
      var scope: Container?
      let outcome: Shared<Bool?>
      init(_ outcome: Shared<Bool?>) { self.outcome = outcome }
      deinit {
        guard let scope else { return }
        outcome.value = scope.isClosed && (try? scope.resolve(Late.self)) == nil
      }
    }
    let outcome = Shared<Bool?>(nil)
    let container = Container()
    try container.register(Late.self, scope: .scoped) { _ in Late(outcome) }
    let scope = container.makeScope()
    do {
      let late = try scope.resolve(Late.self)
      late.scope = scope
    }
    try scope.syncClose()
    XCTAssertEqual(outcome.value, true)
  }

  private static func begin(_ scope: Container, _ beginning: Beginning) throws {
    switch beginning {
    case .nothing: break
    case .leaf: _ = try scope.resolve(Leaf.self)
    case .branch: _ = try scope.resolve(Branch.self)
    case .argument: _ = try scope.resolve(Tracked.self, arguments: 1)
    }
  }

  private static func visit(_ scope: Container, _ visit: Visit) throws {
    switch visit {
    case .leaf: try expect(try scope.resolve(Leaf.self).count.value == 1, "built twice")
    case .branch: try expect(try scope.resolve(Branch.self).leaf.count.value == 1, "built twice")
    case .ofArgument: _ = try scope.resolve(Tracked.self, arguments: 1)
    case .close: try scope.syncClose()
    case .register:
      do { try scope.register(Int.self) { _ in 1 } } catch is RegistrationError { return }
      _ = try scope.resolve(Int.self)
    case .nested:
      let nested = scope.makeScope(providing: AtomicCounter())
      _ = try nested.resolve(Leaf.self)
      try nested.syncClose()
    case .walk: _ = scope.graph()
    }
  }

  private static func spin(_ count: Int) {
    for _ in 0..<count { blackHole(count) }
  }

  @inline(never)
  private static func blackHole(_ value: Int) {}
}
