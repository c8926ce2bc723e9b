// SPDX-License-Identifier: MIT

import Corinth
import Foundation
import TestSupport
import XCTest

/// Closings in a disposer or factory that wait for several constructions, one after another. A
/// factory among them closes the container around: the call returns at once, whichever construction
/// the inner closing waits for at the time.
final class NestedClosingCycleTests: StressTestCase {
  private final class A: Tracked, @unchecked Sendable {}
  private final class B: Tracked, @unchecked Sendable {}
  private final class C: Tracked, @unchecked Sendable {}
  private let tracker = LifetimeTracker()

  /// Long enough for another thread or task to begin its wait: nothing tells when it has.
  private static func letOthersWait() { usleep(100_000) }

  /// Whether `flag` is set in time, with the other construction still under way.
  private func isSetInTime(_ flag: Flag) -> Bool {
    let deadline = ContinuousClock.now + .seconds(5)
    while !flag.isSet, ContinuousClock.now < deadline { usleep(1000) }
    return flag.isSet
  }

  /// The inner container's instances: the one that closes `outer`, and the one that lasts.
  private struct Inner: Sendable {
    let container = Container()
    let isClosingBuilt = Gate()
    let isLastingBuilt = Gate()
    let mayClose = Gate()
    let mayEnd = Gate()
    let hasReturned = Flag()
    let disposed = AtomicCounter()

    /// - Parameter lastsFirst: whether the lasting one is registered first.
    init(_ tracker: LifetimeTracker, closing outer: Container, lastsFirst: Bool) throws {
      let (isClosingBuilt, isLastingBuilt) = (isClosingBuilt, isLastingBuilt)
      let (mayClose, mayEnd) = (mayClose, mayEnd)
      let (hasReturned, disposed, container) = (hasReturned, disposed, container)
      func registerLasting() throws {
        try container.register(B.self) { _ in
          isLastingBuilt.open()
          mayEnd.wait()
          return B(tracker)
        }.as(.singleton).onDispose { (_: B) in disposed.add() }
      }
      if lastsFirst { try registerLasting() }
      try container.register(A.self) { _ in
        isClosingBuilt.open()
        mayClose.wait()
        try outer.syncClose()
        hasReturned.isSet = true
        return A(tracker)
      }.as(.singleton).onDispose { (_: A) in disposed.add() }
      if !lastsFirst { try registerLasting() }
    }

    /// Begins both constructions.
    func build() -> [JoinableThread<Void>] {
      let container = container
      let threads = [
        JoinableThread { _ = try container.resolve(A.self) },
        JoinableThread { _ = try container.resolve(B.self) },
      ]
      isClosingBuilt.wait()
      isLastingBuilt.wait()
      return threads
    }

    /// Waits for the beginning of the inner closing's wait.
    func waitUntilClosing() {
      while !container.isClosed { sched_yield() }
      letOthersWait()
    }
  }

  private func check(
    _ inner: Inner, _ threads: [JoinableThread<Void>], _ part: String
  ) throws {
    inner.waitUntilClosing()
    inner.mayClose.open()
    XCTAssertTrue(isSetInTime(inner.hasReturned), "\(part): the close in the factory waits")
    inner.mayEnd.open()
    assertEnds { for each in threads { try each.join().get() } }
    XCTAssertEqual(inner.disposed.value, 2, part)
  }

  func testADisposerOnAThreadClosesAContainerWithTwoConstructions() throws {
    for lastsFirst in [true, false] {
      let (tracker, outer) = (tracker, Container())
      let inner = try Inner(tracker, closing: outer, lastsFirst: lastsFirst)
      let innerContainer = inner.container
      try outer.register(C.self) { _ in C(tracker) }.as(.singleton).onDispose { (_: C) in
        try innerContainer.syncClose()
      }
      _ = try outer.resolve(C.self)
      var threads = inner.build()
      threads.append(JoinableThread { try outer.syncClose() })
      try check(inner, threads, "lasts first: \(lastsFirst)")
    }
  }

  func testADisposerInATaskClosesAContainerWithTwoConstructions() throws {
    for lastsFirst in [true, false] {
      let (tracker, outer) = (tracker, Container())
      let inner = try Inner(tracker, closing: outer, lastsFirst: lastsFirst)
      let innerContainer = inner.container
      try outer.register(C.self) { _ in C(tracker) }.as(.singleton).onDispose {
        (_: C) async throws in
        try await innerContainer.close()
      }
      _ = try outer.resolve(C.self)
      var threads = inner.build()
      let end = Gate()
      Task {
        try? await outer.close()
        end.open()
      }
      threads.append(JoinableThread { end.wait() })
      try check(inner, threads, "lasts first: \(lastsFirst)")
    }
  }

  func testAFactoryOnAThreadClosesAContainerWithTwoConstructions() throws {
    for lastsFirst in [true, false] {
      let (tracker, outer) = (tracker, Container())
      let inner = try Inner(tracker, closing: outer, lastsFirst: lastsFirst)
      let innerContainer = inner.container
      let (isBuilding, mayCloseInner) = (Gate(), Gate())
      try outer.register(C.self) { _ in
        isBuilding.open()
        mayCloseInner.wait()
        try innerContainer.syncClose()
        return C(tracker)
      }.as(.singleton).onDispose { (_: C) in }
      var threads = inner.build()
      threads.append(JoinableThread { _ = try outer.resolve(C.self) })
      isBuilding.wait()
      threads.append(JoinableThread { try outer.syncClose() })
      while !outer.isClosed { sched_yield() }
      Self.letOthersWait()
      mayCloseInner.open()
      try check(inner, threads, "lasts first: \(lastsFirst)")
    }
  }

  /// All waits are the library's: the lasting construction waits, in a drain, for a scope. The work
  /// of the scope resolves the construction that closes.
  func testTheLastingConstructionDrainsAScopeThatNeedsTheOther() throws {
    for lastsFirst in [true, false] {
      let (tracker, disposed) = (tracker, AtomicCounter())
      let (outer, inner, drained) = (Container(), Container(), Container())
      let (isClosingBuilt, isLastingBuilt) = (AsyncGate(), AsyncGate())
      let (mayClose, mayDrain) = (AsyncGate(), AsyncGate())
      let hasReturned = Flag()
      func registerLasting() throws {
        try inner.registerAsync(B.self) { _ in
          isLastingBuilt.open()
          await mayDrain.wait()
          try? await drained.shutdown(draining: .seconds(30))
          return B(tracker)
        }.as(.singleton).onDispose { (_: B) in disposed.add() }
      }
      if lastsFirst { try registerLasting() }
      try inner.registerAsync(A.self) { _ in
        isClosingBuilt.open()
        await mayClose.wait()
        try await outer.close()
        hasReturned.isSet = true
        return A(tracker)
      }.as(.singleton).onDispose { (_: A) in disposed.add() }
      if !lastsFirst { try registerLasting() }
      try outer.register(C.self) { _ in C(tracker) }.as(.singleton).onDispose {
        (_: C) async throws in
        try await inner.close()
      }
      _ = try outer.resolve(C.self)
      let end = Gate()
      let begin = ContinuousClock.now
      Task {
        async let closing: Void = drained.withScope { _ in
          _ = try? await inner.resolveAsync(A.self)
        }
        await isClosingBuilt.wait()
        async let lasting: B? = try? await inner.resolveAsync(B.self)
        await isLastingBuilt.wait()
        mayDrain.open()
        try? await Task.sleep(for: .milliseconds(100))
        async let outerClosing: Void? = try? await outer.close()
        while !inner.isClosed { await Task.yield() }
        try? await Task.sleep(for: .milliseconds(100))
        mayClose.open()
        _ = try? await closing
        _ = await (lasting, outerClosing)
        end.open()
      }
      end.wait()
      XCTAssertTrue(hasReturned.isSet, "lasts first: \(lastsFirst)")
      XCTAssertLessThan(begin.duration(to: .now), .seconds(10), "lasts first: \(lastsFirst)")
      XCTAssertEqual(disposed.value, 2)
    }
  }

  // MARK: - A closing's task without a thread

  private static func closeOnThread(_ container: Container) throws { try container.syncClose() }

  private final class Held: Tracked, @unchecked Sendable {}
  private final class Lender: Tracked, @unchecked Sendable {}

  /// Factories on all threads of the pool wait for a closing that waits, through a held instance,
  /// for a lender which closes the factories' container. The task of that closing has no thread
  /// before the factories go on.
  func testTheWaitsOfAClosingWhoseTaskHasNoThreadYet() throws {
    let (tracker, disposed) = (tracker, AtomicCounter())
    let (root, outer, inner) = (Container(), Container(), Container())
    let (isHeld, isLastBuilt) = (Gate(), Gate())
    let (mayClose, mayCloseLast) = (AsyncGate(), AsyncGate())
    try root.registerAsync(Lender.self) { _ in Lender(tracker) }.as(.singleton)
      .afterInit { resolver, _ async throws in
        _ = try await resolver.resolveAsync(Held.self)
        isHeld.open()
        await mayClose.wait()
        mayCloseLast.open()
        try await outer.close()
      }
    try root.register(Held.self) { _ in Held(tracker) }.as(.singleton)
      .afterInit { resolver, _ in _ = try resolver.resolve(Lender.self) }
    try inner.register(C.self) { _ in C(tracker) }.as(.singleton).onDispose { (_: C) in
      _ = try root.resolve(Held.self)
      disposed.add()
    }
    _ = try inner.resolve(C.self)
    let blocked = ProcessInfo.processInfo.activeProcessorCount - 1
    for index in 0..<blocked {
      try outer.register(A.self, name: Name(index)) { _ in
        try inner.syncClose()
        return A(tracker)
      }.as(.singleton).onDispose { (_: A) in disposed.add() }
    }
    try outer.registerAsync(B.self) { _ in
      isLastBuilt.open()
      await mayCloseLast.wait()
      try Self.closeOnThread(inner)
      return B(tracker)
    }.as(.singleton).onDispose { (_: B) in disposed.add() }

    let (lenderEnd, lastEnd) = (Gate(), Gate())
    Self.inTask(lenderEnd) { _ = try await root.resolveAsync(Lender.self) }
    isHeld.wait()
    let closing = JoinableThread { try inner.syncClose() }
    while !inner.isClosed { sched_yield() }
    Self.letOthersWait()
    Self.inTask(lastEnd) { _ = try await outer.resolveAsync(B.self) }
    isLastBuilt.wait()
    for index in 0..<blocked { Self.resolveInTask(index, from: outer) }
    Self.letOthersWait()
    mayClose.open()
    lenderEnd.wait()
    lastEnd.wait()
    assertEnds { try closing.join().get() }
    XCTAssertEqual(disposed.value, blocked + 2)
  }

  private static func inTask(_ end: Gate, _ body: @escaping @Sendable () async throws -> Void) {
    Task.detached {
      try? await body()
      end.open()
    }
  }

  private static func resolveInTask(_ index: Int, from container: Container) {
    Task.detached { try? resolve(index, from: container) }
  }

  private static func resolve(_ index: Int, from container: Container) throws {
    _ = try container.resolve(A.self, name: Name(index))
  }
}
