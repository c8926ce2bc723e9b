// SPDX-License-Identifier: MIT

import Corinth
import Foundation
import TestSupport
import XCTest

/// Closings, constructions and their callers that wait for each other in a circle. The caller that
/// waits for a closing which waits for it returns; all disposers run.
final class ClosingCycleTests: StressTestCase {
  private final class A: Tracked, @unchecked Sendable {}
  private final class B: Tracked, @unchecked Sendable {}
  private let tracker = LifetimeTracker()

  /// Long enough for another thread or task to begin its wait: nothing tells when it has. If it has
  /// not, the test passes without having tested.
  private static func letOthersWait() { usleep(50_000) }

  // MARK: - Disposers

  func testDisposersOnTwoThreadsThatCloseEachOthersScopes() throws {
    let (tracker, disposed) = (tracker, AtomicCounter())
    let (first, second) = (Container(), Container())
    let barrier = Barrier(2)
    for (own, other) in [(first, second), (second, first)] {
      try own.register(A.self) { _ in A(tracker) }.as(.singleton).onDispose { (_: A) in
        barrier.wait()
        try other.syncClose()
        disposed.add()
      }
      _ = try own.resolve(A.self)
    }
    assertEnds {
      try onThreads(2) { index in try [first, second][index].syncClose() }
    }
    XCTAssertEqual(disposed.value, 2)
  }

  func testADisposerOnAThreadAndOneInATaskThatCloseEachOthersScopes() throws {
    let (tracker, disposed) = (tracker, AtomicCounter())
    let (first, second) = (Container(), Container())
    let (firstDisposes, secondDisposes) = (Gate(), Gate())
    try first.register(A.self) { _ in A(tracker) }.as(.singleton).onDispose { (_: A) in
      firstDisposes.open()
      secondDisposes.wait()
      // Refused while the task closes the other scope, and not blocked for it.
      do { try second.syncClose() } catch CloseError.asyncCloseUnderWay {}
      disposed.add()
    }
    try second.register(B.self) { _ in B(tracker) }.as(.singleton).onDispose {
      (_: B) async throws in
      secondDisposes.open()
      firstDisposes.wait()
      try await first.close()
      disposed.add()
    }
    _ = try first.resolve(A.self)
    _ = try second.resolve(B.self)
    let thread = JoinableThread { try first.syncClose() }
    assertEndsAsync { try await second.close() }
    assertEnds { try thread.join().get() }
    XCTAssertEqual(disposed.value, 2)
  }

  func testADisposerMayCloseTheScopeWhoseDisposerClosesItsOwn() throws {
    let (tracker, disposed) = (tracker, AtomicCounter())
    let (outer, inner) = (Container(), Container())
    for (own, other) in [(outer, inner), (inner, outer)] {
      try own.register(A.self) { _ in A(tracker) }.as(.singleton).onDispose { (_: A) in
        try other.syncClose()
        disposed.add()
      }
      _ = try own.resolve(A.self)
    }
    assertEnds { try outer.syncClose() }
    XCTAssertEqual(disposed.value, 2)
    XCTAssertTrue(inner.isClosed)
  }

  func testAnAsynchronousDisposerMayCloseTheScopeWhoseDisposerClosesItsOwn() throws {
    let (tracker, disposed) = (tracker, AtomicCounter())
    let (outer, inner) = (Container(), Container())
    for (own, other) in [(outer, inner), (inner, outer)] {
      try own.register(A.self) { _ in A(tracker) }.as(.singleton).onDispose { (_: A) async throws in
        try await other.close()
        try Self.closeOnThread(other)
        disposed.add()
      }
      _ = try own.resolve(A.self)
    }
    assertEndsAsync { try await outer.close() }
    XCTAssertEqual(disposed.value, 2)
    XCTAssertTrue(inner.isClosed)
  }

  /// In an asynchronous closure the name alone would be the asynchronous one.
  private static func closeOnThread(_ container: Container) throws { try container.syncClose() }

  // MARK: - Factories

  func testAFactoryThatClosesTheScopeAThreadIsClosingReturns() throws {
    let (tracker, disposed) = (tracker, AtomicCounter())
    let (isBuilding, scope) = (Gate(), Container())
    try scope.register(A.self) { _ in
      isBuilding.open()
      while !scope.isClosed { sched_yield() }
      Self.letOthersWait()
      try scope.syncClose()
      return A(tracker)
    }.as(.singleton).onDispose { (_: A) in disposed.add() }
    let builder = JoinableThread { _ = try scope.resolve(A.self) }
    isBuilding.wait()
    assertEnds { try scope.syncClose() }
    assertEnds { try builder.join().get() }
    XCTAssertEqual(disposed.value, 1)
  }

  /// A closing waits for a factory, that for another closing, and a disposer of this one closes the
  /// first scope.
  func testAFactoryBetweenTwoClosings() throws {
    for disposerWaitsLast in [true, false] {
      let (tracker, disposed) = (tracker, AtomicCounter())
      let (first, second) = (Container(), Container())
      let (isBuilding, isDisposing) = (Gate(), Gate())
      let (factoryMayClose, disposerMayClose) = (Gate(), Gate())
      try first.register(A.self) { _ in
        isBuilding.open()
        factoryMayClose.wait()
        try second.syncClose()
        return A(tracker)
      }.as(.singleton).onDispose { (_: A) in disposed.add() }
      try second.register(B.self) { _ in B(tracker) }.as(.singleton).onDispose { (_: B) in
        isDisposing.open()
        disposerMayClose.wait()
        try first.syncClose()
        disposed.add()
      }
      _ = try second.resolve(B.self)
      let closingSecond = JoinableThread { try second.syncClose() }
      let builder = JoinableThread { _ = try first.resolve(A.self) }
      isDisposing.wait()
      isBuilding.wait()
      let closingFirst = JoinableThread { try first.syncClose() }
      Self.letOthersWait()
      for gate in disposerWaitsLast
        ? [factoryMayClose, disposerMayClose] : [disposerMayClose, factoryMayClose]
      {
        gate.open()
        Self.letOthersWait()
      }
      assertEnds { for each in [closingFirst, closingSecond, builder] { try each.join().get() } }
      XCTAssertEqual(disposed.value, 2)
    }
  }

  // MARK: - Resolves in disposers

  /// A disposer resolves elsewhere an instance whose factory closes the scope that is being closed.
  func testADisposerThatWaitsForAFactoryThatWaitsForTheClosing() throws {
    for disposerWaitsLast in [true, false] {
      let (tracker, disposed) = (tracker, AtomicCounter())
      let (root, scope) = (Container(), Container())
      let (isBuilding, isDisposing) = (Gate(), Gate())
      let (factoryMayClose, disposerMayResolve) = (Gate(), Gate())
      try root.register(B.self) { _ in
        isBuilding.open()
        factoryMayClose.wait()
        try scope.syncClose()
        return B(tracker)
      }.as(.singleton)
      try scope.register(A.self) { _ in A(tracker) }.as(.singleton).onDispose { (_: A) in
        isDisposing.open()
        disposerMayResolve.wait()
        _ = try root.resolve(B.self)
        disposed.add()
      }
      _ = try scope.resolve(A.self)
      let closing = JoinableThread { try scope.syncClose() }
      isDisposing.wait()
      let builder = JoinableThread { _ = try root.resolve(B.self) }
      isBuilding.wait()
      for gate in disposerWaitsLast
        ? [factoryMayClose, disposerMayResolve] : [disposerMayResolve, factoryMayClose]
      {
        gate.open()
        Self.letOthersWait()
      }
      assertEnds { for each in [closing, builder] { try each.join().get() } }
      XCTAssertEqual(disposed.value, 1)
    }
  }

  func testAnAsynchronousDisposerThatWaitsForAFactoryThatWaitsForTheClosing() throws {
    for disposerWaitsLast in [true, false] {
      let (tracker, disposed) = (tracker, AtomicCounter())
      let (root, scope) = (Container(), Container())
      let (isBuilding, isDisposing) = (AsyncGate(), AsyncGate())
      let (factoryMayClose, disposerMayResolve) = (AsyncGate(), AsyncGate())
      try root.registerAsync(B.self) { _ in
        isBuilding.open()
        await factoryMayClose.wait()
        try await scope.close()
        return B(tracker)
      }.as(.singleton)
      try scope.register(A.self) { _ in A(tracker) }.as(.singleton)
        .onDispose { (_: A) async throws in
          isDisposing.open()
          await disposerMayResolve.wait()
          _ = try await root.resolveAsync(B.self)
          disposed.add()
        }
      _ = try scope.resolve(A.self)
      assertEndsAsync {
        let closing = Task { try await scope.close() }
        await isDisposing.wait()
        let building = Task { _ = try await root.resolveAsync(B.self) }
        await isBuilding.wait()
        for gate in disposerWaitsLast
          ? [factoryMayClose, disposerMayResolve] : [disposerMayResolve, factoryMayClose]
        {
          gate.open()
          try? await Task.sleep(for: .milliseconds(50))
        }
        for each in [closing, building] { try await each.value }
      }
      XCTAssertEqual(disposed.value, 1)
    }
  }
}
