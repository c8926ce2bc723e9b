// SPDX-License-Identifier: MIT

import CCorinth
import CTestSupport
import Foundation
import Synchronization
import TestSupport
import XCTest

/// Striped counters, used from many threads.
final class CounterTests: XCTestCase {
  // SAFETY: a counter is thread-safe by the contract of corinth_counter.h, and freed by the test's
  // end.
  @safe
  private struct Counter: @unchecked Sendable {
    let pointer: UnsafeMutablePointer<corinth_counter>

    init() { unsafe pointer = corinth_counter_create()! }
    func begin() { unsafe corinth_counter_begin(pointer) }
    func end() { unsafe corinth_counter_end(pointer) }
    var unfinished: UInt64 { unsafe corinth_counter_unfinished(pointer) }
    func hold() -> Bool { unsafe corinth_counter_hold(pointer) }
    func letGo() -> Bool { unsafe corinth_counter_let_go(pointer) }
    func close() -> UInt64 { unsafe corinth_counter_close(pointer) }
    func endClosing() -> Bool { unsafe corinth_counter_end_closing(pointer) }
    func destroy() { unsafe corinth_counter_destroy(pointer) }
  }

  func testWhatHasNotEndedIsCounted() {
    let counter = Counter()
    defer { counter.destroy() }
    XCTAssertEqual(counter.unfinished, 0)
    counter.begin()
    counter.begin()
    XCTAssertEqual(counter.unfinished, 2)
    counter.end()
    XCTAssertEqual(counter.unfinished, 1)
    counter.end()
    XCTAssertEqual(counter.unfinished, 0)
  }

  /// More threads at once than the first two levels have stripes.
  func testWhatBeginsOnOneThreadMayEndOnAnother() throws {
    let counter = Counter()
    defer { counter.destroy() }
    let (threads, turns) = (40, StressSize.scaled(1000))
    let arrival = Barrier(threads)
    try onThreads(threads) { index in
      for _ in 0..<turns { counter.begin() }
      arrival.wait()
      if index % 2 == 0 { for _ in 0..<turns * 2 { counter.end() } }
    }
    XCTAssertEqual(counter.unfinished, 0)
  }

  func testCountersAreIndependent() throws {
    let counters = (0..<3).map { _ in Counter() }
    for index in [1, 0, 2] {
      for _ in 0...index { counters[index].begin() }
    }
    counters[1].destroy()
    XCTAssertEqual(counters[0].unfinished, 1)
    XCTAssertEqual(counters[2].unfinished, 3)
    counters[0].destroy()
    counters[2].destroy()
  }

  /// Something is unfinished at every moment, handed from thread to thread: the ends must be read
  /// before the beginnings.
  func testAReaderNeverMissesWhatIsUnfinishedAtEveryMoment() throws {
    let counter = Counter()
    defer { counter.destroy() }
    let isOver = AtomicCounter()
    let turn = AtomicCounter()
    let turns = StressSize.scaled(20_000)
    counter.begin()
    let missed = try onThreads(3) { index in
      if index == 2 {
        var missed = 0
        while isOver.value == 0 { if counter.unfinished == 0 { missed += 1 } }
        return missed
      }
      for each in 0..<turns {
        while turn.value < each * 2 + index { sched_yield() }
        // The one of the thread before ends only now.
        counter.begin()
        counter.end()
        turn.add()
      }
      isOver.add()
      return 0
    }
    XCTAssertEqual(missed.max(), 0)
    XCTAssertEqual(counter.unfinished, 1)
  }

  /// Of a thread that counts and loads a flag, and a reader that sets the flag and counts, one must
  /// see the other.
  ///
  /// Without the heavy barrier both miss each other in some of the rounds: the processor still
  /// keeps the count to itself, behind stores to memory that is not at hand.
  func testTheBarriersOrderACountBeforeTheLoadBehindIt() throws {
    let counter = Counter()
    defer { counter.destroy() }
    let (start, end, flag) = (SpinningBarrier(), SpinningBarrier(), AtomicFlag())
    let rounds = StressSize.scaled(20_000, sanitized: 2_000)
    let outcomes = try onThreads(2) { index in
      let memory = DistantMemory()
      var seen: [Bool] = []
      for round in 0..<rounds {
        start.wait(round)
        if index == 0 {
          memory.write(round)
          counter.begin()
          seen.append(flag.word.load(ordering: .relaxed))
        } else {
          flag.word.store(true, ordering: .relaxed)
          corinth_barrier_heavy()
          seen.append(counter.unfinished == 1)
        }
        end.wait(round)
        if index == 0 {
          counter.end()
          flag.word.store(false, ordering: .relaxed)
        }
      }
      return seen
    }
    let missed = zip(outcomes[0], outcomes[1]).count { !$0 && !$1 }
    XCTAssertEqual(missed, 0)
  }

  // MARK: - Holds

  func testTheLastHoldIsToldOnceTheCounterIsClosed() {
    let counter = Counter()
    defer { counter.destroy() }
    for _ in 0..<3 { XCTAssertTrue(counter.hold()) }
    XCTAssertFalse(counter.letGo())
    XCTAssertEqual(counter.close(), 2)
    XCTAssertFalse(counter.hold())
    XCTAssertFalse(counter.letGo(), "the closing has not ended")
    XCTAssertEqual(counter.close(), 1)
    XCTAssertFalse(counter.endClosing())
    XCTAssertEqual(counter.close(), 0)
    XCTAssertTrue(counter.letGo())
  }

  func testWhoEndsTheClosingIsTheLastIfAllHoldsHaveEnded() {
    let counter = Counter()
    defer { counter.destroy() }
    XCTAssertTrue(counter.hold())
    XCTAssertEqual(counter.close(), 1)
    XCTAssertFalse(counter.letGo())
    XCTAssertTrue(counter.endClosing())
  }

  func testNothingIsHeldAfterAsManyEndsAsBeginningsOnAnyThreads() throws {
    let counter = Counter()
    defer { counter.destroy() }
    let threads = 40
    let arrival = Barrier(threads)
    let told = try onThreads(threads) { index in
      if index % 2 == 0 { for _ in 0..<100 { _ = counter.hold() } }
      arrival.wait()
      return index % 2 == 0 ? 0 : (0..<100).count { _ in counter.letGo() }
    }
    XCTAssertEqual(told.max(), 0)
    XCTAssertEqual(counter.close(), 0)
  }

  /// Threads without a stripe get one after the closing.
  func testOneOfManyIsToldThatItIsTheLast() throws {
    let threads = 12
    for round in 0..<StressSize.scaled(500) {
      let counter = Counter()
      defer { counter.destroy() }
      for _ in 1..<threads { _ = counter.hold() }
      let (other, arrival) = (Counter(), Barrier(threads))
      defer { other.destroy() }
      let told = try onThreads(threads) { index in
        // Each has a place of its own, of which this counter has no stripe.
        other.begin()
        arrival.wait()
        for _ in 0..<(round &* 31 &+ index &* 17) % 32 { sched_yield() }
        if index > 0 { return counter.letGo() }
        return counter.close() == 0 || counter.endClosing()
      }
      XCTAssertEqual(told.count { $0 }, 1)
    }
  }

  /// A thread may be cancelled within the end of a hold.
  func testNobodyWaitsForAThreadThatHasEndedWithinAnEnd() throws {
    let counter = Counter()
    defer { counter.destroy() }
    _ = try onThreads(1) { _ in unsafe corinth_test_stop_within_end(counter.pointer) }
    XCTAssertTrue(counter.hold())
    XCTAssertEqual(counter.close(), 1)
  }

  func testHoldsOutliveAFork() {
    let counter = Counter()
    defer { counter.destroy() }
    XCTAssertTrue(counter.hold())
    assertSucceedsInAChild {
      guard counter.close() == 1, !counter.endClosing() else { return 1 }
      return counter.letGo() ? 0 : 2
    }
    XCTAssertFalse(counter.letGo())
    XCTAssertEqual(counter.close(), 0)
  }

  func testWeakAndUnownedReferencesAreSeen() {
    final class Plain {}
    func isObserved(_ object: Plain) -> Bool {
      unsafe corinth_object_is_observed(Unmanaged.passUnretained(object).toOpaque())
    }
    let object = Plain()
    let others = [object, object]
    XCTAssertFalse(isObserved(object))
    do {
      let read = { [unowned object] in _ = object }
      XCTAssertTrue(isObserved(object))
      read()
    }
    XCTAssertFalse(isObserved(object))
    weak let found = object
    XCTAssertNotNil(found)
    XCTAssertTrue(isObserved(object))
    withExtendedLifetime(others) {}
  }

  // MARK: - Forks

  func testAChildCountsAnew() {
    let counter = Counter()
    defer { counter.destroy() }
    counter.begin()
    assertSucceedsInAChild {
      guard counter.unfinished == 0 else { return 1 }
      counter.begin()
      guard counter.unfinished == 1 else { return 3 }
      counter.end()
      return counter.unfinished == 0 ? 0 : 4
    }
    XCTAssertEqual(counter.unfinished, 1)
  }
}

private final class AtomicFlag: Sendable {
  let word = Atomic<Bool>(false)
}

/// Lets two threads go on within nanoseconds of each other.
private final class SpinningBarrier: Sendable {
  private let arrived = Atomic<Int>(0)

  /// - Parameter round: counted from 0.
  func wait(_ round: Int) {
    arrived.add(1, ordering: .sequentiallyConsistent)
    var turns = 0
    while arrived.load(ordering: .sequentiallyConsistent) < 2 * (round + 1) {
      turns += 1
      if turns % 10_000 == 0 { sched_yield() }
    }
  }
}

/// Memory that no cache holds.
@safe
private final class DistantMemory {
  // SAFETY: allocated here, freed in the deinit, and used by one thread.
  private let bytes = UnsafeMutablePointer<UInt8>.allocate(capacity: size)
  private static let size = 1 << 25

  init() {
    unsafe bytes.initialize(repeating: 0, count: Self.size)
  }

  func write(_ round: Int) {
    for line in 0..<16 {
      let page = round &* 7919 &+ line &* 104_729
      unsafe bytes[page &* 4096 & (Self.size - 1)] = UInt8(truncatingIfNeeded: round)
    }
  }

  deinit {
    unsafe bytes.deallocate()
  }
}
