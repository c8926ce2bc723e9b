// SPDX-License-Identifier: MIT

import Corinth
import Foundation
import TestSupport
import XCTest

private struct Broken: Error {}

/// Time enough for a start that does nothing to return, which nothing else tells.
func waitForTheStart() async throws {
  try await Task.sleep(for: .seconds(1))
}

/// A service hears that it is to end from before its start on.
final class ContainerServiceStartTests: AsyncTestCase {
  @PerTest private var journal = Journal()

  override func setUpWithError() throws {
    let journal = journal
    try container.register(Int.self) { _ in 1 }.as(.singleton)
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

  private func assertThatAFailedStartEndsAService(
    _ make: (Container) -> ContainerService, line: UInt = #line
  ) async throws {
    for failure in [Broken(), CancellationError()] as [any Error] {
      let (container, journal) = (Container(), Journal())
      try container.register(Int.self) { _ in 1 }.as(.singleton)
        .onDispose { _ in journal.write("disposed") }
      _ = try container.resolve(Int.self)
      do {
        try await make(container).run(
          starting: { throw failure }, beforeDraining: { journal.write("prepared") })
        XCTFail("nothing was thrown", line: line)
      } catch {
        XCTAssertEqual("\(error)", "\(failure)", line: line)
      }
      XCTAssertEqual(journal.entries, ["disposed"], line: line)
    }
  }

  func testAFailedStartShutsTheContainerDownAndIsThrown() async throws {
    try await assertThatAFailedStartEndsAService { ContainerService($0) }
    try await assertThatAFailedStartEndsAService {
      ContainerService($0) { try await Task.sleep(for: .seconds(3600)) }
    }
  }

  // The service waited for the function, and the error of the start was not heard of.
  func testAFailedStartDoesNotWaitForAFunctionThatIgnoresItsCancellation() async throws {
    let gate = AsyncGate()
    try await assertThatAFailedStartEndsAService { ContainerService($0) { await gate.wait() } }
    gate.open()
  }

  func testErrorsOfTheStartAndOfTheShutdownAreBothThrown() async throws {
    try container.register(String.self) { _ in "" }.as(.singleton)
      .onDispose { _ in throw Broken() }
    _ = try container.resolve(String.self)
    do {
      try await ContainerService(container).run(starting: { throw Broken() })
      XCTFail("nothing was thrown")
    } catch CloseError.workFailed(let error, let closeError) {
      XCTAssertTrue(error is Broken, "\(error)")
      XCTAssertEqual(closeError, .disposalFailed)
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

  func testASignalDuringAStartDrainsAndDoesNotPrepare() async throws {
    let container = container
    let service = ContainerService(container, signals: [ShutdownSignal(rawValue: SIGUSR1)])
    let journal = journal
    try await service.run(
      starting: {
        try await container.withScope { _ in
          kill(getpid(), SIGUSR1)
          do { try await Task.sleep(for: .seconds(3600)) } catch { journal.write("request ended") }
        }
      }, beforeDraining: { journal.write("prepared") })
    XCTAssertEqual(journal.entries, ["request ended", "disposed"])
  }

  func testAConstructionOfAStartThatHangsIsWaitedForUpToTheTimeLimit() async throws {
    let (container, gate) = (container, AsyncGate())
    try container.registerAsync(String.self) { _ in
      kill(getpid(), SIGUSR1)
      await gate.wait()
      return ""
    }.as(.singleton)
    let service = ContainerService(
      container, timeLimit: .seconds(1), signals: [ShutdownSignal(rawValue: SIGUSR1)])
    do {
      try await service.run(starting: { _ = try await container.resolveAsync(String.self) })
      XCTFail("nothing was thrown")
    } catch {
      XCTAssertEqual(error as? CloseError, .disposalFailed)
    }
    XCTAssertEqual(journal.entries, ["disposed"])
    gate.open()
  }

  // MARK: - Before the draining

  func testItPreparesBeforeTheContainerRefusesScopes() async throws {
    let (container, journal) = (container, journal)
    let service = ContainerService(container) { try await waitForTheStart() }
    try await service.run(
      starting: {},
      beforeDraining: {
        await Task.yield()
        do { try await container.withScope { _ in journal.write("request") } } catch {
          journal.write("\(error)")
        }
      })
    XCTAssertEqual(journal.entries, ["request", "disposed"])
  }

  func testItPreparesAlsoIfItsFunctionFails() async throws {
    let journal = journal
    let service = ContainerService(container) {
      try await waitForTheStart()
      throw Broken()
    }
    do {
      try await service.run(starting: {}, beforeDraining: { journal.write("prepared") })
      XCTFail("nothing was thrown")
    } catch {
      XCTAssertTrue(error is Broken, "\(error)")
    }
    XCTAssertEqual(journal.entries, ["prepared", "disposed"])
  }

  func testTheSecondSignalEndsAPreparationThatHangsAndOmitsTheDraining() async throws {
    let journal = journal
    let (gate, isCancelled) = (AsyncGate(), AsyncGate())
    let scope = container.makeScope()
    let service = ContainerService(
      container, draining: .seconds(3600), signals: [ShutdownSignal(rawValue: SIGUSR1)])
    async let running: Void = service.run(
      starting: {},
      beforeDraining: {
        journal.write("prepared")
        kill(getpid(), SIGUSR1)
        try? await Task.sleep(for: .seconds(3600))
        isCancelled.open()
        await gate.wait()
      })
    try await waitForTheStart()
    kill(getpid(), SIGUSR1)
    try await running
    XCTAssertEqual(journal.entries, ["prepared", "disposed"])
    XCTAssertThrowsError(try scope.resolve(Int.self)) {
      XCTAssertTrue($0.is(.containerClosed), "\($0)")
    }
    await isCancelled.wait()
    gate.open()
  }

  func testAServiceThatIsCancelledPreparesToTheEnd() async throws {
    let journal = journal
    let service = ContainerService(container)
    let task = Task {
      try await service.run(
        starting: {},
        beforeDraining: {
          do { try await Task.sleep(for: .milliseconds(20)) } catch { journal.write("cancelled") }
          journal.write("prepared")
        })
    }
    try await waitForTheStart()
    task.cancel()
    try await task.value
    XCTAssertEqual(journal.entries, ["prepared", "disposed"])
  }
}
