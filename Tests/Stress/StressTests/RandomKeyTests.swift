// SPDX-License-Identifier: MIT

import Corinth
import Foundation
import TestSupport
import XCTest

/// Random registrations under declared keys, under types, and under both, against an oracle.
///
/// The oracle knows for each container and each slot who serves: a registration made somewhere, or
/// the default. Invariants that are checked after every step
///  1. A resolve gets an instance of the registration, or of the default, that the oracle names.
///  2. A singleton is one instance for the container that keeps it, until its registration changes.
///  3. A key is never missing; a type without a registration is.
///  4. A fork sees what its base had at its beginning, whatever is used first and where.
///  5. A version sees what its reload has registered, also in what a default is made of, whether
///     the default was used before the reload or not.
///  6. What one thread changes is seen by those that are to see it, and by nobody else; a fork made
///     meanwhile sees one state for good.
final class RandomKeyTests: XCTestCase {
  private var seed: UInt64 {
    ProcessInfo.processInfo.environment["CORINTH_SEED"].flatMap { UInt64($0) } ?? 1
  }

  /// `CORINTH_STRESS=2000` makes 100,000 worlds, of 20 steps each.
  func testKeysAndTypesAreWhatAnOracleSays() async throws {
    for round in 0..<StressSize.scaled(50) {
      let watchdog = Watchdog(guarding: "\(name), seed \(seed), round \(round)")
      defer { watchdog.stop() }
      let world = KeyWorld(seed: seed &* 1_000_003 &+ UInt64(round))
      do {
        for _ in 0..<20 {
          try await world.step()
          try world.check()
        }
        if round % 4 == 0 {
          try await world.race()
          try world.check()
        }
        try await world.end()
      } catch {
        XCTFail("\(error)")
      }
      if let run = testRun, run.totalFailureCount > 0 {
        return XCTFail("seed \(seed), round \(round):\n\(world.log.joined(separator: "\n"))")
      }
    }
  }
}
