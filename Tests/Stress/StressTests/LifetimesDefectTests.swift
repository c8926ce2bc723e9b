// SPDX-License-Identifier: MIT

import Corinth
import Foundation
import TestSupport
import XCTest

/// Faults that Lifetimes once had, each with its story.
final class LifetimesDefectTests: StressTestCase {
  private class Node: Tracked, @unchecked Sendable {
    // SAFETY: only written before the instance is seen by another thread.
    var others: [Any] = []
  }
  private final class A: Node, @unchecked Sendable {}
  private final class B: Node, @unchecked Sendable {}
  private final class C: Node, @unchecked Sendable {}
  private final class M: Node, @unchecked Sendable {}
  private final class X: Node, @unchecked Sendable {}

  private struct Refused: Error {}

  private let tracker = LifetimeTracker()

  /// `A`'s action asks for `B`, in whose factory `A` is built: it was postponed until that factory
  /// had returned. When the factory threw instead, nobody ran the action or ended `A`'s
  /// construction, and whoever asked for `A` from then on waited for ever.
  func testActionsPutOffForAFactoryThatThrowsLeaveNothingBehind() throws {
    let tracker = tracker
    let container = Container()
    let failures = AtomicCounter(1)
    try container.register(A.self) { _ in A(tracker) }.as(.singleton)
      .afterInit { resolver, a in a.others.append(try resolver.resolve(B.self).serial) }
    try container.register(B.self) { resolver in
      let b = B(tracker)
      b.others.append(try resolver.resolve(A.self).serial)
      if failures.add(-1) >= 0 { throw Refused() }
      return b
    }.as(.singleton)
    XCTAssertThrowsError(try container.resolve(B.self))
    assertEnds { _ = try container.resolve(A.self) }
  }

  /// The same when another action that was postponed throws first: those behind it were forgotten.
  func testOneActionPutOffThatThrowsDoesNotForgetTheNext() throws {
    let tracker = tracker
    let container = Container()
    let isRefused = Flag(true)
    try container.register(A.self) { _ in A(tracker) }.as(.singleton)
      .afterInit { resolver, _ in
        _ = try resolver.resolve(B.self)
        if isRefused.isSet { throw Refused() }
      }
    try container.register(C.self) { _ in C(tracker) }.as(.singleton)
      .afterInit { resolver, _ in _ = try resolver.resolve(B.self) }
    try container.register(B.self) { resolver in
      _ = try resolver.resolve(A.self)
      _ = try resolver.resolve(C.self)
      return B(tracker)
    }.as(.singleton)
    XCTAssertThrowsError(try container.resolve(B.self))
    isRefused.isSet = false
    assertEnds {
      _ = try container.resolve(C.self)
      _ = try container.resolve(A.self)
    }
  }

  /// An instance is offered to its resolution while its actions run. When one of them threw, its
  /// construction went on holding the instance: one that had kept its resolver held that
  /// construction.
  func testAnInstanceWithItsResolverWhoseActionThrowsIsReleased() throws {
    let tracker = tracker
    let container = Container()
    try container.register(A.self) { resolver in
      let a = A(tracker)
      a.others = [resolver]
      return a
    }.as(.singleton)
      .afterInit { _, _ in throw Refused() }
    XCTAssertThrowsError(try container.resolve(A.self))
    assertNoneLeft(tracker)
  }

  /// A construction whose resolution was over before it keeps graph instances of its own. It did
  /// not let go of them at its end, and one that had kept its resolver held the construction.
  func testGraphInstancesOfAConstructionThatOutlivesItsResolutionAreReleased() throws {
    let tracker = tracker
    let container = Container()
    let begun = Gate()
    let outlived = Gate()
    let done = Gate()
    try container.register(X.self) { resolver in
      let x = X(tracker)
      x.others = [resolver]
      return x
    }.as(.graph)
    try container.register(B.self) { resolver in
      begun.open()
      outlived.wait()
      _ = try resolver.resolve(X.self)
      return B(tracker)
    }.as(.singleton)
    try container.register(A.self) { resolver in
      Thread.detachNewThread {
        _ = try? resolver.resolve(B.self)
        done.open()
      }
      begun.wait()
      return A(tracker)
    }.as(.singleton)
    _ = try container.resolve(A.self)
    outlived.open()
    done.wait()
    container.removeAll()
    settleReclamation()
    XCTAssertEqual(tracker.alive, 0)
  }

  /// `B` and `X` borrow from each other, `B` from `A` too, and `M`, which `A` waits for, waits for
  /// `X`. All are a part of `A`'s resolution. When `B` was done and held open by `A`, only those
  /// who waited for `B` looked again, and not `M`, which waited for what `B` held open in its turn.
  func testWhatIsHeldOpenIndirectlyIsLentToo() throws {
    let tracker = tracker
    let container = Container()
    let isXDone = Gate()
    let mayBEnd = Gate()
    try container.register(A.self) { _ in A(tracker) }.as(.singleton)
      .afterInit { resolver, a in
        let hop = JoinableThread {
          isXDone.wait()
          return try resolver.resolve(M.self)
        }
        a.others.append(try resolver.resolve(B.self).serial)
        a.others.append(try hop.join().get().serial)
      }
    try container.register(B.self) { resolver in
      let b = B(tracker)
      b.others.append(try resolver.resolve(A.self).serial)
      return b
    }.as(.singleton)
      .afterInit { resolver, b in
        b.others.append(try resolver.resolve(X.self).serial)
        isXDone.open()
        mayBEnd.wait()
        // Long enough for the other thread to be waiting.
        Thread.sleep(forTimeInterval: 0.2)
      }
    try container.register(X.self) { resolver in
      let x = X(tracker)
      x.others.append(try resolver.resolve(B.self).serial)
      return x
    }.as(.singleton)
    try container.register(M.self) { resolver in
      mayBEnd.open()
      let m = M(tracker)
      m.others.append(try resolver.resolve(X.self).serial)
      return m
    }.as(.singleton)
    assertEnds { _ = try container.resolve(A.self) }
  }

  /// An asynchronous transient has a construction of its own, which ended the search for who
  /// borrows: the singleton around it was published with an instance inside whose actions were
  /// still running.
  func testWhatBorrowsThroughAnAsynchronousTransientIsHeldOpen() throws {
    let tracker = tracker
    let container = Container()
    let isPBuilt = Gate()
    let mayAEnd = Gate()
    let isAComplete = Flag()
    try container.registerAsync(A.self) { _ in A(tracker) }.as(.singleton)
      .afterInit { (resolver: Resolver, a: A) async throws in
        a.others.append(try await resolver.resolveAsync(B.self).serial)
        isPBuilt.open()
        mayAEnd.wait()
        isAComplete.isSet = true
      }
    try container.registerAsync(C.self) { resolver in
      let c = C(tracker)
      c.others.append(try await resolver.resolveAsync(A.self).serial)
      return c
    }
    try container.registerAsync(B.self) { resolver in
      let b = B(tracker)
      b.others.append(try await resolver.resolveAsync(C.self).serial)
      return b
    }.as(.singleton)
    Task { _ = try await container.resolveAsync(A.self) }
    isPBuilt.wait()
    let seen = Flag()
    let done = Gate()
    Task {
      _ = try await container.resolveAsync(B.self)
      if !isAComplete.isSet { seen.isSet = true }
      done.open()
    }
    Thread.sleep(forTimeInterval: 0.3)
    mayAEnd.open()
    done.wait()
    XCTAssertFalse(seen.isSet, "B was seen before A, which it holds, was complete")
  }

  /// The same with a time-limited singleton that is being refreshed: it was put in place of the old
  /// one.
  func testARefreshThatBorrowsIsNotSeenEarly() throws {
    let tracker = tracker
    let container = Container()
    let now = AtomicCounter()
    let clock = MonotonicClock { .seconds(now.value) }
    let isRefreshed = Gate()
    let mayAEnd = Gate()
    let isAComplete = Flag()
    try container.register(X.self) { resolver in
      let x = X(tracker)
      if try resolver.resolveIfRegistered(A.self) != nil { x.others = [1] }
      return x
    }.as(.cached(for: .seconds(10), whileRefreshing: .serveStale, clock: clock))
    _ = try container.resolve(X.self)
    now.add(20)
    try container.register(A.self) { _ in A(tracker) }.as(.singleton)
      .afterInit { resolver, a in
        _ = try resolver.resolve(X.self)
        isRefreshed.open()
        mayAEnd.wait()
        isAComplete.isSet = true
      }
    let builder = JoinableThread { _ = try container.resolve(A.self) }
    isRefreshed.wait()
    let seen = Flag()
    let other = JoinableThread {
      // Served the old one, or else waits.
      let x = try container.resolve(X.self)
      if !x.others.isEmpty, !isAComplete.isSet { seen.isSet = true }
    }
    Thread.sleep(forTimeInterval: 0.2)
    mayAEnd.open()
    try builder.join().get()
    try other.join().get()
    XCTAssertFalse(seen.isSet)
  }

  /// An instance keeper that resolves the key it is given an instance of.
  private final class Curious: CustomStorage {
    let container: Container
    init(_ container: Container) { self.container = container }
    func get(for context: StorageContext) -> A? { nil }
    func set(_ product: A, for context: StorageContext) {
      XCTAssertThrowsError(try container.resolve(A.self))
    }
    func release() {}
  }

  /// `set` runs before the construction has ended, but no longer was a part of it: a resolve of the
  /// same key waited for itself.
  func testAnInstanceKeeperThatResolvesItsOwnKeyGetsAnError() throws {
    let tracker = tracker
    let container = Container()
    try container.register(A.self) { _ in A(tracker) }.as(Curious(container))
    assertEnds { _ = try? container.resolve(A.self) }
  }

  /// `B`'s construction looked once whether actions were postponed until its end; one came after
  /// that.
  private final class Slow: CustomStorage {
    let isEnding: Gate
    let mayEnd: Gate
    init(_ isEnding: Gate, _ mayEnd: Gate) {
      self.isEnding = isEnding
      self.mayEnd = mayEnd
    }
    func get(for context: StorageContext) -> B? { nil }
    func set(_ product: B, for context: StorageContext) {
      isEnding.open()
      mayEnd.wait()
    }
    func release() {}
  }

  func testAnActionThatIsPutOffTooLateIsNotForgotten() throws {
    let tracker = tracker
    let container = Container()
    let isEnding = Gate()
    let mayEnd = Gate()
    let isDone = Gate()
    try container.register(C.self) { _ in C(tracker) }.as(.singleton)
      .afterInit { resolver, _ in
        isEnding.wait()
        _ = try resolver.resolve(B.self)
      }
    try container.register(B.self) { resolver in
      Thread.detachNewThread {
        _ = try? resolver.resolve(C.self)
        isDone.open()
      }
      return B(tracker)
    }.as(Slow(isEnding, mayEnd))
    let builder = JoinableThread { _ = try container.resolve(B.self) }
    isEnding.wait()
    Thread.sleep(forTimeInterval: 0.2)
    mayEnd.open()
    try builder.join().get()
    assertEnds { _ = try? container.resolve(C.self) }
  }

  /// Asynchronous actions that were postponed until the end of a synchronous factory were left out.
  func testAsynchronousActionsPutOffForASynchronousFactoryAreNotLeftOut() throws {
    let tracker = tracker
    let container = Container()
    let runs = AtomicCounter()
    let lent = Gate()
    try container.register(C.self) { _ in C(tracker) }.as(.singleton)
      .afterInit { (resolver: Resolver, _: C) async throws in
        _ = try await resolver.resolveAsync(B.self)
        runs.add()
      }
    try container.register(B.self) { resolver in
      Task {
        _ = try? await resolver.resolveAsync(C.self)
        lent.open()
      }
      lent.wait()
      return B(tracker)
    }.as(.singleton)
    assertEnds { _ = try? container.resolve(B.self) }
    let isServed = Flag()
    assertEndsAsync {
      if (try? await container.resolveAsync(C.self)) != nil { isServed.isSet = true }
    }
    XCTAssertTrue(!isServed.isSet || runs.value >= 1, "C's action never ran to its end")
  }

  /// Each generation of a service is built in a task that the one before has started: its
  /// construction held that of the one before, and so on.
  func testGenerationsThatStartEachOtherDoNotHoldEachOther() throws {
    try XCTSkipIf(isSanitized, "sanitizers keep freed memory")
    let container = Container()
    let generations = 20_000
    let count = AtomicCounter()
    let end = Gate()
    try container.registerAsync(Int.self) { resolver in
      let number = count.add()
      Task {
        if number == generations {
          end.open()
        } else {
          container.release(Int.self)
          _ = try await container.resolveAsync(Int.self)
        }
      }
      return number
    }.as(.singleton)
    assertMemoryInUse(growsByAtMost: 64 * generations) {
      Task { _ = try await container.resolveAsync(Int.self) }
      end.wait()
    }
  }

  /// The old instance of a time-limited singleton stayed until something else was retired.
  func testARefreshLetsTheOldInstanceGo() throws {
    let tracker = tracker
    let container = Container()
    try container.register(X.self) { _ in X(tracker) }
      .as(.cached(for: .zero, whileRefreshing: .serveStale))
    for _ in 0..<10 { _ = try container.resolve(X.self) }
    XCTAssertEqual(tracker.alive, 1)
  }
}
