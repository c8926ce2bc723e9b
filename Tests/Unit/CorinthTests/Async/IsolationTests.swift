// SPDX-License-Identifier: MIT

import Corinth
import TestSupport
import XCTest

@MainActor
private final class Screen {
  var title = "start"
}

private protocol Titled {
  func title() -> String
}

/// The conformance belongs to the actor, too: elsewhere no cast finds it.
@MainActor
private final class Home: @MainActor Titled {
  func title() -> String { "home" }
}

private struct Label: @MainActor Titled {
  @MainActor func title() -> String { "label" }
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

/// Products that belong to an actor, callers on an actor, and products that are not Sendable. That
/// it compiles without a warning is a part of the test.
final class IsolationTests: AsyncTestCase {
  // The cast was made off the caller's actor, and said that the type does not conform.
  @MainActor
  func testAConformanceOfTheCallersActorIsFound() async throws {
    let ways: [@MainActor (Container) throws -> Void] = [
      { container in
        try container.registerAsync(Home.self, scope: .singleton) { @MainActor _ in Home() }
          .implements((any Titled).self)
      },
      { container in
        try container.wireAsync(Home.self, scope: .singleton, using: Home.init)
        try container.forward((any Titled).self, to: Home.self)
      },
      { container in
        try container.registerAsync(Home.self) { @MainActor _ in Home() }
        try container.forward((any Titled).self, name: "inner", to: Home.self)
        try container.forward((any Titled).self, to: (any Titled).self, targetName: "inner")
      },
      { container in
        try container.registerAsync(Home.self, scope: .scoped) { @MainActor _ in Home() }
          .implements((any Titled).self)
        try container.decorate((any Titled).self) { titled, _ in titled }
      },
    ]
    for register in ways {
      for isLogged in [false, true] {
        let root = Container()
        try register(root)
        if isLogged { root.add(LoggingBehavior(events: .all) { _, _ in }) }
        let container = root.makeScope()
        for _ in 0..<2 {
          let title = try await container.resolveAsync((any Titled).self).title()
          XCTAssertEqual(title, "home")
          let all = try await container.resolveAllAsync((any Titled).self).map { $0.title() }
          XCTAssertEqual(Set(all), ["home"])
          let array = try await container.resolveAsync([any Titled].self).map { $0.title() }
          XCTAssertEqual(array, all)
          let registered = try await container.resolveAsyncIfRegistered((any Titled).self)?.title()
          XCTAssertEqual(registered, "home")
          let provided = try await container.provider(for: (any Titled).self).callAsync().title()
          XCTAssertEqual(provided, "home")
          let current = try await titleInCurrent(container)
          XCTAssertEqual(current, "home")
        }
        MainActor.assertIsolated()
        let found = await findings { try await root.validate(building: true) }
        XCTAssertEqual(found.map(\.kind), [])
      }
    }
  }

  /// The closures belong to whatever actor the caller is on.
  nonisolated(nonsending)
    private func titleInCurrent(_ container: Container) async throws -> String
  {
    try await container.withOverrides { _ in
    } run: { fork in
      try await fork.withCurrent {
        try await fork.resolveAsync((any Titled).self).title()
      }
    }
  }

  @MainActor
  func testAConformanceOfAnotherActorIsSaidToBe() async throws {
    let container = container
    try container.registerAsync(Home.self, scope: .singleton) { @MainActor _ in Home() }
      .implements((any Titled).self)
    // With a behavior an instance keeps what it was found as: that is no way around.
    container.add(LoggingBehavior(events: .all) { _, _ in })
    let title = try await container.resolveAsync((any Titled).self).title()
    XCTAssertEqual(title, "home")
    for resolve in [
      { @Sendable in _ = try await container.resolveAsync((any Titled).self) },
      { @Sendable in _ = try container.resolve((any Titled).self) },
    ] as [@Sendable () async throws -> Void] {
      let text = await Task.detached { () -> String in
        do {
          try await resolve()
          return "no error"
        } catch { return "\(error)" }
      }.value
      XCTAssertTrue(text.contains("conforms to any Titled on MainActor only"), text)
    }
    let again = try await container.resolveAsync((any Titled).self).title()
    XCTAssertEqual(again, "home")
    let report = try await Task.detached { try container.validate() }.value
    XCTAssertEqual(report.findings.map(\.kind), [])
  }

  // A registration elsewhere was refused, as if the structure had no such conformance.
  func testAConformanceOfAnotherActorIsEnoughToRegister() async throws {
    try container.register(Label.self) { _ in Label() }.implements((any Titled).self)
    let container = container
    let title = try await Task { @MainActor in
      try container.resolve((any Titled).self).title()
    }.value
    XCTAssertEqual(title, "label")
  }

  @MainActor
  func testAFactoryOfTheActorFindsItsConformances() async throws {
    try container.registerAsync(Home.self, scope: .singleton) { @MainActor _ in Home() }
      .implements((any Titled).self)
    try container.registerAsync(String.self, scope: .singleton) { @MainActor resolver in
      try await resolver.resolveAsync((any Titled).self).title()
    }
    let title = try await container.resolveAsync(String.self)
    XCTAssertEqual(title, "home")
  }

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
