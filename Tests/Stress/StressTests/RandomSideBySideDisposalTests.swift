// SPDX-License-Identifier: MIT

import Corinth
import TestSupport
import XCTest

/// Random containers whose disposers a test lets go one by one, beside an oracle that knows all
/// edges, hidden ones too.
///
/// Invariants that are checked
///  1. Each instance is disposed of once.
///  2. No disposer begins while that of a dependent runs, which comes before it in the order of a
///     sequential shutdown.
///  3. As many run at once as may, and are independent by what the library can know; neither more
///     nor fewer.
final class RandomSideBySideDisposalTests: XCTestCase {
  func testDisposersRunSideBySideAsFarAsTheirOrderIsKnownNotToMatter() async throws {
    let seed = ProcessInfo.processInfo.environment["CORINTH_SEED"].flatMap { UInt64($0) } ?? 1
    for round in 0..<UInt64(StressSize.scaled(400)) {
      let place = "seed \(seed), round \(round)"
      let watchdog = Watchdog(guarding: "\(name), \(place)")
      defer { watchdog.stop() }
      var random = SeededGenerator(seed: seed &* 1_000_003 &+ round)
      let world = try DisposalWorld(&random)
      try world.register()
      try await world.build(&random)
      let faults = try await run(world, &random)
      if !faults.isEmpty {
        XCTFail("\(place): \(faults)\n\(world.description)")
        return
      }
    }
  }

  /// Shuts the container down, and lets one disposer after the other go.
  ///
  /// - Returns: what is wrong.
  private func run(
    _ world: DisposalWorld, _ random: inout SeededGenerator
  ) async throws -> [String] {
    let oracle = DisposalOracle(world)
    let count = oracle.order.count
    let most = Int.random(in: 1...(count + 2), using: &random)
    let (container, stage) = (world.container, world.stage)
    let shutdown = Task {
      try await container.shutdown(timeLimit: .seconds(600), maximumConcurrency: most)
    }
    var (begun, ended) = (Set<Int>(), Set<Int>())
    func mayBegin(_ place: Int) -> Bool {
      !begun.contains(place)
        && !(0..<place).contains { !ended.contains($0) && oracle.waits(place, for: $0) }
    }
    var faults: [String] = []
    while ended.count < count, faults.isEmpty {
      let ready = (0..<count).filter(mayBegin)
      let expected = begun.count + min(ready.count, most - (begun.count - ended.count))
      let haveBegun = await stage.waitUntilBegun(expected)
      // Which of the ready ones take the free places depends on the end that was seen first.
      let found = Set(
        await stage.begun.compactMap { name in oracle.order.firstIndex { "\($0)" == name } })
      if !haveBegun || found.count != expected || !found.subtracting(begun).isSubset(of: ready) {
        let (names, readyNames) = (found.map { oracle.order[$0] }, ready.map { oracle.order[$0] })
        faults.append(
          "of \(oracle.order), at most \(most): \(names) have begun, \(expected) should have, of \(readyNames)"
        )
      }
      begun = found
      for place in begun.subtracting(ended) {
        for earlier in 0..<place
        where !ended.contains(earlier)
          && oracle.depends(oracle.order[earlier], on: oracle.order[place])
        {
          faults.append("\(oracle.order[place]) runs beside its dependent \(oracle.order[earlier])")
        }
      }
      guard let next = begun.subtracting(ended).sorted().randomElement(using: &random) else {
        faults.append("none may run")
        break
      }
      ended.insert(next)
      await stage.letGo("\(oracle.order[next])")
    }
    await stage.letAllGo()
    try await shutdown.value
    let disposed = await stage.ended
    if disposed.sorted() != oracle.order.map({ "\($0)" }).sorted() {
      faults.append("disposed of \(disposed), and not of \(oracle.order)")
    }
    return faults
  }
}

extension DisposalWorld: CustomStringConvertible {
  var description: String {
    parts.enumerated().map { number, part in
      let edges = part.edges.map {
        "\($0.target) \($0.way)\($0.isOfDecorator ? " (decorator)" : "")"
      }
      return "\(number): \(part.kind) -> \(edges)"
    }.joined(separator: "\n") + "\ncompleted: \(completed.withLock { $0 })"
  }
}
