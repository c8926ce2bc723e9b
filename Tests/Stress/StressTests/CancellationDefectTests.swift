// SPDX-License-Identifier: MIT

import Corinth
import Foundation
import TestSupport
import XCTest

/// Faults that the cancellation of waiting tasks once had, each with its story.
final class CancellationDefectTests: StressTestCase {
  private final class Server: Part, @unchecked Sendable {}

  private let tracker = LifetimeTracker()

  /// Keeps the instance, and does something each time that it is asked for it: first in the search
  /// for an instance, then once more with the construction claimed.
  private final class Keeper: CustomStorage {
    private let calls = AtomicCounter()
    private let kept = Shared<Server?>(nil)
    private let body: @Sendable (Int) -> Void

    /// - Parameter body: receives the number of the call, from 1.
    init(_ body: @escaping @Sendable (Int) -> Void) {
      self.body = body
    }

    func get(for context: StorageContext) -> Server? {
      body(calls.add())
      return kept.value
    }

    func set(_ product: Server, for context: StorageContext) { kept.value = product }
    func release() { kept.value = nil }
  }

  /// The first task has claimed the construction, and has not begun to wait for it. A second one
  /// waits, and is cancelled: it seemed to be the last one to leave, so the construction was
  /// cancelled as soon as it began, and the first task got the `CancellationError` of the second.
  func testATaskIsNotCancelledByAnotherOneThatLeavesBeforeItHasBegunToWait() throws {
    let tracker = tracker
    let (isClaimed, mayGoOn) = (Gate(), Gate())
    let keeper = Keeper { call in
      guard call == 2 else { return }
      isClaimed.open()
      mayGoOn.wait()
    }
    do {
      let container = Container()
      try container.registerAsync(Server.self) { _ in
        try await Task.sleep(for: .milliseconds(20))
        return Server(tracker)
      }.as(keeper)
      let first = Task { try await container.resolveAsync(Server.self).serial }
      isClaimed.wait()
      // Begins on this thread, and waits when this returns.
      let second = Task(executorPreference: InlineExecutor()) {
        try await container.resolveAsync(Server.self).serial
      }
      second.cancel()
      mayGoOn.open()
      assertEndsAsync {
        let results = (await first.result, await second.result)
        XCTAssertEqual(try results.0.get(), 1)
        XCTAssertTrue(isCancellation(results.1), "\(results.1)")
      }
      keeper.release()
    }
    assertNoneLeftInTasks(tracker)
  }

  /// The second of two tasks is cancelled at each step of either: in the search for an instance,
  /// with the construction claimed, and in the factory. The first task got the `CancellationError`
  /// of the second at one of them.
  func testATaskNeverGetsTheCancellationOfAnotherOne() throws {
    let (tracker, strangers) = (tracker, AtomicCounter())
    for round in 0..<StressSize.scaled(1_000, sanitized: 200) {
      let (container, mayCancel, isCancelled, done) = (Container(), Gate(), Gate(), Gate())
      let step = 1 + round % 5
      try container.registerAsync(Server.self) { _ in
        mayCancel.open()
        try await Task.sleep(for: .microseconds(100))
        return Server(tracker)
      }.as(
        Keeper { call in
          guard call == step else { return }
          mayCancel.open()
          // In every second round the step goes on beside the cancellation.
          if round.isMultiple(of: 2) { isCancelled.wait() }
        })
      let tasks = (0..<2).map { _ in
        Task { try await container.resolveAsync(Server.self).serial }
      }
      // Not in a task: both of them need a thread of the pool meanwhile.
      mayCancel.wait()
      let (first, second) = (tasks[0], tasks[1])
      second.cancel()
      isCancelled.open()
      Task.detached {
        if isCancellation(await first.result) { strangers.add() }
        _ = await second.result
        done.open()
      }
      done.wait()
    }
    XCTAssertEqual(strangers.value, 0)
    assertNoneLeftInTasks(tracker)
  }

  // MARK: - Tasks that nobody wants

  private final class Handler: Part, @unchecked Sendable {}

  /// The factory of `Server` gets `Handler` early, and fails. `Handler`'s action waits for
  /// `Server`, and asks again when that has failed. Nobody waited for `Handler` any more, and its
  /// task went on: it began another `Server`, which began another `Handler`, without end.
  func testATaskThatOnlyAFailedConstructionWantedIsCancelled() {
    let tracker = tracker
    assertEndsAsync {
      let (container, runs, isOver) = (Container(), AtomicCounter(), AsyncGate())
      try container.registerAsync(Server.self, scope: .singleton) { resolver in
        if runs.add() < 20 {
          _ = try await resolver.container.resolveAsync(Handler.self)
        } else {
          isOver.open()
        }
        throw Refused()
      }
      try container.registerAsync(Handler.self, scope: .graph) { _ in Handler(tracker) }
        .afterInit { (resolver: Resolver, _: Handler) async throws in
          defer { isOver.open() }
          _ = try? await resolver.resolveAsync(Server.self)
          _ = try await resolver.resolveAsync(Server.self)
        }
      let result = await outcome { try await container.resolveAsync(Server.self).serial }
      XCTAssertThrowsError(try result.get())
      await isOver.wait()
      XCTAssertEqual(runs.value, 1)
    }
    assertNoneLeftInTasks(tracker)
  }

  private final class Log: Part, @unchecked Sendable {}

  /// `Server` has got `Handler` early, and waits for `Log`. `Handler` fails, and `Server` with it:
  /// its wait ends. Nobody waits for `Log` then. Its task went on, and could begin the same again.
  func testATaskThatOnlyADoomedConstructionWaitedForIsCancelled() {
    let tracker = tracker
    assertEndsAsync {
      let (container, hasBegun, hasEnded) = (Container(), AsyncGate(), AsyncGate())
      try container.registerAsync(Server.self, scope: .singleton) { resolver in
        let server = Server(tracker).noting(try await resolver.resolveAsync(Handler.self))
        return server.noting(try await resolver.resolveAsync(Log.self))
      }
      try container.registerAsync(Handler.self, scope: .singleton) { _ in Handler(tracker) }
        .afterInit { (resolver: Resolver, _: Handler) async throws in
          // The wait that gives `Server` this instance early.
          async let _ = resolver.resolveAsync(Server.self).serial
          await hasBegun.wait()
          throw Refused()
        }
      try container.registerAsync(Log.self, scope: .singleton) { _ in
        defer { hasEnded.open() }
        hasBegun.open()
        try await Task.sleep(for: .seconds(3_600))
        return Log(tracker)
      }
      let result = await outcome { try await container.resolveAsync(Server.self).serial }
      XCTAssertThrowsError(try result.get())
      await hasEnded.wait()
    }
    assertNoneLeftInTasks(tracker)
  }
}

private func isCancellation(_ result: Result<Int, any Error>) -> Bool {
  guard case .failure(let error) = result else { return false }
  return (error as? ResolutionError)?.underlyingError is CancellationError
}
