// SPDX-License-Identifier: MIT

import Corinth
import Foundation
import TestSupport
import XCTest

/// Deinits that use containers, of instances whose construction ends without them.
///
/// The last reference to such an instance was given up with the mutex of the wait-for graph held. A
/// deinit that resolved waited for the mutex that its own thread held, and with it every
/// construction of the process.
final class DeinitDefectTests: StressTestCase {
  private final class Other: Part, @unchecked Sendable {}
  private final class Lender: Part, @unchecked Sendable {}

  private let tracker = LifetimeTracker()

  /// An instance whose deinit runs user code.
  private final class Closed: Tracked, @unchecked Sendable {
    private let close: @Sendable () -> Void

    init(_ tracker: LifetimeTracker, _ close: @escaping @Sendable () -> Void) {
      self.close = close
      super.init(tracker)
    }

    deinit { close() }
  }

  /// What deinits do, by name. Each of them takes the mutex of the wait-for graph, or waits for a
  /// thread that does.
  private static let deinits: [(name: String, close: @Sendable (Container) -> Void)] = [
    ("resolves another key", { _ = try? $0.resolve(Other.self) }),
    ("resolves its own key", { _ = try? $0.resolve(Closed.self) }),
    ("resolves the lender", { _ = try? $0.resolve(Lender.self) }),
    (
      "closes a scope",
      {
        let scope = $0.makeScope()
        _ = try? scope.resolve(Int.self)
        try? scope.syncClose()
      }
    ),
    (
      "drops a scope",
      { _ = try? $0.makeScope().resolve(Int.self) }
    ),
    (
      "joins a thread",
      { container in
        _ = JoinableThread { _ = try container.resolve(Other.self) }.join()
      }
    ),
    (
      "registers and releases",
      {
        _ = try? $0.register(String.self, scope: .singleton) { _ in "" }
        _ = try? $0.resolve(String.self)
        $0.release(String.self)
      }
    ),
  ]

  /// A container in which `Other` takes the mutex whenever it is built.
  private static func container(_ tracker: LifetimeTracker) throws -> Container {
    let container = Container()
    try container.register(Other.self, scope: .graph) { _ in Other(tracker) }.afterInit { _, _ in }
    try container.register(Int.self, scope: .scoped) { _ in 1 }.afterInit { _, _ in }
    return container
  }

  /// Makes an instance with the deinit, once: what the deinit itself builds has another.
  private static func closed(
    _ tracker: LifetimeTracker, in container: Container,
    _ close: @escaping @Sendable (Container) -> Void, _ runs: AtomicCounter
  ) -> @Sendable () -> Closed {
    return { [weak container] in
      let held = container
      return Closed(tracker) {
        if runs.add() == 1, let held { close(held) }
      }
    }
  }

  private func assertEachDeinitEnds(
    _ body: @escaping @Sendable (Container, @escaping @Sendable () -> Closed) throws -> Void
  ) throws {
    let tracker = tracker
    for (name, close) in Self.deinits {
      let runs = AtomicCounter()
      assertEnds {
        let container = try Self.container(tracker)
        let make = Self.closed(tracker, in: container, close, runs)
        try body(container, make)
        _ = try container.resolve(Other.self)
      }
      // A task lets go of what it has built a moment after its caller has the error.
      assertNoneLeftInTasks(tracker)
      XCTAssertGreaterThan(runs.value, 0, "the deinit that \(name) has run")
    }
  }

  func testADeinitMayUseTheContainerWhenAnActionHasFailed() throws {
    try assertEachDeinitEnds { container, make in
      try container.register(Closed.self, scope: .unchecked(.singleton)) { _ in make() }
        .afterInit { _, _ in throw Refused() }
      XCTAssertThrowsError(try container.resolve(Closed.self))
    }
  }

  func testADeinitMayUseTheContainerWhenItsInstanceIsDoomed() throws {
    let tracker = tracker
    for hasActions in [false, true] {
      try assertEachDeinitEnds { container, make in
        try container.register(Lender.self, scope: .singleton) { _ in Lender(tracker) }
          .afterInit { resolver, _ in
            _ = try resolver.resolve(Closed.self)
            throw Refused()
          }
        let closed = try container.register(Closed.self, scope: .unchecked(.singleton)) {
          resolver in
          _ = try resolver.resolve(Lender.self)
          return make()
        }
        if hasActions { closed.afterInit { _, _ in } }
        XCTAssertThrowsError(try container.resolve(Lender.self))
      }
    }
  }

  /// No waiter got it, so the graph had the last reference.
  func testADeinitMayUseTheContainerWhenAWeakInstanceThatWasLentDies() throws {
    let tracker = tracker
    try assertEachDeinitEnds { container, make in
      try container.register(Lender.self, scope: .singleton) { _ in Lender(tracker) }
        .afterInit { resolver, _ in _ = try resolver.resolve(Closed.self) }
      try container.register(Closed.self, scope: .unchecked(.weak)) { resolver in
        _ = try resolver.resolve(Lender.self)
        return make()
      }
      _ = try container.resolve(Lender.self)
    }
  }

  func testADeinitMayUseTheContainerWhenAnAsynchronousActionHasFailed() throws {
    try assertEachDeinitEnds { container, make in
      try container.registerAsync(Closed.self, scope: .unchecked(.singleton)) { _ in make() }
        .afterInit { _, _ async throws in throw Refused() }
      let isOver = Gate()
      Task {
        _ = try? await container.resolveAsync(Closed.self)
        isOver.open()
      }
      isOver.wait()
    }
  }

  /// The container of the instance's own registrations went with it.
  func testAnInstanceThatOwnsAContainerMayFail() throws {
    let tracker = tracker
    try assertEachDeinitEnds { container, make in
      final class Owner: Tracked, @unchecked Sendable {
        let child: Container

        init(
          _ tracker: LifetimeTracker, _ parent: Container,
          _ make: @escaping @Sendable () -> Closed
        ) throws {
          child = Container(parent: parent)
          try child.register(Closed.self, scope: .unchecked(.singleton)) { _ in make() }
            .onDispose { _ in }
          _ = try child.resolve(Closed.self)
          super.init(tracker)
        }
      }
      try container.register(Owner.self, scope: .unchecked(.singleton)) { [unowned container] _ in
        try Owner(tracker, container, make)
      }.afterInit { _, _ in throw Refused() }
      XCTAssertThrowsError(try container.resolve(Owner.self))
    }
  }
}
