// SPDX-License-Identifier: MIT

import BenchmarkSupport
import Corinth
import Foundation
internal import Synchronization

/// The measured part: one thread for each core resolves packages, a further thread overrides
/// packages.
final class Load: Sendable {
  struct Settings: Sendable {
    let seconds: Double
    let overridesPerSecond: Double
    let threads: Int
  }

  /// The counts of the run, and the resident memory on the way.
  struct Outcome: Sendable {
    var nanoseconds: UInt64 = 0
    var resolves: UInt64 = 0
    var latencies = LatencyHistogram()
    var overrides = 0
    /// The most objects that were retired and not yet reclaimed after an override. A thread that
    /// the system suspends in the middle of a resolve delays reclamation.
    var mostPending: UInt64 = 0
    var memoryAfterWarmUp: Int?
  }

  /// A single resolve of so many is timed: reading the clock would slow down the rest.
  static let samplingInterval = 64
  /// After this many seconds the memory in use should not grow any more.
  static let warmUpSeconds = 10.0

  private let packages: PackageContainer
  private let popularity: ZipfDistribution
  private let settings: Settings
  private let failures: Failures
  private let isOver = Atomic<Bool>(false)
  private let outcome = Mutex(Outcome())

  init(
    on packages: PackageContainer, popularity: ZipfDistribution, settings: Settings,
    failures: Failures
  ) {
    self.packages = packages
    self.popularity = popularity
    self.settings = settings
    self.failures = failures
  }

  func run() -> Outcome {
    let writer = settings.threads
    let nanoseconds = onThreads(settings.threads + 1) { [self] index in
      if index == writer { override() } else { resolve(seed: UInt64(index)) }
    }
    return outcome.withLock { outcome in
      outcome.nanoseconds = nanoseconds
      return outcome
    }
  }

  // MARK: - Resolving

  private func resolve(seed: UInt64) {
    var random = RandomBits(seed: seed)
    var latencies = LatencyHistogram()
    while !isOver.load(ordering: .relaxed) {
      for _ in 1..<Self.samplingInterval {
        let position = popularity.draw(&random)
        check(resolve(position), isAt: position)
      }
      let position = popularity.draw(&random)
      let begin = monotonicNanoseconds()
      let package = resolve(position)
      latencies.record(monotonicNanoseconds() - begin)
      check(package, isAt: position)
    }
    outcome.withLock { outcome in
      outcome.resolves += latencies.total * UInt64(Self.samplingInterval)
      outcome.latencies.add(latencies)
    }
  }

  @inline(__always)
  private func resolve(_ position: Int) -> Package? {
    do {
      return try packages.container.resolve(Package.self, name: packages.names[position])
    } catch {
      failures.record("\(error)")
      return nil
    }
  }

  @inline(__always)
  private func check(_ package: Package?, isAt position: Int) {
    guard let package, package.position != position else { return }
    failures.record("Resolving \(packages.names[position]) returned another package.")
  }

  // MARK: - Overriding

  /// Overrides packages at an even rate until the time is up, and then ends the load.
  private func override() {
    defer { isOver.store(true, ordering: .relaxed) }
    // Apart from the seeds of the resolving threads.
    var random = RandomBits(seed: .max)
    let progress = ProgressLine()
    defer { progress.clear() }
    var overrides = 0
    var mostPending: UInt64 = 0
    var shownSecond = -1
    let begin = monotonicNanoseconds()
    while true {
      let elapsed = Double(monotonicNanoseconds() - begin) / 1e9
      if elapsed >= settings.seconds { break }
      if Int(elapsed) > shownSecond {
        shownSecond = Int(elapsed)
        progress.show("\(shownSecond) of \(settings.seconds) s, \(overrides) overrides")
        if elapsed >= Self.warmUpSeconds { noteMemoryAfterWarmUp() }
      }
      let due = Double(overrides + 1) / settings.overridesPerSecond
      if elapsed < due {
        Thread.sleep(forTimeInterval: min(due, settings.seconds) - elapsed)
        continue
      }
      do {
        try packages.register(Int.random(in: packages.names.indices, using: &random))
      } catch {
        failures.record("\(error)")
      }
      overrides += 1
      let counts = Reclamation.counts
      mostPending = max(mostPending, counts.retired - counts.destroyed)
    }
    outcome.withLock { outcome in
      outcome.overrides = overrides
      outcome.mostPending = mostPending
    }
  }

  private func noteMemoryAfterWarmUp() {
    outcome.withLock { outcome in
      outcome.memoryAfterWarmUp = outcome.memoryAfterWarmUp ?? residentMemory()
    }
  }
}
