// SPDX-License-Identifier: MIT

import CTestSupport
import Corinth
import Foundation
import TestSupport
import XCTest

/// Closings that are under way when the process forks. The child has one thread: a container that
/// another one was closing counts as closed there, and the parent alone disposes of its instances.
final class ClosingForkTests: ForkTestCase {
  private let tracker = LifetimeTracker()

  func testAContainerThatAnotherThreadIsClosingIsClosedInTheChild() throws {
    try waitForClosing()
    let tracker = tracker
    let (container, isDisposing, mayEnd) = (makeContainer(), Gate(), Gate())
    let disposed = AtomicCounter()
    for name in ["first", "second"] as [Name] {
      try container.register(Tracked.self, name: name, scope: .singleton) { _ in tracker.make() }
        .onDispose { _ in
          isDisposing.open()
          mayEnd.wait()
          disposed.add()
        }
      _ = try container.resolve(Tracked.self, name: name)
    }
    let open = makeContainer()
    try open.register(Tracked.self, scope: .singleton) { _ in tracker.make() }
      .onDispose { _ in disposed.add() }
    _ = try open.resolve(Tracked.self)
    let closers = (0..<2).map { _ in JoinableThread { try container.syncClose() } }
    defer { mayEnd.open() }
    isDisposing.wait()
    for _ in 0..<StressSize.scaled(10) {
      try ForkedChild {
        try expect(container.isClosed, "still open")
        do {
          _ = try container.resolve(Tracked.self, name: "first")
          try expect(false, "resolved")
        } catch ResolutionError.containerClosed {}
        try container.syncClose()
        try expect(disposed.value == 0, "the child has disposed of what the parent does")
        try open.syncClose()
        try expect(disposed.value == 1, "\(disposed.value) disposed of")
      }.checkSuccess()
    }
    mayEnd.open()
    for closer in closers { try closer.join().get() }
    XCTAssertEqual(disposed.value, 2)
    try open.syncClose()
    assertNoneLeft(tracker)
  }

  /// Waits for a closing from its own disposer, and from a second thread, before any fork: the
  /// Swift runtime makes generic types at the first wait, behind a lock that a child would await.
  private func waitForClosing() throws {
    let (container, isDisposing) = (makeContainer(), Gate())
    try container.register(Int.self, scope: .singleton) { _ in 1 }
      .onDispose { _ in
        isDisposing.open()
        try container.syncClose()
        usleep(20_000)
      }
    _ = try container.resolve(Int.self)
    let closer = JoinableThread { try container.syncClose() }
    isDisposing.wait()
    try container.syncClose()
    try closer.join().get()
  }

  /// Both processes go on with the closing: the disposer returns in each.
  func testAClosingGoesOnInTheChildThatItsDisposerForks() throws {
    let tracker = tracker
    let (container, isDisposing, mayFork) = (makeContainer(), Gate(), Gate())
    let disposed = AtomicCounter()
    let child = Shared<Int32>(-1)
    // A thread of the child waits for the closing, too.
    let childCloser = Shared<JoinableThread<Int>?>(nil)
    try container.register(Tracked.self, name: "last", scope: .singleton) { _ in tracker.make() }
      .onDispose { _ in disposed.add() }
    try container.register(Tracked.self, name: "first", scope: .singleton) { _ in tracker.make() }
      .onDispose { _ in
        isDisposing.open()
        mayFork.wait()
        child.value = corinth_test_fork_here()
        if child.value == 0 {
          let thread = JoinableThread {
            try container.syncClose()
            return disposed.value
          }
          childCloser.withValue { $0 = thread }
          usleep(20_000)
        }
        // A part of the closing, in either process.
        try container.syncClose()
        disposed.add()
      }
    for name in ["last", "first"] as [Name] {
      _ = try container.resolve(Tracked.self, name: name)
    }
    let closing = JoinableThread {
      let result = Result { try container.syncClose() }
      if child.value == 0 { Self.exit(result, disposed.value, childCloser.value) }
      try result.get()
    }
    isDisposing.wait()
    // It waits in the parent, and is not there in the child.
    let second = JoinableThread { try container.syncClose() }
    usleep(20_000)
    mayFork.open()
    try closing.join().get()
    try second.join().get()
    XCTAssertEqual(corinth_test_wait(child.value), 0, "in the child")
    XCTAssertEqual(disposed.value, 2)
  }

  /// The alarm and the threads of disposers are the parent's: the child makes its own.
  func testLimitsHoldInAChildThoughTheirThreadsStayInTheParent() throws {
    // Each round has a semaphore of its own: a disposer of the next round could take the signal for
    // a disposer that is left behind.
    @Sendable func shutDown(_ mayEnd: DispatchSemaphore) throws -> Int {
      let container = Container()
      for name in ["first", "second"] as [Name] {
        try container.register(Int.self, name: name, scope: .singleton) { _ in 1 }
          .onDispose { _ in mayEnd.wait() }
        _ = try container.resolve(Int.self, name: name)
      }
      return try OwnThread().run {
        do {
          try await container.shutdown(timeLimit: .milliseconds(10))
          return 0
        } catch CloseError.disposalFailed(let failures) { return failures.count }
      }
    }
    for _ in 0..<StressSize.scaled(10) {
      let mayEnd = DispatchSemaphore(value: 0)
      // Both disposers stay in their threads while the process forks.
      XCTAssertEqual(try shutDown(mayEnd), 2)
      try ForkedChild {
        try expect(try shutDown(mayEnd) == 2, "no limit held")
      }.checkSuccess()
      for _ in 0..<2 { mayEnd.signal() }
    }
  }

  /// Ends the child, with 0 if all disposers have run there before a closer returned.
  private static func exit(
    _ result: Result<Void, any Error>, _ disposed: Int, _ closer: JoinableThread<Int>?
  ) -> Never {
    if case .success = result, disposed == 2, case .success(2)? = closer?.join() { _exit(0) }
    _exit(1)
  }
}
