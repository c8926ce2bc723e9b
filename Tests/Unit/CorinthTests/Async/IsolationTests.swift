// SPDX-License-Identifier: MIT

import Corinth
import TestSupport
import XCTest

@MainActor
private final class Screen {
  var title = "start"
}

/// Not Sendable: each resolve of a transient hands one over.
private final class Buffer {
  var bytes = 0
}

private actor Worker {
  private var results: [Int] = []

  func resolve(from container: Container) async throws -> Int {
    assertIsolated()
    let number = try await container.resolveAsync(Int.self)
    assertIsolated()
    results.append(number)
    return results.count
  }

  func resolveBuffer(from container: Container) async throws -> Int {
    let buffer = try await container.resolveAsync(Buffer.self)
    assertIsolated()
    buffer.bytes += 1
    return buffer.bytes
  }

  func warmUp(_ container: Container) async throws {
    try await container.warmUp()
    assertIsolated()
  }

  func withScope(of container: Container) async throws -> Int {
    try await container.withScope { scope in
      assertIsolated()
      let number = try await scope.resolveAsync(Int.self)
      assertIsolated()
      return number
    }
  }

  func shutDown(_ container: Container) async throws {
    try await container.shutdown()
    assertIsolated()
  }
}

/// Products that belong to an actor, callers on an actor, and products that are not Sendable. That it compiles
/// without a warning is a part of the test.
final class IsolationTests: AsyncTestCase {
  func testAProductOfTheMainActorIsBuiltThere() async throws {
    for scope in [AnyScope.transient, .singleton, .weak, .graph] {
      let container = Container()
      try container.registerAsync(Screen.self, scope: scope) { @MainActor _ in
        MainActor.assertIsolated()
        return Screen()
      }
      let screen = try await container.resolveAsync(Screen.self)
      let title = await screen.title
      XCTAssertEqual(title, "start", "\(scope)")
    }
  }

  @MainActor
  func testAProductOfTheMainActorIsResolvedFromThere() async throws {
    let container = Container()
    try container.registerAsync(Screen.self) { @MainActor _ in Screen() }.as(.singleton)
    let screen = try await container.resolveAsync(Screen.self)
    MainActor.assertIsolated()
    screen.title = "changed"
    let again = try await container.resolveAsync(Screen.self)
    XCTAssertEqual(again.title, "changed")
    XCTAssertEqual(try container.resolve(Screen.self).title, "changed")
  }

  /// The main actor waits for what is built on the main actor.
  @MainActor
  func testWaitingOnTheMainActorDoesNotKeepItFromBuilding() async throws {
    let container = Container()
    try container.registerAsync(Screen.self) { @MainActor resolver in
      let screen = Screen()
      screen.title = try await resolver.resolveAsync(String.self)
      MainActor.assertIsolated()
      return screen
    }.as(.singleton)
    try container.registerAsync(String.self) { @MainActor _ in
      await Task.yield()
      return "ready"
    }.as(.singleton)
    let title = try await container.resolveAsync(Screen.self).title
    XCTAssertEqual(title, "ready")
  }

  func testAnActionOfTheMainActorRunsThere() async throws {
    let container = container
    try container.registerAsync(Screen.self) { @MainActor _ in Screen() }.as(.singleton)
      .afterInit { @MainActor _, screen async in
        MainActor.assertIsolated()
        screen.title = "done"
      }
      .onDispose { @MainActor screen async in
        MainActor.assertIsolated()
        screen.title = "closed"
      }
    let screen = try await container.resolveAsync(Screen.self)
    let title = await screen.title
    XCTAssertEqual(title, "done")
    try await container.shutdown()
    let last = await screen.title
    XCTAssertEqual(last, "closed")
  }

  func testACallerStaysOnItsActor() async throws {
    let (worker, gate, lobby) = (Worker(), AsyncGate(), Lobby())
    let container = container
    try container.registerAsync(Int.self) { _ in
      await gate.wait()
      return 7
    }.as(.singleton).eager()
    // One waits for another's construction, others find the instance.
    let first = Task {
      try await lobby.enter { try await container.resolveAsync(Int.self) }
    }
    await lobby.waitForSuspension(of: 1)
    let second = Task { try await worker.resolve(from: container) }
    gate.open()
    _ = try await first.value
    let count = try await second.value
    XCTAssertEqual(count, 1)
    let next = try await worker.resolve(from: container)
    XCTAssertEqual(next, 2)
    container.release(Int.self)
    try await worker.warmUp(container)
    let scoped = try await worker.withScope(of: container)
    XCTAssertEqual(scoped, 7)
    try await worker.shutDown(container)
  }

  func testAProductThatIsNotSendableIsHandedOver() async throws {
    let container = container
    try container.registerAsync(Buffer.self) { _ in
      let buffer = Buffer()
      await Task.yield()
      buffer.bytes = 1
      return buffer
    }
    let buffer = try await container.resolveAsync(Buffer.self)
    XCTAssertEqual(buffer.bytes, 1)
    let onWorker = try await Worker().resolveBuffer(from: container)
    XCTAssertEqual(onWorker, 2)
  }

  func testASynchronousFactoryRunsInTheCaller() async throws {
    let container = container
    try container.register(Bool.self) { _ in
      MainActor.assertIsolated()
      return true
    }
    let isDone = try await Task { @MainActor in try await container.resolveAsync(Bool.self) }.value
    XCTAssert(isDone)
  }
}
