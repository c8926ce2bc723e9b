// SPDX-License-Identifier: MIT

import Corinth
import Foundation
import TestSupport
import XCTest

/// Random shutdowns with limits of time, of containers whose disposers and constructions block
/// their threads or do not end, some of them while all threads that tasks share are blocked.
///
/// Invariants that are checked
///  1. The shutdown returns, with the container closed.
///  2. Disposers begin in the reverse order of the constructions, each once. A disposer reported as
///     late may begin later: on a busy machine its thread may not have run within the limit.
///  3. What is not reported has ended; what could not end is reported.
///  4. What is late ends in the end, and nothing is left.
///
/// By how much limits are exceeded depends on the machine: a run of many, `CORINTH_STRESS` says of
/// how many, tells.
final class LimitStressTests: StressTestCase {
  private let executor = OwnThread()
  private let tracker = LifetimeTracker()

  private var seed: UInt64 {
    ProcessInfo.processInfo.environment["CORINTH_SEED"].flatMap { UInt64($0) } ?? 1
  }

  func testShutdownsReturnWhateverBlocks() throws {
    var overruns: [Duration] = []
    for round in 0..<UInt64(StressSize.scaled(20)) {
      let shutdown = try RandomShutdown(
        SeededGenerator(seed: seed &* 1_000_003 &+ round), "seed \(seed), round \(round)", tracker)
      overruns.append(try shutdown.run(on: executor))
      if let run = testRun, run.totalFailureCount > 0 { return }
    }
    if StressSize.multiplier > 1 {
      let late = overruns.count { $0 > .seconds(1) }
      let worst = overruns.max() ?? .zero
      print("\(overruns.count) shutdowns, \(late) late by more than a second, one by \(worst)")
    }
    assertNoneLeftInTasks(tracker)
  }
}

/// One of them.
private struct RandomShutdown {
  /// What a disposer does.
  private enum Kind: CaseIterable {
    case quick, suspending, throwing, sleeping
    /// These end when the others may.
    case blocking, stubborn, blockingItsCancellation

    var endsByItself: Bool { self == .quick || self == .suspending || self == .throwing }
  }

  private struct Failure: Error {}

  private let place: String
  private let container = Container()
  private let kinds: [Kind]
  private let limits: (draining: Duration?, each: Duration, total: Duration?)
  private let hasOpenScope: Bool
  private let isBuilding: Bool
  private let blocksPool: Bool
  private let begun = EventLog()
  private let ended = EventLog()
  private let mayEnd = Gate()
  private let mayEndTasks = AsyncGate()

  init(_ generator: SeededGenerator, _ place: String, _ tracker: LifetimeTracker) throws {
    var random = generator
    func milliseconds(_ range: ClosedRange<Int>) -> Duration {
      .milliseconds(Int.random(in: range, using: &random))
    }
    self.place = place
    kinds = (0..<Int.random(in: 0...6, using: &random)).map { _ in
      Kind.allCases.randomElement(using: &random) ?? .quick
    }
    hasOpenScope = Bool.random(using: &random)
    isBuilding = Bool.random(using: &random)
    blocksPool = Bool.random(using: &random)
    let isDraining = hasOpenScope || Bool.random(using: &random)
    let hasTotal = Bool.random(using: &random)
    limits = (
      isDraining ? milliseconds(0...30) : nil, milliseconds(5...50),
      hasTotal ? milliseconds(0...100) : nil
    )
    for (index, kind) in kinds.enumerated() { try add(kind, "\(index)", tracker) }
  }

  private func add(_ kind: Kind, _ label: String, _ tracker: LifetimeTracker) throws {
    let (begun, ended, mayEnd, mayEndTasks) = (begun, ended, mayEnd, mayEndTasks)
    let registration = try container.register(
      Tracked.self, name: Name(label), scope: .singleton
    ) { _ in tracker.make() }
    switch kind {
    case .quick, .throwing, .blocking:
      registration.onDispose { _ in
        begun.add(label)
        defer { ended.add(label) }
        if kind == .throwing { throw Failure() }
        if kind == .blocking { mayEnd.wait() }
      }
    case .suspending, .sleeping, .stubborn, .blockingItsCancellation:
      registration.onDispose { _ async throws in
        begun.add(label)
        defer { ended.add(label) }
        switch kind {
        case .sleeping: try await Task.sleep(for: .seconds(3_600))
        case .stubborn: await mayEndTasks.wait()
        case .blockingItsCancellation:
          await withTaskCancellationHandler {
            await mayEndTasks.wait()
          } onCancel: {
            mayEnd.wait()
          }
        default: await Task.yield()
        }
      }
    }
    _ = try container.resolve(Tracked.self, name: Name(label))
  }

  /// The time that the shutdown may take.
  private var bound: Duration {
    let each = limits.each * (kinds.count + (isBuilding ? 1 : 0))
    return (limits.draining ?? .zero) + min(limits.total ?? each, each)
  }

  /// - Returns: by how much it exceeded its limits.
  func run(on executor: OwnThread) throws -> Duration {
    let builder = try isBuilding ? beginConstruction() : nil
    let scope = hasOpenScope ? container.makeScope() : nil
    let pool = blocksPool ? BlockedPool() : nil
    let (container, limits) = (container, limits)
    let (failures, open, time) = try executor.run {
      let begin = ContinuousClock.now
      var (failures, open): ([DisposalFailure], Int) = ([], 0)
      do {
        try await container.shutdown(
          draining: limits.draining, timeLimit: limits.each, totalTimeLimit: limits.total)
      } catch CloseError.disposalFailed(let found) {
        failures = found
      } catch CloseError.drainingTimedOut(let count, let found) {
        (open, failures) = (count, found)
      }
      return (failures, open, begin.duration(to: .now))
    }
    check(failures)
    XCTAssertEqual(open, hasOpenScope ? 1 : 0, place)
    mayEnd.open()
    mayEndTasks.open()
    pool?.end()
    if let builder { _ = builder.join() }
    try scope?.syncClose()
    checkTheEnd()
    return time - bound
  }

  /// A singleton that is under construction until the end.
  private func beginConstruction() throws -> JoinableThread<String> {
    let (isBegun, mayEnd, container) = (Gate(), mayEnd, container)
    try container.register(String.self, scope: .singleton) { _ in
      isBegun.open()
      mayEnd.wait()
      return "late"
    }.onDispose { [begun, ended] label in
      begun.add(label)
      ended.add(label)
    }
    let builder = JoinableThread { try container.resolve(String.self) }
    isBegun.wait()
    return builder
  }

  private func check(_ failures: [DisposalFailure]) {
    let all = kinds.indices.map(String.init)
    let failed = failures.map(\.key.name)
    let (begun, ended) = (begun.entries, ended.entries)
    let context = "\(place): \(kinds), \(limits), failed \(failed), begun \(begun), ended \(ended)"
    XCTAssertTrue(container.isClosed, context)
    let late = failures.filter { ($0.error as? TimeLimitExceeded)?.wasBegun == true }
    for (index, label) in begun.enumerated()
    where begun[..<index].contains(where: { $0 < label }) {
      XCTAssertTrue(late.contains { $0.key.name == Name(label) }, "order of \(label): \(context)")
    }
    XCTAssertEqual(Set(failed).count, failed.count, context)
    for label in all where !failed.contains(Name(label)) {
      XCTAssertTrue(ended.contains(label), "\(label): \(context)")
    }
    for (label, kind) in zip(all, kinds) where !kind.endsByItself || kind == .throwing {
      XCTAssertTrue(failed.contains(Name(label)), "\(label): \(context)")
    }
    XCTAssertEqual(failed.contains(nil), isBuilding, context)
  }

  private func checkTheEnd() {
    if isBuilding { blockUntil { ended.entries.contains("late") } }
    blockUntil { ended.entries.count == begun.entries.count }
    let entries = begun.entries
    XCTAssertEqual(Set(ended.entries), Set(entries), place)
    XCTAssertEqual(Set(entries).count, entries.count, place)
    XCTAssertEqual(entries.contains("late"), isBuilding, place)
  }
}
