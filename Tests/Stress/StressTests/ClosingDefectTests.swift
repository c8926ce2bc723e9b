// SPDX-License-Identifier: MIT

import Corinth
import Foundation
import TestSupport
import XCTest

/// Faults that closing once had, each with its story.
final class ClosingDefectTests: StressTestCase {
  private class Node: Tracked, @unchecked Sendable {
    // SAFETY: only written before the instance is seen by another thread.
    var others: [Any] = []
  }
  private final class A: Node, @unchecked Sendable {}
  private final class B: Node, @unchecked Sendable {}

  private let tracker = LifetimeTracker()

  /// A synchronous close looked whether instances had an asynchronous disposer, but not at those
  /// still being built, waited for these, and then left their disposers out.
  func testASynchronousCloseDoesNotForgetTheDisposerOfWhatIsBeingBuilt() throws {
    let tracker = tracker
    let container = Container()
    let isBuilding = Gate()
    let mayEnd = Gate()
    let disposed = AtomicCounter()
    try container.register(A.self) { _ in
      isBuilding.open()
      mayEnd.wait()
      return A(tracker)
    }.as(.scoped)
      .onDispose { (_: A) async in _ = disposed.add() }
    let scope = container.makeScope()
    let builder = JoinableThread { _ = try scope.resolve(A.self) }
    isBuilding.wait()
    let openedDuring = JoinableThread {
      Thread.sleep(forTimeInterval: 0.2)
      mayEnd.open()
    }
    var isRefused = false
    do { try scope.syncClose() } catch { isRefused = true }
    _ = openedDuring.join()
    try builder.join().get()
    XCTAssertTrue(isRefused || disposed.value == 1, "neither refused nor disposed of")
  }

  /// Whoever closes second waits for the first: not when the first had already emptied the slots.
  func testTheSecondCloseWaitsForTheFirst() throws {
    let tracker = tracker
    let root = Container()
    let scope = root.makeScope()
    let isDisposing = Gate()
    let mayEnd = Gate()
    let isDisposed = Flag()
    try scope.register(A.self) { _ in A(tracker) }.as(.singleton)
      .onDispose { (_: A) async throws in
        isDisposing.open()
        mayEnd.wait()
        isDisposed.isSet = true
      }
    _ = try scope.resolve(A.self)
    Task { try await scope.close() }
    isDisposing.wait()
    let early = Flag()
    let done = Gate()
    Task {
      try await scope.close()
      if !isDisposed.isSet { early.isSet = true }
      done.open()
    }
    Thread.sleep(forTimeInterval: 0.3)
    mayEnd.open()
    done.wait()
    XCTAssertFalse(early.isSet)
  }

  /// A scope's dependencies were disposed of while a factory without disposers of its own was using
  /// them.
  func testCloseWaitsForWhatHasNoDisposers() throws {
    let tracker = tracker
    let container = Container()
    let isBuilding = Gate()
    let mayEnd = Gate()
    let isBuilt = Flag()
    let early = Flag()
    try container.register(A.self) { _ in A(tracker) }.as(.scoped)
      .onDispose { (_: A) in if !isBuilt.isSet { early.isSet = true } }
    try container.register(B.self) { resolver in
      let b = B(tracker)
      b.others = [try resolver.resolve(A.self)]
      isBuilding.open()
      mayEnd.wait()
      isBuilt.isSet = true
      return b
    }.as(.scoped)
    let scope = container.makeScope()
    let builder = JoinableThread { _ = try scope.resolve(B.self) }
    isBuilding.wait()
    let openedDuring = JoinableThread {
      Thread.sleep(forTimeInterval: 0.2)
      mayEnd.open()
    }
    try scope.syncClose()
    _ = openedDuring.join()
    try builder.join().get()
    XCTAssertFalse(early.isSet, "A was disposed of in the middle of B's factory")
  }

  /// A factory whose instance a closing waits for closes the container itself: each waited for the
  /// other.
  func testAFactoryThatClosesAScopeBeingClosedDoesNotWaitForItself() throws {
    let tracker = tracker
    let container = Container()
    let isBuilding = Gate()
    let isClosing = Gate()
    let scope = container.makeScope()
    try container.registerAsync(A.self) { _ in
      isBuilding.open()
      isClosing.wait()
      try? await scope.close()
      return A(tracker)
    }.as(.scoped)
      .onDispose { (_: A) in }
    Task { _ = try await scope.resolveAsync(A.self) }
    isBuilding.wait()
    assertEndsAsync {
      let closing = Task { try? await scope.close() }
      while !scope.isClosed { await Task.yield() }
      isClosing.open()
      await closing.value
    }
  }

  /// Two containers each have a disposer that closes the other.
  func testTwoContainersThatCloseEachOtherDoNotWaitForEver() throws {
    let tracker = tracker
    let first = Container()
    let second = Container()
    let barrier = Barrier(2)
    try first.register(A.self) { _ in A(tracker) }.as(.singleton).onDispose { (_: A) async in
      barrier.wait()
      try? await second.close()
    }
    try second.register(A.self) { _ in A(tracker) }.as(.singleton).onDispose { (_: A) async in
      barrier.wait()
      try? await first.close()
    }
    _ = try first.resolve(A.self)
    _ = try second.resolve(A.self)
    assertEndsAsync {
      async let one: Void? = try? await first.close()
      async let two: Void? = try? await second.close()
      _ = await (one, two)
    }
  }

  /// A closer that came second returned before the disposers had run, unless both were asynchronous
  /// and there was something to await.
  func testTheSecondCloserWaitsForTheFirstWhicheverWaysTheyClose() throws {
    let tracker = tracker
    for first in Closer.allCases {
      for second in Closer.allCases {
        let (container, isDisposing, mayEnd) = (Container(), Gate(), Gate())
        let (isDisposed, early) = (Flag(), Flag())
        try container.register(A.self) { _ in A(tracker) }.as(.singleton).onDispose { (_: A) in
          isDisposing.open()
          mayEnd.wait()
          isDisposed.isSet = true
        }
        _ = try container.resolve(A.self)
        let firstEnd = first.close(container)
        isDisposing.wait()
        let secondEnd = second.close(container) { if !isDisposed.isSet { early.isSet = true } }
        // Long enough for the second one to begin its wait. If it does not, the test passes without
        // having tested.
        usleep(50_000)
        mayEnd.open()
        firstEnd.wait()
        secondEnd.wait()
        XCTAssertFalse(early.isSet, "\(second) after \(first)")
      }
    }
  }

  private enum Closer: CaseIterable {
    case thread
    case task
    case shutdown

    /// - Parameter body: runs when the container is closed, not when that is refused.
    /// - Returns: opens in the end.
    func close(_ container: Container, then body: @escaping @Sendable () -> Void = {}) -> Gate {
      let end = Gate()
      if self == .thread {
        Thread.detachNewThread {
          do {
            try container.syncClose()
            body()
          } catch CloseError.asyncCloseUnderWay {
            // True: the first one shuts the container down in a task.
          } catch {
            XCTFail("\(error)")
          }
          end.open()
        }
        return end
      }
      Task {
        do {
          if self == .task { try await container.close() } else { try await container.shutdown() }
          body()
        } catch { XCTFail("\(error)") }
        end.open()
      }
      return end
    }
  }

  /// A synchronous close may not block its thread for a task.
  func testASynchronousCloseIsRefusedWhileATaskCloses() throws {
    let tracker = tracker
    let (container, isDisposing, mayEnd) = (Container(), Gate(), AsyncGate())
    try container.register(A.self) { _ in A(tracker) }.as(.singleton).onDispose { (_: A) async in
      isDisposing.open()
      await mayEnd.wait()
    }
    _ = try container.resolve(A.self)
    let closing = Closer.task.close(container)
    isDisposing.wait()
    assertEnds {
      XCTAssertThrowsError(try container.syncClose()) { error in
        guard case CloseError.asyncCloseUnderWay = error else { return XCTFail("\(error)") }
      }
    }
    XCTAssertTrue(container.isClosed)
    mayEnd.open()
    closing.wait()
    XCTAssertNoThrow(try container.syncClose())
  }

  /// A synchronous close from an asynchronous disposer was told that the container keeps what is
  /// being disposed of.
  func testASynchronousCloseFromAnAsynchronousDisposerReturns() throws {
    let tracker = tracker
    let scope = Container().makeScope()
    let outcome = Shared<String>("")
    try scope.register(A.self) { _ in A(tracker) }.as(.scoped)
      .onDispose { [weak scope] (_: A) async in
        await Task.yield()
        outcome.value = "\(Result { try scope?.syncClose() })"
      }
    _ = try scope.resolve(A.self)
    assertEndsAsync { try await scope.close() }
    XCTAssertEqual(outcome.value, "success(Optional(()))")
  }

  /// An asynchronous close that had found nothing to await blocked its thread for a construction
  /// that began in between. Here the thread is the actor's, which the construction needs.
  func testAnAsynchronousCloseDoesNotBlockTheActorThatAConstructionNeeds() throws {
    let tracker = tracker
    let stage = Stage()
    for round in 0..<StressSize.scaled(200, sanitized: 50) {
      let scope = Container().makeScope()
      try scope.registerAsync(A.self) { _ in await stage.make { A(tracker) } }.as(.scoped)
      // The look for something to await takes a while.
      for name in 0..<200 {
        try scope.register(Int.self, name: Name(name), scope: .singleton) { _ in 0 }
          .onDispose { (_: Int) in }
      }
      let ready = AtomicCounter()
      @Sendable func meet() {
        ready.add()
        // Not for ever: there may be one thread for both.
        for _ in 0..<1000 where ready.value < 2 { sched_yield() }
      }
      assertEndsAsync {
        let resolving = Task.detached {
          meet()
          for _ in 0..<round % 50 { sched_yield() }
          _ = try? await scope.resolveAsync(A.self)
        }
        try await stage.close(scope, after: meet)
        await resolving.value
      }
    }
  }

  /// The task that ran a disposer within the time limit kept its instance a moment longer than the
  /// shutdown took.
  func testNoInstanceIsLeftWhenAShutdownHasReturned() throws {
    let tracker = tracker
    assertEndsAsync {
      for round in 0..<StressSize.scaled(1_000, sanitized: 100) {
        let container = Container()
        try container.register(A.self) { _ in A(tracker) }.as(.singleton)
          .onDispose { (_: A) async in await Task.yield() }
        _ = try container.resolve(A.self)
        if round % 2 == 0 { try await container.shutdown() } else { try await container.close() }
        if tracker.alive > 0 { return XCTFail("\(tracker.alive) left") }
      }
    }
  }

  /// A warm-up whose container was closed during the validation found nothing to build, and
  /// returned.
  func testAWarmUpBesideACloseBuildsOrThrows() throws {
    let tracker = tracker
    for round in 0..<StressSize.scaled(200, sanitized: 50) {
      let container = Container()
      // The validation takes a while.
      for name in 0..<100 { try container.register(Int.self, name: Name(name)) { _ in 0 } }
      let isBuilt = Flag()
      try container.register(A.self, scope: .singleton) { _ in
        isBuilt.isSet = true
        return A(tracker)
      }.eager()
      let start = Barrier(2)
      let closing = JoinableThread {
        start.wait()
        for _ in 0..<round % 50 { sched_yield() }
        try container.syncClose()
      }
      start.wait()
      do {
        try container.syncWarmUp(validating: true)
        XCTAssertTrue(isBuilt.isSet, "nothing was built in round \(round)")
      } catch {
        XCTAssertTrue("\(error)".contains("is closed"), "\(error)")
      }
      try closing.join().get()
    }
  }

  private actor Stage {
    func make(_ body: @Sendable () -> A) -> sending A { body() }
    func close(_ scope: Container, after meeting: @Sendable () -> Void) async throws {
      meeting()
      try await scope.close()
    }
  }
}
