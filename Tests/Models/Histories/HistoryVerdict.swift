// SPDX-License-Identifier: MIT

public import TestSupport

/// What is wrong with a history, if anything is.
public struct HistoryVerdict: Sendable {
  public let problems: [String]
  /// Counts its instances, of which none is left in the end.
  public let tracker: LifetimeTracker

  /// Whether operations on one key have overlapped: if not, the history tells nothing about
  /// threads.
  public let hasOverlaps: Bool

  public var isRight: Bool { problems.isEmpty }

  public init(_ events: [HistoryEvent], built: Int, _ tracker: LifetimeTracker) {
    self.tracker = tracker
    hasOverlaps = (0..<HistoryScript.keys).contains { key in
      let byStart = events.filter { $0.operation.key == key }
        .sorted { $0.time.lowerBound < $1.time.lowerBound }
      return zip(byStart, byStart.dropFirst()).contains { $1.time.lowerBound < $0.time.upperBound }
    }
    var problems: [String] = []
    for event in events {
      if case .unexpected(let error) = event.outcome { problems.append("\(event): \(error)") }
    }
    for key in 0..<HistoryScript.keys {
      let ofKey = events.filter { $0.operation.key == key }
      var checker = LinearizabilityChecker(ofKey)
      if let violation = checker.violation() {
        problems.append("Key \(key) is not linearizable.\n\(violation)")
      }
    }
    // A factory that runs twice for one registration, or for one release, builds what nobody is
    // given.
    let returned = Set(events.compactMap { $0.instance?.number })
    if built != returned.count {
      problems.append("\(built) instances were built, and \(returned.count) returned.")
    }
    self.problems = problems
  }
}
