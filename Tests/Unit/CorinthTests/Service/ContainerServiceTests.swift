// SPDX-License-Identifier: MIT

import Corinth
import Foundation
import TestSupport
import XCTest

private struct Broken: Error {}

final class ContainerServiceTests: AsyncTestCase {
  @PerTest private var journal = Journal()

  override func setUpWithError() throws {
    let journal = journal
    try container.register(Tracker.self) { _ in Tracker() }.as(.singleton)
      .onDispose { _ in journal.write("disposed") }
    _ = try container.resolve(Tracker.self)
  }

  private func wait(until condition: () -> Bool) async throws {
    while !condition() { try await Task.sleep(for: .milliseconds(1)) }
  }

  // MARK: - A function of the caller's

  func testItShutsTheContainerDownWhenItIsAskedTo() async throws {
    let container = container
    let gate = AsyncGate()
    let service = ContainerService(container) { await gate.wait() }
    async let running: Void = service.run()
    try await Task.sleep(for: .milliseconds(10))
    XCTAssertFalse(container.isClosed)
    XCTAssertEqual(journal.entries, [])
    gate.open()
    try await running
    XCTAssertTrue(container.isClosed)
    XCTAssertEqual(journal.entries, ["disposed"])
  }

  func testItEndsWhenItsTaskIsCancelled() async throws {
    let service = ContainerService(container) { try await Task.sleep(for: .seconds(3600)) }
    let task = Task { try await service.run() }
    task.cancel()
    try await task.value
    XCTAssertEqual(journal.entries, ["disposed"])
  }

  func testItLetsOpenScopesEnd() async throws {
    let (container, journal) = (container, journal)
    let (isOpen, mayEnd) = (AsyncGate(), AsyncGate())
    async let work: Void = container.withScope { _ in
      isOpen.open()
      await mayEnd.wait()
      journal.write("request")
    }
    await isOpen.wait()
    async let running: Void = ContainerService(container) {}.run()
    try await wait(until: { container.makeScope().isClosed })
    mayEnd.open()
    try await work
    try await running
    XCTAssertEqual(journal.entries, ["request", "disposed"])
  }

  func testAnErrorOfTheFunctionIsThrownAfterTheShutdown() async {
    do {
      try await ContainerService(container) { throw Broken() }.run()
      XCTFail("nothing was thrown")
    } catch {
      XCTAssertTrue(error is Broken, "\(error)")
    }
    XCTAssertEqual(journal.entries, ["disposed"])
  }

  func testErrorsOfTheFunctionAndOfTheShutdownAreBothThrown() async throws {
    try container.register(Int.self) { _ in 1 }.as(.singleton).onDispose { _ in throw Broken() }
    _ = try container.resolve(Int.self)
    do {
      try await ContainerService(container) { throw Broken() }.run()
      XCTFail("nothing was thrown")
    } catch CloseError.workFailed(let error, let closeError) {
      XCTAssertTrue(error is Broken, "\(error)")
      XCTAssertEqual(closeError, .disposalFailed)
    }
  }

  func testAFailedDisposerIsThrown() async throws {
    try container.register(Int.self) { _ in 1 }.as(.singleton).onDispose { _ in throw Broken() }
    _ = try container.resolve(Int.self)
    do {
      try await ContainerService(container) {}.run()
      XCTFail("nothing was thrown")
    } catch {
      XCTAssertTrue(error.is(.disposalFailed), "\(error)")
    }
    XCTAssertEqual(journal.entries, ["disposed"])
  }

  // MARK: - Signals

  /// Sends the process a signal that would end it, until a condition holds: the first ones may come
  /// before the service watches for it.
  private func send(_ number: Int32, until condition: () -> Bool) async throws {
    // Not ignored: an ignored signal may not be delivered at all.
    let former = signal(number) { _ in }
    defer { signal(number, former) }
    while !condition() {
      kill(getpid(), number)
      try await Task.sleep(for: .milliseconds(20))
    }
  }

  func testASignalEndsIt() async throws {
    let container = container
    async let running: Void = ContainerService(
      container, signals: [ShutdownSignal(rawValue: SIGUSR1)]
    ).run()
    try await send(SIGUSR1) { container.isClosed }
    try await running
    XCTAssertEqual(journal.entries, ["disposed"])
  }

  func testCancellationEndsOneThatWatchesForSignals() async throws {
    let service = ContainerService(container, signals: [ShutdownSignal(rawValue: SIGUSR2)])
    let task = Task { try await service.run() }
    try await Task.sleep(for: .milliseconds(10))
    task.cancel()
    try await task.value
    XCTAssertEqual(journal.entries, ["disposed"])
  }

  /// The errors of the disposers were lost to the call that ended the draining.
  func testASecondSignalEndsTheDrainingAndFailuresAreThrown() async throws {
    try container.register(Int.self) { _ in 1 }.as(.singleton).onDispose { _ in throw Broken() }
    _ = try container.resolve(Int.self)
    let container = container
    let open = container.makeScope()
    async let running: Void = ContainerService(
      container, draining: .seconds(3600), signals: [ShutdownSignal(rawValue: SIGUSR2)]
    ).run()
    // While it drains, the container is not closed yet.
    try await send(SIGUSR2) { container.isClosed }
    do {
      try await running
      XCTFail("nothing was thrown")
    } catch {
      XCTAssertTrue(error.is(.disposalFailed), "\(error)")
    }
    XCTAssertEqual(journal.entries, ["disposed"])
    try await open.close()
  }

  /// The cancellation had ended what received the signals.
  func testASignalEndsTheDrainingOfACancelledServiceToo() async throws {
    let container = container
    let open = container.makeScope()
    let service = ContainerService(
      container, draining: .seconds(3600), signals: [ShutdownSignal(rawValue: SIGUSR1)])
    let task = Task { try await service.run() }
    task.cancel()
    try await wait(until: { container.makeScope().isClosed })
    try await send(SIGUSR1) { container.isClosed }
    try await task.value
    try await open.close()
  }

  /// A signal that came while no service ran ended the next one at once.
  func testASignalBelongsToTheServicesThatRun() async throws {
    let (first, second) = (Container(), Container())
    let signals: Set = [ShutdownSignal(rawValue: SIGUSR2)]
    async let running: Void = ContainerService(first, signals: signals).run()
    try await send(SIGUSR2) { first.isClosed }
    try await running
    let task = Task { try await ContainerService(second, signals: signals).run() }
    try await Task.sleep(for: .milliseconds(50))
    XCTAssertFalse(second.isClosed)
    task.cancel()
    try await task.value
  }

  func testAFrozenContainerIsShutDown() async throws {
    let frozen = try ContainerBuilder().configure { try $0.register(Int.self) { _ in 1 } }
      .build()
    try await ContainerService(frozen) {}.run()
    XCTAssertThrowsError(try frozen.resolve(Int.self)) { XCTAssertTrue($0.is(.containerClosed)) }
  }
}

private final class Tracker: Sendable {}
