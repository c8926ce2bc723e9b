// SPDX-License-Identifier: MIT

import Corinth
import Foundation
import TestSupport
import XCTest

/// Releases of the instances for some arguments, with and without disposal, beside resolves that
/// build the instances.
final class ReleaseByValueStressTests: StressTestCase {
  private struct Failure: Error {}

  /// What has become of the instances, and what the releases have answered.
  private struct Outcome {
    var built = 0
    var disposed = 0
    var undisposed = 0
    /// How many releases without a disposal, and with one, answered that there was an instance.
    var answers = (plain: 0, disposing: 0)
  }

  private func race(everyOtherFails: Bool) async throws -> Outcome {
    let (container, tracker) = (Container(), LifetimeTracker())
    let (begun, disposed, undisposed) = (AtomicCounter(), AtomicCounter(), AtomicCounter())
    Container.onUndisposed = { undisposed.add($0.instances.count) }
    defer { Container.onUndisposed = nil }
    try container.register(Tracked.self, scope: .singleton) { (_, _: Int) in
      sched_yield()
      if everyOtherFails, begun.add().isMultiple(of: 2) { throw Failure() }
      return tracker.make()
    }.onDispose { _ in disposed.add() }
    let (rounds, values) = (StressSize.scaled(50_000, sanitized: 5_000), 3)
    let (barrier, resolving) = (Barrier(4), AtomicCounter(2))
    let resolvers = (0..<2).map { thread in
      JoinableThread {
        barrier.wait()
        for round in 0..<rounds {
          _ = try? container.resolve(Tracked.self, arguments: (round + thread) % values)
        }
        resolving.add(-1)
      }
    }
    let releaser = JoinableThread {
      barrier.wait()
      var found = 0
      while resolving.value > 0 {
        found += (0..<values).count { container.release(Tracked.self, arguments: $0) }
        sched_yield()
      }
      return found
    }
    var outcome = Outcome()
    barrier.wait()
    while resolving.value > 0 {
      for value in 0..<values
      where try await container.release(Tracked.self, arguments: value, disposing: true) {
        outcome.answers.disposing += 1
      }
    }
    for resolver in resolvers { try resolver.join().get() }
    outcome.answers.plain = try releaser.join().get()
    outcome.answers.plain += (0..<values).count {
      container.release(Tracked.self, arguments: $0)
    }
    try await container.shutdown()
    settleReclamation()
    XCTAssertEqual(tracker.alive, 0)
    (outcome.built, outcome.disposed) = (tracker.created, disposed.value)
    outcome.undisposed = undisposed.value
    return outcome
  }

  /// A release that met the construction and a release that met the instance just built both
  /// answered that there had been an instance. The mark of the one that had lost was then taken for
  /// the other's: what was to be disposed of was reported as undisposed.
  func testEachInstanceIsReleasedByOneCall() async throws {
    let outcome = try await race(everyOtherFails: false)
    XCTAssertEqual(outcome.answers.plain + outcome.answers.disposing, outcome.built)
    XCTAssertEqual(outcome.disposed, outcome.answers.disposing)
    XCTAssertEqual(outcome.undisposed, outcome.answers.plain)
  }

  /// A construction could begin where a release had left, after the construction before had failed:
  /// its instance never ended.
  func testEachInstanceBuiltAfterAFailureEndsOnce() async throws {
    let outcome = try await race(everyOtherFails: true)
    XCTAssertEqual(outcome.disposed + outcome.undisposed, outcome.built)
    // A release may have answered for a construction that failed afterwards.
    XCTAssertGreaterThanOrEqual(
      outcome.answers.plain + outcome.answers.disposing, outcome.built)
  }
}
