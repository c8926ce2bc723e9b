// SPDX-License-Identifier: MIT

import Corinth
import Foundation
import TestSupport
import XCTest

private struct Broken: Error {}

/// A service hears that it is to end from before its start on.
final class ContainerServiceStartTests: AsyncTestCase {
  @PerTest private var journal = Journal()

  override func setUpWithError() throws {
    let journal = journal
    try container.register(Int.self) { _ in 1 }.asSingleton()
      .onDispose { _ in journal.write("disposed") }
    _ = try container.resolve(Int.self)
  }

  func testItRunsOnWhenItsStartHasReturned() async throws {
    let (container, journal) = (container, journal)
    let (hasStarted, gate) = (AsyncGate(), AsyncGate())
    async let running: Void = ContainerService(container) { await gate.wait() }.run(starting: {
      journal.write("started")
      hasStarted.open()
    })
    await hasStarted.wait()
    try await Task.sleep(for: .milliseconds(10))
    XCTAssertFalse(container.isClosed)
    gate.open()
    try await running
    XCTAssertEqual(journal.entries, ["started", "disposed"])
  }

  func testAFailedStartShutsTheContainerDownAndIsThrown() async {
    let services = [
      ContainerService(container),
      ContainerService(container) { try await Task.sleep(for: .seconds(3600)) },
    ]
    for service in services {
      do {
        try await service.run(starting: { throw Broken() })
        XCTFail("nothing was thrown")
      } catch {
        XCTAssertTrue(error is Broken, "\(error)")
      }
      XCTAssertEqual(journal.entries, ["disposed"])
    }
  }

  func testErrorsOfTheStartAndOfTheShutdownAreBothThrown() async throws {
    try container.register(String.self) { _ in "" }.asSingleton()
      .onDispose { _ in throw Broken() }
    _ = try container.resolve(String.self)
    do {
      try await ContainerService(container).run(starting: { throw Broken() })
      XCTFail("nothing was thrown")
    } catch let error as ScopeError {
      XCTAssertTrue(error.error is Broken, "\(error)")
      XCTAssertEqual(error.closeError, .disposalFailed)
    }
  }

  func testASignalDuringAStartThatHangsEndsTheService() async throws {
    let gate = AsyncGate()
    let service = ContainerService(container, signals: [ShutdownSignal(rawValue: SIGUSR1)])
    try await service.run(starting: {
      // One is enough: it is received before the start.
      kill(getpid(), SIGUSR1)
      await gate.wait()
    })
    XCTAssertTrue(container.isClosed)
    XCTAssertEqual(journal.entries, ["disposed"])
    gate.open()
  }

  func testTheEndOfTheServiceCancelsItsStart() async throws {
    let (isStarting, isCancelled) = (AsyncGate(), AsyncGate())
    let service = ContainerService(container) { await isStarting.wait() }
    try await service.run(starting: {
      isStarting.open()
      do { try await Task.sleep(for: .seconds(3600)) } catch {
        isCancelled.open()
        throw error
      }
    })
    await isCancelled.wait()
    XCTAssertEqual(journal.entries, ["disposed"])
  }

  func testCancellationDuringTheStartEndsTheService() async throws {
    let (isStarting, gate) = (AsyncGate(), AsyncGate())
    let service = ContainerService(container)
    let task = Task {
      try await service.run(starting: {
        isStarting.open()
        await gate.wait()
      })
    }
    await isStarting.wait()
    task.cancel()
    try await task.value
    XCTAssertEqual(journal.entries, ["disposed"])
    gate.open()
  }

  // MARK: - Before the draining

  func testItIsAnnouncedBeforeTheContainerRefusesScopes() async throws {
    let (container, journal) = (container, journal)
    try await ContainerService(container) {}.run(
      starting: {},
      beforeDraining: {
        await Task.yield()
        do { try container.syncWithScope { _ in journal.write("request") } } catch {
          journal.write("\(error)")
        }
      })
    XCTAssertEqual(journal.entries, ["request", "disposed"])
  }

  func testAFailedStartIsNotAnnounced() async {
    let journal = journal
    do {
      try await ContainerService(container).run(
        starting: { throw Broken() }, beforeDraining: { journal.write("announced") })
      XCTFail("nothing was thrown")
    } catch {}
    XCTAssertEqual(journal.entries, ["disposed"])
  }

  func testTheSecondSignalEndsAnAnnouncementThatHangs() async throws {
    let journal = journal
    let (gate, isCancelled) = (AsyncGate(), AsyncGate())
    let service = ContainerService(container, signals: [ShutdownSignal(rawValue: SIGUSR1)])
    try await service.run(
      starting: { kill(getpid(), SIGUSR1) },
      beforeDraining: {
        journal.write("announced")
        kill(getpid(), SIGUSR1)
        try? await Task.sleep(for: .seconds(3600))
        isCancelled.open()
        await gate.wait()
      })
    XCTAssertEqual(journal.entries, ["announced", "disposed"])
    await isCancelled.wait()
    gate.open()
  }

  func testACancelledServiceIsAnnouncedToTheEnd() async throws {
    let journal = journal
    let hasStarted = AsyncGate()
    let service = ContainerService(container)
    let task = Task {
      try await service.run(
        starting: { hasStarted.open() },
        beforeDraining: {
          do { try await Task.sleep(for: .milliseconds(20)) } catch { journal.write("cancelled") }
          journal.write("announced")
        })
    }
    await hasStarted.wait()
    task.cancel()
    try await task.value
    XCTAssertEqual(journal.entries, ["announced", "disposed"])
  }
}
