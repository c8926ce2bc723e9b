// SPDX-License-Identifier: MIT

import Corinth
import TestSupport
import XCTest

private struct Down: Error {}

private final class Pool: Sendable {
  init() {}
}

private struct Client: Sendable {
  let pool: Pool
}

/// Many services over one pool that cannot connect. Each of them tried to connect again, one after
/// the other, so that a time-out of seconds became a start of minutes.
final class FailingRootTests: ContainerTestCase {
  private let attempts = AtomicCounter()

  @discardableResult
  private func register(
    _ scope: Scope<Pool> = .singleton, clients: Int = 60, in other: Container? = nil
  ) throws -> Container {
    let container = other ?? container
    let attempts = attempts
    try container.register(Pool.self, scope: scope) { _ in
      attempts.add()
      throw Down()
    }
    for number in 0..<clients {
      try container.wire(
        Client.self, name: Name(number), scope: .singleton, with: .eager, using: Client.init)
    }
    return container
  }

  private func assertOneAttempt(
    _ count: Int = 60, line: UInt = #line, _ body: () async throws -> Void
  ) async {
    let before = attempts.value
    do {
      try await body()
      XCTFail("no error", line: line)
    } catch let error as ResolutionError {
      XCTAssertEqual(error.failures.count, count, line: line)
      XCTAssertTrue(error.failures.allSatisfy { $0.underlyingError is Down }, line: line)
      XCTAssertTrue(error.failures.allSatisfy { $0.key == .init(Pool.self) }, line: line)
      XCTAssertLessThan("\(error)".split(separator: "\n").count, 20, line: line)
    } catch { XCTAssertNotNil(error.cause(as: Down.self), "\(error)", line: line) }
    XCTAssertEqual(attempts.value - before, 1, line: line)
  }

  func testAFailingRootIsTriedOnceInAWarmUp() async throws {
    let scopes: [(Scope<Pool>, isStored: Bool)] = [
      (.singleton, true), (.weak, true), (.cached(for: .seconds(3_600)), true), (.graph, false),
    ]
    for (scope, isStored) in scopes {
      let container = try register(scope, in: Container())
      await assertOneAttempt { try await container.warmUp() }
      await assertOneAttempt { try await container.warmUp(validating: true) }
      await assertOneAttempt { try syncWarmUp(container) }
      // One that a singleton needs and one that a scope asks for have dependencies of their own.
      if !isStored { continue }
      await assertOneAttempt { try await container.validate(building: true) }
      await assertOneAttempt { try syncValidate(container) }
    }
    let container = try register()
    await assertOneAttempt(1) { try await container.warmUp(maximumConcurrency: 4) }
  }

  private func syncWarmUp(_ container: Container) throws { try container.syncWarmUp() }
  private func syncValidate(_ container: Container) throws {
    try container.syncValidate(building: true)
  }

  func testAnAsynchronousRootIsTriedOnce() async throws {
    let attempts = attempts
    try container.registerAsync(Pool.self) { _ in
      attempts.add()
      await Task.yield()
      throw Down()
    }.as(.singleton)
    for number in 0..<60 {
      try container.registerAsync(Client.self, name: Name(number)) {
        Client(pool: try await $0.resolveAsync())
      }.as(.singleton).eager()
    }
    let container = container
    await assertOneAttempt { try await container.warmUp() }
    await assertOneAttempt { try await container.validate(building: true) }
  }

  func testTransientsBetweenThemChangeNothing() async throws {
    try register(clients: 0)
    try container.register(Client.self) { Client(pool: try $0.resolve()) }
    for number in 0..<60 {
      try container.register(Gearbox.self, name: Name(number)) { r in
        _ = try r.resolve(Client.self)
        return Gearbox()
      }.as(.singleton).eager()
    }
    let container = container
    await assertOneAttempt { try await container.warmUp() }
  }

  func testResolvesFromElsewhereTryAgainAtOnce() async throws {
    try register(clients: 1)
    let (container, attempts) = (container, attempts)
    let inside = Guarded(0)
    try container.register(Gearbox.self, scope: .singleton) { _ in
      try onThreads(1) { _ in _ = try? container.resolve(Pool.self) }
      inside.value = attempts.value
      return Gearbox()
    }.eager()
    XCTAssertThrowsError(try container.syncWarmUp())
    XCTAssertEqual(inside.value, 2)
    XCTAssertThrowsError(try container.resolve(Pool.self))
    XCTAssertThrowsError(try container.syncWarmUp())
    XCTAssertEqual(attempts.value, 4)
  }

  func testAFactoryThatAsksOnceMoreRetriesByItself() throws {
    let attempts = attempts
    try container.register(Pool.self, scope: .singleton) { _ in
      if attempts.add() < 3 { throw Down() }
      return Pool()
    }
    try container.register(Client.self, scope: .singleton) { r in
      for _ in 0..<2 { if let pool = try? r.resolve(Pool.self) { return Client(pool: pool) } }
      return Client(pool: try r.resolve())
    }.eager()
    try container.syncWarmUp()
    XCTAssertEqual(attempts.value, 3)
  }

  func testATaskThatOutlivesTheWarmUpTriesAgain() async throws {
    try register(clients: 1)
    let (container, attempts) = (container, attempts)
    let gate = AsyncGate()
    let task = Guarded<Task<Void, Never>>()
    try container.register(Gearbox.self, scope: .singleton) { _ in
      task.value = Task {
        await gate.wait()
        _ = try? await container.resolveAsync(Pool.self)
      }
      return Gearbox()
    }.eager()
    do {
      try await container.warmUp()
      XCTFail("no error")
    } catch {}
    gate.open()
    await task.value?.value
    XCTAssertEqual(attempts.value, 2)
  }
}
