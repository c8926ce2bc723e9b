// SPDX-License-Identifier: MIT

import TestSupport

/// Many histories, each from a seed of its own.
public struct HistorySuite {
  public struct Failure: CustomStringConvertible {
    public let seed: UInt64
    public let description: String
  }

  private let runner: HistoryRunner
  private let shrinks: Bool
  /// Enough histories to hide the start of a batch, few enough to keep their events in a cache.
  private let batch = 100

  /// - Parameter shrinks: whether to look for the smallest script that fails, which takes seconds.
  public init(on runner: HistoryRunner, shrinks: Bool = true) {
    self.runner = runner
    self.shrinks = shrinks
  }

  /// Runs histories until one is wrong.
  ///
  /// - Parameters:
  ///   - seed: of the first history; the others follow.
  ///   - progress: is called now and then with the number of histories run, and how many of them
  ///     since the last time had operations on one key that overlapped.
  public func firstFailure(
    from seed: UInt64, count: Int, progress: (Int, Int) -> Void = { _, _ in }
  ) -> Failure? {
    for first in stride(from: 0, to: count, by: batch) {
      let seeds = (first..<min(first + batch, count)).map { seed &+ UInt64($0) }
      let scripts = seeds.map { HistoryScript(seed: $0) }
      let watchdog = Watchdog(guarding: "A history of \(seeds.first ?? 0) to \(seeds.last ?? 0)")
      let verdicts = runner.run(scripts)
      watchdog.stop()
      for (index, verdict) in verdicts.enumerated() where !verdict.isRight {
        return failure(of: scripts[index], seed: seeds[index], verdict.problems)
      }
      settleReclamation()
      for (index, verdict) in verdicts.enumerated() where verdict.tracker.alive > 0 {
        let leak = "\(verdict.tracker.alive) instances are left"
        return failure(of: scripts[index], seed: seeds[index], [leak])
      }
      progress(first + seeds.count, verdicts.count(where: \.hasOverlaps))
    }
    return nil
  }

  private func failure(of script: HistoryScript, seed: UInt64, _ problems: [String]) -> Failure {
    var text = "History \(seed):\n\(script)\n\n" + problems.joined(separator: "\n")
    if !shrinks { return Failure(seed: seed, description: text) }
    if let smallest = HistoryShrinker(on: runner).shrink(script) {
      text += "\n\nThe smallest that fails as well:\n\(smallest.script)\n\n"
      text += smallest.problems.joined(separator: "\n")
    } else {
      text += "\nIt was not seen again."
    }
    return Failure(seed: seed, description: text)
  }
}
