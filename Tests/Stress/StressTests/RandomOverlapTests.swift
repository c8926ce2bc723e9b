// SPDX-License-Identifier: MIT

import Corinth
import TestSupport
import XCTest

/// Random containers whose instances know what they hold, however they came by it: no disposer runs
/// beside the disposer of an instance that leads to its own, and none runs twice.
final class RandomOverlapTests: XCTestCase {
  func testNoDisposerRunsBesideThatOfAHolder() async throws {
    let seed = ProcessInfo.processInfo.environment["CORINTH_SEED"].flatMap { UInt64($0) } ?? 1
    var overlaps = 0
    for round in 0..<UInt64(StressSize.scaled(400)) {
      let place = "seed \(seed), round \(round)"
      let watchdog = Watchdog(guarding: "\(name), \(place)")
      defer { watchdog.stop() }
      var random = SeededGenerator(seed: seed &* 1_000_003 &+ round)
      let world = try OverlapWorld(&random)
      let threads = Int.random(in: 1...3, using: &random)
      let some = Array((0..<world.count).shuffled(using: &random).prefix(world.count / 2))
      try world.build(some, threads: threads)
      if Bool.random(using: &random) { try world.replaceSome(&random) }
      if Bool.random(using: &random) { world.useSomeDeferred(&random) }
      try world.build((0..<world.count).shuffled(using: &random), threads: threads)
      let outcome = try await run(world, &random)
      overlaps += outcome.overlaps
      if let fault = outcome.fault {
        XCTFail("\(place): \(fault)\n\(world.description)")
        return
      }
    }
    // Otherwise nothing has run beside anything, and the test shows nothing.
    XCTAssertGreaterThan(overlaps, 0)
  }

  /// Shuts the container down, and lets one of the running disposers after the other go.
  private func run(
    _ world: OverlapWorld, _ random: inout SeededGenerator
  ) async throws -> (overlaps: Int, fault: String?) {
    let isOver = Locked(false)
    let shutdown = Task {
      defer { isOver.withLock { $0 = true } }
      try await world.container.shutdown(timeLimit: .seconds(600), maximumConcurrency: 20)
    }
    var overlaps = 0
    var fault: String?
    while !isOver.withLock({ $0 }), fault == nil {
      // Time for disposers that may begin.
      try await Task.sleep(for: .microseconds(300))
      let running = await world.stage.running.sorted()
      let nodes = world.nodes(running)
      if nodes.count > 1 { overlaps += 1 }
      for holder in nodes {
        for held in nodes where holder !== held && holder.reaches(held) {
          fault = "\(held.name) is disposed of beside \(holder.name), which leads to it"
        }
      }
      if let next = running.randomElement(using: &random) { await world.stage.letGo(next) }
    }
    await world.stage.letAllGo()
    try await shutdown.value
    let ended = await world.stage.ended
    if Set(ended).count < ended.count { fault = "disposed of twice: \(ended)" }
    return (overlaps, fault)
  }
}
