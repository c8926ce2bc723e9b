// SPDX-License-Identifier: MIT

import Corinth
import Dispatch
import TestSupport
import XCTest

/// Forks that are current while a closure runs.
final class WithOverridesTests: ContainerTestCase {
  private final class Mailer: Sendable {
    let label: String
    init(_ label: String) { self.label = label }
  }

  private final class Service: Sendable {
    let mailer: Mailer
    init(_ mailer: Mailer) { self.mailer = mailer }
  }

  private struct Client {
    @Injected(from: .current) var service: Service
  }

  private let journal = Journal()

  override func setUp() {
    super.setUp()
    XCTAssertNoThrow(
      try container.register(Mailer.self) { _ in Mailer("real") }.as(.singleton))
    XCTAssertNoThrow(
      try container.register(Service.self) { Service(try $0.resolve()) }.as(.singleton)
        .onDispose { [journal] service, outcome in
          switch outcome {
          case .completed: journal.write("\(service.mailer.label) completed")
          case .failed: journal.write("\(service.mailer.label) failed")
          case .cancelled: journal.write("\(service.mailer.label) cancelled")
          case .interrupted: journal.write("\(service.mailer.label) interrupted")
          }
        })
  }

  @Sendable private static func overrideMailer(_ container: Container, _ label: String) throws {
    try container.register(Mailer.self, onDuplicate: .require) { _ in Mailer(label) }
  }

  private func label(in container: Container?) throws -> String {
    try XCTUnwrap(container).resolve(Service.self).mailer.label
  }

  // MARK: - The fork

  func testOverridesReachSingletonsAndLeaveTheContainerAsItIs() async throws {
    let real = try container.resolve(Service.self)
    let found = try await container.withOverrides {
      try Self.overrideMailer($0, "fake")
    } run: { fork in
      await Task.yield()
      return try label(in: fork)
    }
    XCTAssertEqual(found, "fake")
    XCTAssertTrue(try container.resolve(Service.self) === real)
    XCTAssertEqual(real.mailer.label, "real")
    XCTAssertEqual(
      try container.syncWithOverrides {
        try Self.overrideMailer($0, "fake")
      } run: {
        try label(in: $0)
      }, "fake")
  }

  func testTheForkIsCurrentInBothClosuresAndTheOneThatPropertiesAreResolvedIn() async throws {
    try await container.withOverrides { fork in
      XCTAssertTrue(Container.current === fork)
      try Self.overrideMailer(fork, "fake")
    } run: { fork in
      XCTAssertTrue(Container.current === fork)
      XCTAssertTrue(fork.base === container)
      XCTAssertTrue(Client().service === (try fork.resolve(Service.self)))
      XCTAssertEqual(Client().service.mailer.label, "fake")
    }
    XCTAssertNil(Container.current)
    try await container.withOverrides { fork in
      XCTAssertTrue(Container.current === fork)
    } run: { fork in
      XCTAssertTrue(Container.current === fork)
    }
    XCTAssertNil(Container.current)
  }

  func testChildTasksSeeTheForkAndDetachedTasksDoNot() async throws {
    try await container.withOverrides {
      try Self.overrideMailer($0, "fake")
    } run: { fork in
      async let child = Container.current
      let inGroup = await withTaskGroup { group in
        group.addTask { Container.current }
        return await group.next() ?? nil
      }
      let inTask = await Task { Container.current }.value
      let inDetached = await Task.detached { Container.current }.value
      let inChild = await child
      XCTAssertTrue(inChild === fork && inGroup === fork && inTask === fork)
      XCTAssertNil(inDetached)
    }
  }

  @MainActor func testTheCallerStaysOnItsActor() async throws {
    let container = container
    var calls = 0
    try await container.withOverrides { _ in
      calls += 1
      MainActor.assertIsolated()
      await Task.yield()
      MainActor.assertIsolated()
    } run: { _ in
      calls += 1
      MainActor.assertIsolated()
    }
    MainActor.assertIsolated()
    XCTAssertEqual(calls, 2)
  }

  // MARK: - Calls inside of calls

  func testAnInnerCallAddsToTheOverridesOfTheOuterOne() async throws {
    try container.register(Int.self) { _ in 1 }
    try await container.withOverrides {
      try $0.register(Int.self, onDuplicate: .require) { _ in 2 }
    } run: { outer in
      try await container.withOverrides {
        try Self.overrideMailer($0, "fake")
      } run: { inner in
        XCTAssertTrue(inner.base === outer)
        XCTAssertEqual(try inner.resolve(Int.self), 2)
        XCTAssertEqual(try label(in: .current), "fake")
      }
      XCTAssertEqual(try label(in: .current), "real")
      try await container.withOverrides {
        try $0.register(Int.self, onDuplicate: .require) { _ in 3 }
      } run: {
        XCTAssertEqual(try $0.resolve(Int.self), 3)
      }
      XCTAssertEqual(try outer.resolve(Int.self), 2)
    }
  }

  func testAScopeAndAChildOfTheForkAreForkedWhenTheyAreCurrent() async throws {
    try container.register(Int.self) { _ in 1 }
    try await container.withOverrides {
      try $0.register(Int.self, onDuplicate: .require) { _ in 2 }
    } run: { fork in
      let child = Container(parent: fork)
      try child.register(String.self) { _ in "child" }
      try await child.withCurrent {
        try await container.withOverrides { _ in
        } run: { inner in
          XCTAssertEqual(try inner.resolve(String.self), "child")
          XCTAssertEqual(try inner.resolve(Int.self), 2)
        }
      }
    }
  }

  func testAnotherContainerBetweenThemDoesNotHideTheOuterOverrides() async throws {
    let other = Container()
    try await container.withOverrides {
      try Self.overrideMailer($0, "fake")
    } run: { outer in
      try await other.withOverrides { _ in
      } run: { unrelated in
        XCTAssertTrue(unrelated.base === other)
        try await container.withOverrides { _ in
        } run: { inner in
          XCTAssertTrue(inner.base === outer)
          XCTAssertEqual(try label(in: inner), "fake")
        }
      }
    }
  }

  func testACurrentContainerThatDoesNotDescendFromThisOneIsNotForked() throws {
    let other = Container()
    try other.withCurrent {
      try container.syncWithOverrides { _ in
      } run: { fork in
        XCTAssertTrue(fork.base === container)
      }
    }
  }

  // MARK: - The end

  func testTheForkIsShutDownAtTheEnd() async throws {
    let fork = try await container.withOverrides {
      try Self.overrideMailer($0, "a")
    } run: {
      _ = try label(in: $0)
      return $0
    }
    XCTAssertTrue(fork.isClosed)
    XCTAssertThrowsError(try fork.resolve(Service.self)) {
      XCTAssertTrue($0.is(.containerClosed))
    }
    try await container.withOverrides {
      try Self.overrideMailer($0, "b")
    } run: {
      _ = try label(in: $0)
    }
    XCTAssertEqual(journal.entries, ["a completed", "b completed"])
  }

  func testDisposersLearnThatTheBodyHasFailed() async throws {
    let result = await outcome {
      try await self.container.withOverrides {
        try Self.overrideMailer($0, "a")
      } run: {
        _ = try self.label(in: $0)
        throw FixtureError("body")
      }
    }
    XCTAssertThrowsError(try result.get()) {
      XCTAssertEqual($0 as? FixtureError, FixtureError("body"))
    }
    XCTAssertThrowsError(
      try container.syncWithOverrides {
        _ = try label(in: $0)
        throw FixtureError("overrides")
      } run: { _ in
        XCTFail("has run")
      }
    ) { XCTAssertEqual($0 as? FixtureError, FixtureError("overrides")) }
    XCTAssertEqual(journal.entries, ["a failed", "real failed"])
  }

  func testWhenBothFailBothErrorsAreThrown() async throws {
    try container.register(Int.self) { _ in 1 }.as(.singleton)
      .onDispose { _ in throw FixtureError("disposer") }
    for bodyFails in [false, true] {
      let body: @Sendable (Container) throws -> Void = {
        _ = try $0.resolve(Int.self)
        if bodyFails { throw FixtureError("body") }
      }
      let results = [
        await outcome {
          try await self.container.withOverrides { _ in
          } run: {
            try body($0)
          }
        },
        Result {
          try container.syncWithOverrides { _ in
          } run: {
            try body($0)
          }
        },
      ]
      for result in results {
        XCTAssertThrowsError(try result.get()) { error in
          guard bodyFails else { return XCTAssertTrue(error is CloseError, "\(error)") }
          XCTAssertEqual(error.workError as? FixtureError, FixtureError("body"))
        }
      }
    }
  }

  func testACancelledTaskShutsTheForkDownToo() async throws {
    let (container, journal) = (container, journal)
    try container.register(Int.self) { _ in 1 }.as(.singleton).onDispose { _ in
      await Task.yield()
      journal.write(Task.isCancelled ? "cancelled" : "disposed")
    }
    let task = Task {
      try await container.withOverrides { _ in
      } run: { fork in
        _ = (try fork.resolve(Int.self), try fork.resolve(Service.self))
        unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
        try Task.checkCancellation()
      }
    }
    let result = await task.result
    XCTAssertThrowsError(try result.get()) { XCTAssertTrue($0 is CancellationError) }
    XCTAssertEqual(journal.entries, ["real cancelled", "disposed"])
  }

  func testTheSynchronousFormHandsAsynchronousDisposersOver() throws {
    let disposed = DispatchSemaphore(value: 0)
    try container.register(Int.self) { _ in 1 }.as(.singleton).onDispose { _ in
      await Task.yield()
      disposed.signal()
    }
    XCTAssertThrowsError(
      try container.syncWithOverrides { _ in
      } run: {
        _ = try $0.resolve(Int.self)
      }
    ) { error in
      guard case CloseError.asyncCloseRequired = error else { return XCTFail("\(error)") }
    }
    disposed.wait()
  }

  func testAScopeThatIsStillOpenIsReportedWhenTheForkDrains() async throws {
    let error = await outcome {
      try await self.container.withOverrides(draining: .zero) { _ in
      } run: {
        $0.makeScope()
      }
    }
    XCTAssertThrowsError(try error.get()) {
      guard case CloseError.drainingTimedOut(1, _) = $0 else { return XCTFail("\($0)") }
    }
    let scope = try await container.withOverrides { _ in
    } run: {
      $0.makeScope()
    }
    XCTAssertFalse(scope.isClosed)
  }

  // MARK: - Mistakes

  func testAnOverrideOfWhatIsNotRegisteredNamesWhatIs() async throws {
    try container.register(Int.self, name: "port") { _ in 1 }
    let result = await outcome {
      try await self.container.withOverrides {
        try $0.register(Int.self, name: "prt", onDuplicate: .require) { _ in 2 }
      } run: { _ in
        XCTFail("has run")
      }
    }
    XCTAssertThrowsError(try result.get()) { error in
      XCTAssertTrue(error.is(.noRegistrationFound))
      XCTAssertTrue("\(error)".contains(#"Int is registered under the name "port""#), "\(error)")
    }
  }

  func testATaskThatGoesOnAfterTheEndIsToldThatTheContainerIsClosed() async throws {
    let (container, gate) = (container, AsyncGate())
    let task = try await container.withOverrides { _ in
    } run: { _ in
      Task {
        await gate.wait()
        try await container.withOverrides {
          try Self.overrideMailer($0, "late")
        } run: { _ in
        }
      }
    }
    gate.open()
    let result = await task.result
    XCTAssertThrowsError(try result.get()) {
      XCTAssertTrue($0.is(.containerClosed), "\($0)")
    }
  }

  // MARK: - At once

  func testThreadsDoNotSeeEachOthersOverrides() throws {
    let container = container
    let tracker = LifetimeTracker()
    try container.register(Companion.self) { _ in Companion(tracker) }.as(.singleton)
    let labels = try onThreads(8) { index in
      try (0..<StressSize.scaled(50)).map { round in
        try container.syncWithOverrides {
          try Self.overrideMailer($0, "\(index) \(round)")
        } run: { fork in
          _ = try fork.resolve(Companion.self)
          return try Container.current?.resolve(Service.self).mailer.label
        }
      }
    }
    for (index, found) in labels.enumerated() {
      XCTAssertEqual(found, found.indices.map { "\(index) \($0)" })
    }
    XCTAssertEqual(journal.entries.count, labels.joined().count)
    settleReclamation()
    XCTAssertEqual(tracker.alive, 0)
  }
}
