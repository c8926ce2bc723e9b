// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import XCTest

@testable import Corinth

/// The last reference to a container, against the ends of its scopes, on many threads at once.
final class OutlivingScopeStressTests: StressTestCase {
  private let threads = 6

  /// What the threads of a round share: each takes its own out, and one takes the container.
  private final class Round: Sendable {
    let container: Locked<Container?>
    let scopes: [Locked<Container?>]
    let core: ContainerCore

    init(_ container: sending Container, scopes count: Int) {
      core = container.registry
      scopes = (0..<count).map { _ in Locked(container.makeScope()) }
      self.container = Locked(container)
    }

    /// Only the caller has the references.
    func takeContainer() -> Container? { container.withLock { $0.take() } }
    func takeScope(_ index: Int) -> Container? { scopes[index].withLock { $0.take() } }
  }

  private static func makeContainer(
    _ tracker: LifetimeTracker, _ ends: AtomicCounter
  ) throws -> Container {
    let container = Container()
    try container.register(Int.self) { _ in 1 }
    try container.register(Tracked.self, scope: .singleton) { resolver in
      Parting(tracker) {
        ends.add()
        do {
          XCTFail("resolved \(try resolver.resolve(Int.self))")
        } catch {
          XCTAssertTrue(error.is(.containerGone) || error.is(.containerClosed), "\(error)")
        }
      }
    }
    try container.register(Container.self, name: "asked") { try $0.container }
    try container.register(Instance.self, scope: .scoped) { resolver in
      _ = try resolver.resolve(Tracked.self)
      return Instance(tracker, generation: 0)
    }
    _ = try container.resolve(Tracked.self)
    return container
  }

  /// Threads begin at once, and one of them has the container: in some rounds it comes first, in
  /// some last, in most between.
  private func rounds(
    _ body: @escaping @Sendable (Round, Int) throws -> Void
  ) throws {
    let (tracker, ends) = (LifetimeTracker(), AtomicCounter())
    let count = StressSize.scaled(3_000, sanitized: 300)
    let current = Locked<Round?>(nil)
    let (begin, end) = (Barrier(threads), Barrier(threads))
    let threads = threads
    try onThreads(threads) { thread in
      for round in 0..<count {
        if thread == 0 {
          let made = Round(try Self.makeContainer(tracker, ends), scopes: threads)
          current.withLock { $0 = made }
        }
        begin.wait()
        guard let found = current.withLock({ $0 }) else { return XCTFail("no round") }
        for _ in 0..<(round &* 31 &+ thread &* 17) % 64 { sched_yield() }
        try body(found, thread)
        end.wait()
        if thread == 0 {
          current.withLock { $0 = nil }
          _ = found.takeContainer()
          for index in 0..<threads { _ = found.takeScope(index) }
          settleReclamation()
          XCTAssertEqual(ends.value, round + 1, "the container's end")
          XCTAssertFalse(found.core.hasOwner)
          XCTAssertEqual(found.core.openScopeCount, 0)
        }
      }
    }
    assertNoneLeft(tracker)
  }

  func testTheContainerEndsOnceWithWhateverGoesLast() throws {
    try rounds { round, thread in
      if thread == 0 { _ = round.takeContainer() }
      _ = round.takeScope(thread)
    }
  }

  func testScopesResolveUntilTheyEnd() throws {
    try rounds { round, thread in
      if thread == 0 { _ = round.takeContainer() }
      guard let scope = round.takeScope(thread) else { return XCTFail("no scope") }
      _ = try scope.resolve(Instance.self)
      try scope.syncWithScope { _ = try $0.resolve(Instance.self) }
      if thread % 2 == 0 { try scope.syncClose() }
    }
  }

  func testAScopeAlwaysHasAParent() throws {
    try rounds { round, thread in
      if thread == 0 { _ = round.takeContainer() }
      guard let scope = round.takeScope(thread) else { return XCTFail("no scope") }
      guard let parent = scope.parent else { return XCTFail("no parent") }
      XCTAssertTrue(round.core.hasOwner)
      XCTAssertEqual(try parent.resolve(Int.self), 1)
      if thread % 2 == 0 { _ = try parent.makeScope().resolve(Instance.self) }
      XCTAssertThrowsError(try scope.resolve(String.self)) {
        XCTAssertTrue($0.is(.noRegistrationFound), "\($0)")
      }
    }
  }

  func testScopesEndOnOtherThreadsThanTheyBegan() throws {
    try rounds { round, thread in
      // The container has a reference of each thread that makes scopes.
      let container = round.container.withLock { $0 }
      let made = container.map { container in (0..<3).map { _ in container.makeScope() } } ?? []
      for scope in made.dropFirst() { _ = try scope.resolve(Instance.self) }
      round.scopes[(thread + 1) % round.scopes.count].withLock { $0 = made.last }
      if thread == 1 { _ = round.takeContainer() }
      _ = round.takeScope(thread)
      _ = round.takeScope((thread + 1) % round.scopes.count)
    }
  }

  func testScopesAreMadeBesideAShutdownThatDrains() throws {
    let (tracker, ends) = (LifetimeTracker(), AtomicCounter())
    for round in 0..<StressSize.scaled(200, sanitized: 40) {
      let container = Locked<Container?>(try Self.makeContainer(tracker, ends))
      let makers = (0..<2).map { _ in
        JoinableThread {
          guard let own = container.withLock({ $0 }) else { return XCTFail("no container") }
          while true {
            let scope = own.makeScope()
            do { _ = try scope.resolve(Instance.self) } catch {
              XCTAssertTrue(error.is(.scopeRefused) || error.is(.containerClosed), "\(error)")
              return
            }
          }
        }
      }
      usleep(UInt32(round * 37 % 500))
      assertEndsAsync { try? await container.withLock { $0 }?.shutdown(draining: .seconds(3600)) }
      for maker in makers { try maker.join().get() }
      XCTAssertEqual(container.withLock { $0?.registry.openScopeCount }, 0)
      container.withLock { $0 = nil }
    }
    assertNoneLeft(tracker)
  }
}
