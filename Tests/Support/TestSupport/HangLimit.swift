// SPDX-License-Identifier: MIT

public import Foundation

/// How long a test waits for an event before the event counts as missing. Minutes: a machine that
/// runs twenty other programs gives a thread its turn after seconds.
///
/// The environment variable `CORINTH_HANG_LIMIT` says it in seconds.
public let hangLimit: Duration = {
  guard let text = ProcessInfo.processInfo.environment["CORINTH_HANG_LIMIT"] else {
    return .seconds(240)
  }
  guard let seconds = Double(text), seconds > 0 else {
    preconditionFailure("CORINTH_HANG_LIMIT: '\(text)' must be a number above 0")
  }
  return .seconds(seconds)
}()

/// How many times as long as on an idle machine a test may take: by the programs that want each
/// processor now, four times at most.
var slowness: Double {
  var load = 0.0
  guard unsafe getloadavg(&load, 1) == 1 else { return 1 }
  return min(4, max(1, load / Double(ProcessInfo.processInfo.activeProcessorCount)))
}

extension Duration {
  /// For interfaces that know no durations.
  public var inSeconds: TimeInterval {
    TimeInterval(components.seconds) + TimeInterval(components.attoseconds) * 1e-18
  }
}

/// Waits until `condition` holds, for ``hangLimit`` at most. For events that nothing announces.
public func waitUntil(_ condition: () -> Bool) async {
  let deadline = ContinuousClock.now + hangLimit
  while !condition(), ContinuousClock.now < deadline {
    try? await Task.sleep(for: .milliseconds(1))
  }
}

/// As ``waitUntil(_:)``, on a thread that may block.
public func blockUntil(_ condition: () throws -> Bool) rethrows {
  let deadline = ContinuousClock.now + hangLimit
  while try !condition(), ContinuousClock.now < deadline {
    Thread.sleep(forTimeInterval: 0.001)
  }
}
