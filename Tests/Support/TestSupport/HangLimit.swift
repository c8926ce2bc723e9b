// SPDX-License-Identifier: MIT

/// How long a test waits for an event before the event counts as missing. Minutes: a machine that runs twenty other programs
/// gives a thread its turn after seconds.
public let hangLimit = Duration.seconds(240)

/// Waits until `condition` holds, for ``hangLimit`` at most. For events that nothing announces.
public func waitUntil(_ condition: () -> Bool) async {
  let deadline = ContinuousClock.now + hangLimit
  while !condition(), ContinuousClock.now < deadline {
    try? await Task.sleep(for: .milliseconds(1))
  }
}
