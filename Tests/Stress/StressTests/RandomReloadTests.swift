// SPDX-License-Identifier: MIT

import Corinth
import Foundation
import TestSupport
import XCTest

/// Random reloads of random graphs, against a model that knows which instances each of them
/// replaces.
///
/// Invariants that are checked, for each unit of work and for what is asked for outside of units
///  1. All that a unit sees is as the model of its version says, at any depth: no mixture.
///  2. There is one instance of a singleton for each *epoch*: the reloads between two that reach
///     it. Each epoch has another.
///  3. Each singleton is disposed of once, before all that it was made of.
///  4. What was built before a reload is there when it has ended.
///  5. A reload that fails changes nothing.
///  6. Nothing is left.
final class RandomReloadTests: XCTestCase {
  private var seed: UInt64 {
    ProcessInfo.processInfo.environment["CORINTH_SEED"].flatMap { UInt64($0) } ?? 1
  }

  func testEachReloadReplacesWhatDependsOnItsChangesAndNothingElse() async throws {
    try await runRounds(60, units: 0)
  }

  func testUnitsBesideRandomReloadsNeverSeeAMixture() async throws {
    try await runRounds(20, units: 4)
  }

  private func runRounds(_ count: Int, units: Int) async throws {
    for round in 0..<UInt64(StressSize.scaled(count)) {
      let watchdog = Watchdog(guarding: "\(name), seed \(seed), round \(round)")
      defer { watchdog.stop() }
      let random = SeededGenerator(seed: seed &* 1_000_003 &+ round)
      let world = ReloadWorld(random, "seed \(seed), round \(round), units \(units)")
      try await world.run(units: units)
      await world.checkNothingIsLeft()
      if let run = testRun, run.totalFailureCount > 0 { return }
    }
  }
}

extension ReloadWorld {
  fileprivate func run(units: Int) async throws {
    try registerBase()
    let reloadable = ReloadableContainer(base)
    let isOver = AtomicCounter()
    let seeds = (0..<units).map { _ in random.next() }
    let unitTasks = seeds.map { seed in
      Task {
        var unit = seed
        while isOver.value == 0 {
          unit &+= 1
          try await reloadable.scopes.withScope { [unit] scope in
            var random = SeededGenerator(seed: unit)
            for _ in 0..<4 {
              try await self.checkSome(of: scope, &random)
              await Task.yield()
            }
          }
        }
      }
    }
    var (scopes, disposals): ([Container], [Task<Void, any Error>]) = ([], [])
    for step in 0..<Int.random(in: 1...8, using: &random) {
      place = "step \(step)"
      try await checkSome(of: reloadable.current, &random)
      if Bool.random(using: &random) { scopes.append(try reloadable.scopes.makeScope()) }
      for scope in scopes { try await checkSome(of: scope, &random) }
      if let disposal = try await reload(reloadable, isAlone: units == 0) {
        disposals.append(disposal)
      }
      while scopes.count > Int.random(in: 0...3, using: &random) {
        let scope = scopes.remove(at: Int.random(in: scopes.indices, using: &random))
        // Or it is dropped.
        if Bool.random(using: &random) { try await scope.close() }
      }
      if scopes.isEmpty, Bool.random(using: &random) {
        for disposal in disposals { try await disposal.value }
      }
    }
    isOver.add()
    for task in unitTasks { try await task.value }
    scopes = []
    try await base.shutdown(draining: Bool.random(using: &random) ? .seconds(3600) : nil)
    for disposal in disposals { try await disposal.value }
    try await parent.shutdown()
  }

  /// Makes a reload that succeeds or fails, and checks what it has changed.
  func reload(
    _ reloadable: ReloadableContainer, isAlone: Bool
  ) async throws -> Task<Void, any Error>? {
    let before = reloadable.current
    let (built, created) = (built(in: models.latest), singletons.created)
    let change = nextChange()
    let failure = Int.random(in: 0..<8, using: &random)
    history.add(
      "reload \(change.number): \(change.changed), without \(change.removed)\(failure > 1 ? "" : ", fails")"
    )
    do {
      let disposal = try await reloadable.reload(
        maximumConcurrency: Bool.random(using: &random) ? 4 : 1
      ) { version in
        try make(change, in: version)
        if failure == 0 { throw Failure() }
        if failure == 1 { try addBomb(to: version) }
      }
      XCTAssert(failure > 1, place)
      models.succeed(change.number)
      history.add("reload \(change.number) has ended")
      if isAlone {
        let createdByReload = singletons.created
        XCTAssertGreaterThanOrEqual(createdByReload, created)
        for number in built where change.model.isPresent(number) {
          try await carrier(of: number, in: reloadable.current)
        }
        XCTAssertEqual(singletons.created, createdByReload, "built ahead: \(place)")
      }
      return disposal
    } catch let error where failure <= 1 {
      XCTAssert(error is Failure || error.is(.warmUpFailed), "\(error)")
      XCTAssert(reloadable.current === before, place)
      return nil
    }
  }
}
