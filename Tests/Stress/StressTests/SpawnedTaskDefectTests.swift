// SPDX-License-Identifier: MIT

import Corinth
import Foundation
import TestSupport
import XCTest

/// Faults of tasks that a factory starts, each with its story.
///
/// A task made by `Task { }` inherits the task-local values of its maker, and with them the
/// construction that was being built. But no factory waits for it: it is no part of that
/// construction. Child tasks are.
final class SpawnedTaskDefectTests: StressTestCase {
  private final class Server: Part, @unchecked Sendable {}
  private final class Handler: Part, @unchecked Sendable {}
  private final class Session: Part, @unchecked Sendable {}

  private let tracker = LifetimeTracker()

  /// Where a factory starts its task.
  private enum Place: CaseIterable, Sendable {
    /// In the factory itself.
    case factory
    /// In an afterInit action.
    case action
    /// In a child task of the factory, which is a part of the construction.
    case childTask
    /// In a synchronous factory that the asynchronous one needs.
    case synchronousFactory
  }

  /// What `Server`'s factory starts runs in here: `Handler` needs `Server`.
  private static func register(
    in container: Container, _ tracker: LifetimeTracker, _ place: Place,
    starting start: @escaping @Sendable () async throws -> Void
  ) throws {
    try container.registerAsync(Handler.self, scope: .singleton) { resolver in
      let server = try await resolver.resolveAsync(Server.self)
      return Handler(tracker).noting(server)
    }
    try container.register(Session.self, scope: .singleton) { _ in
      if place == .synchronousFactory { Task { try await start() } }
      return Session(tracker)
    }
    try container.registerAsync(Server.self, scope: .singleton) { resolver in
      let server = Server(tracker)
      server.note(try await resolver.resolveAsync(Session.self))
      switch place {
      case .factory: Task { try await start() }
      case .childTask:
        async let task = Task { try await start() }
        _ = await task
      case .action, .synchronousFactory: break
      }
      // Long enough for the task to wait.
      if place != .action { try await Task.sleep(for: .milliseconds(20)) }
      return server
    }.afterInit { _, _ in
      guard place == .action else { return }
      Task { try await start() }
      try await Task.sleep(for: .milliseconds(20))
    }
  }

  /// The task waited for nothing: it got a cycle error, since it seemed to be a part of the
  /// construction that it asked for.
  func testATaskThatAFactoryStartsWaitsForTheInstance() throws {
    let tracker = tracker
    for place in Place.allCases {
      assertEndsAsync {
        let (container, done) = (Container(), AsyncGate())
        let results = Shared<[Result<[Int], any Error>]>([])
        try Self.register(in: container, tracker, place) { [weak container] in
          let result = await outcome {
            let container = try XCTUnwrap(container)
            let handler = try await container.resolveAsync(Handler.self)
            return [try await container.resolveAsync(Server.self).serial] + handler.found
          }
          results.withValue { $0.append(result) }
          done.open()
        }
        let server = try await container.resolveAsync(Server.self)
        await done.wait()
        for result in results.value {
          XCTAssertEqual(try result.get(), [server.serial, server.serial], "\(place)")
        }
      }
    }
    assertNoneLeftInTasks(tracker)
  }

  /// `Handler` is begun by the task that `Server`'s factory has started, and asked for by a third
  /// one: the error was handed to that one, too, or it had to build again.
  func testAStrangerThatWaitsForTheSameInstanceGetsIt() throws {
    let tracker = tracker
    assertEndsAsync {
      let (container, isBegun, runs) = (Container(), AsyncGate(), AtomicCounter())
      try container.registerAsync(Handler.self, scope: .singleton) { resolver in
        runs.add()
        isBegun.open()
        try await Task.sleep(for: .milliseconds(10))
        let server = try await resolver.resolveAsync(Server.self)
        return Handler(tracker).noting(server)
      }
      try container.registerAsync(Server.self, scope: .singleton) { resolver in
        let container = try resolver.container
        Task { _ = try await container.resolveAsync(Handler.self) }
        try await Task.sleep(for: .milliseconds(40))
        return Server(tracker)
      }
      let caller = Task { try await container.resolveAsync(Server.self).serial }
      await isBegun.wait()
      let handler = try await container.resolveAsync(Handler.self)
      let server = try await caller.value
      XCTAssertEqual(handler.found, [server])
      XCTAssertEqual(runs.value, 1)
    }
    assertNoneLeftInTasks(tracker)
  }

  /// The factory ends at about the time at which the task asks: an error came now and then.
  func testATaskThatAFactoryStartsNeverGetsACycleError() throws {
    let (tracker, rounds) = (tracker, StressSize.scaled(200, sanitized: 50))
    assertEndsAsync {
      for round in 0..<rounds {
        let container = Container()
        let started = Shared<Task<Int, any Error>?>(nil)
        try container.registerAsync(Handler.self, scope: .singleton) { resolver in
          let server = try await resolver.resolveAsync(Server.self)
          return Handler(tracker).noting(server)
        }
        try container.registerAsync(Server.self, scope: .singleton) { resolver in
          let container = try resolver.container
          started.value = Task { try await container.resolveAsync(Handler.self).found[0] }
          if round % 2 == 0 { await Task.yield() } else { usleep(50) }
          return Server(tracker)
        }
        let server = try await container.resolveAsync(Server.self)
        let found = try await XCTUnwrap(started.value).value
        XCTAssertEqual(found, server.serial)
      }
    }
    assertNoneLeftInTasks(tracker)
  }

  // MARK: - Parts of the construction

  /// How a factory asks for an instance and waits for it.
  private enum Errand: CaseIterable, Sendable {
    case asyncLet, taskGroup, childOfChild, resolverInTask, resolverInDetachedTask

    func resolve(_ resolver: Resolver) async throws -> Handler {
      let container = try resolver.container
      switch self {
      case .asyncLet:
        async let handler = container.resolveAsync(Handler.self)
        return try await handler
      case .taskGroup:
        return try await Self.inGroup { try await container.resolveAsync(Handler.self) }
      case .childOfChild:
        async let handler = Self.inGroup {
          async let handler = container.resolveAsync(Handler.self)
          return try await handler
        }
        return try await handler
      case .resolverInTask:
        return try await Task { try await resolver.resolveAsync(Handler.self) }.value
      case .resolverInDetachedTask:
        return try await Task.detached { try await resolver.resolveAsync(Handler.self) }.value
      }
    }

    private static func inGroup(
      _ body: @escaping @Sendable () async throws -> Handler
    ) async throws -> Handler {
      try await withThrowingTaskGroup { group in
        group.addTask(operation: body)
        let handler = try await group.next()
        return try XCTUnwrap(handler)
      }
    }
  }

  /// A child task, and a task that was handed the resolver, are a part of the construction: a cycle
  /// through them is an error, not a wait for ever.
  func testACycleThroughATaskThatTheFactoryWaitsForIsAnError() throws {
    let tracker = tracker
    for errand in Errand.allCases {
      assertEndsAsync {
        let container = Container(defaultScope: .singleton)
        try container.registerAsync(Server.self) { resolver in
          let server = Server(tracker)
          server.note(try await errand.resolve(resolver))
          return server
        }
        try container.registerAsync(Handler.self) { resolver in
          let server = try await resolver.resolveAsync(Server.self)
          return Handler(tracker).noting(server)
        }
        for _ in 0..<2 {
          await assertCycleAsync { try await container.resolveAsync(Server.self) }
          await assertCycleAsync { try await container.resolveAsync(Handler.self) }
        }
      }
    }
    assertNoneLeftInTasks(tracker)
  }

  // MARK: - Scopes

  private struct ScopeOwner: Sendable {
    let scope: Container

    init(_ tracker: LifetimeTracker) throws {
      let container = Container()
      try container.register(Session.self, scope: .scoped) { _ in Session(tracker) }
      scope = container.makeScope()
    }
  }

  /// `Server` outlives the scope, but the task that its factory starts is no part of it, and keeps
  /// nothing for it. The scope is one that was there before, or one that the task opens.
  func testAScopedInstanceInATaskThatAFactoryStartsIsNotCaptured() throws {
    let tracker = tracker
    for opens in [false, true] {
      assertEndsAsync {
        let (container, owner) = (Container(), try ScopeOwner(tracker))
        let started = Shared<Task<Int, any Error>?>(nil)
        try container.registerAsync(Server.self, scope: .singleton) { _ in
          started.value = Task {
            let scope = opens ? owner.scope.makeScope() : owner.scope
            return try scope.resolve(Session.self).serial
          }
          try await Task.sleep(for: .milliseconds(20))
          return Server(tracker)
        }
        _ = try await container.resolveAsync(Server.self)
        let serial = try await XCTUnwrap(started.value).value
        XCTAssertGreaterThan(serial, 0)
      }
    }
    assertNoneLeftInTasks(tracker)
  }

  /// The construction ends while the task opens scopes, and its container goes away. The check
  /// whether `Server` captures a scoped instance read the construction twice, before its end and
  /// after: some scopes of the task's own were refused. It also read the container through the
  /// construction, which did not hold it.
  func testATaskGoesOnWithScopesOfItsOwnWhileTheContainerGoesAway() throws {
    let (tracker, rounds) = (tracker, StressSize.scaled(1_000, sanitized: 500))
    assertEndsAsync {
      let (sessions, errors) = (Container(), AtomicCounter())
      try sessions.register(Session.self, scope: .scoped) { _ in Session(tracker) }
      let shared = sessions.makeScope()
      for _ in 0..<rounds {
        let started = Shared<Task<Void, Never>?>(nil)
        do {
          let container = Container()
          try container.registerAsync(Server.self, scope: .singleton) { _ in
            started.value = Task {
              for round in 0..<40 {
                let scope = round % 2 == 0 ? shared : sessions.makeScope()
                do { _ = try scope.resolve(Session.self) } catch { errors.add() }
              }
            }
            await Task.yield()
            return Server(tracker)
          }
          _ = try await container.resolveAsync(Server.self)
        }
        await started.value?.value
      }
      XCTAssertEqual(errors.value, 0, "of \(40 * rounds)")
    }
    assertNoneLeftInTasks(tracker)
  }
}
