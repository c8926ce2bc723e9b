// SPDX-License-Identifier: MIT

import Corinth
import CorinthTimeline
import TestSupport
import XCTest

/// Forks while other threads hold locks of objects: those of a reloadable container, a timeline, a
/// wait.
///
/// Each was a `Mutex`, which no fork handler knew: the child found it locked by a thread that is
/// not there, and trapped.
final class ForkedLockTests: ForkTestCase {
  private final class Service: Sendable {}

  /// Forks while two threads run `body` in a loop. The child runs it, too.
  private func forkBeside(_ body: @escaping @Sendable () throws -> Void) throws {
    try body()
    let isOver = AtomicCounter()
    let threads = (0..<2).map { _ in
      JoinableThread { while isOver.value == 0 { try body() } }
    }
    defer {
      isOver.add()
      for thread in threads { thread.joinWithoutResult() }
    }
    for _ in 0..<StressSize.scaled(100) { try ForkedChild(body).checkSuccess() }
  }

  func testAForkBesideAReloadableContainer() throws {
    let container = makeContainer()
    try container.register(Service.self, scope: .singleton) { _ in Service() }
    let reloadable = ReloadableContainer(container)
    try forkBeside {
      // Behaviors are added to all versions.
      container.recordDependencies().stop()
      _ = try reloadable.current.resolve(Service.self)
    }
  }

  func testAForkBesideATimeline() throws {
    let container = makeContainer()
    try container.register(Service.self) { _ in Service() }
    let timeline = Timeline(of: container)
    try forkBeside {
      _ = try container.resolve(Service.self)
      _ = timeline.omittedEntries
    }
    timeline.stop()
  }

  /// A construction that others wait for makes a latch for each of them.
  func testAForkBesideWaits() throws {
    let container = makeContainer()
    try container.register(Service.self, scope: .weak) { _ in
      for _ in 0..<20 { _ = try container.resolve(Int.self) }
      return Service()
    }
    try container.register(Int.self) { _ in 1 }
    try forkBeside { _ = try container.resolve(Service.self) }
  }
}
