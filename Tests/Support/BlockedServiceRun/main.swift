// SPDX-License-Identifier: MIT

import Corinth
import Foundation
import TestSupport

// A service whose requests block all threads that tasks share, and that signals end.
//
//   BlockedServiceRun 1|2 [own | preparing | free]
//
// With "own" it has a last resort of its own, with "preparing" something runs before the draining,
// and with "free" no thread is blocked.

let arguments = CommandLine.arguments.dropFirst()
guard let signals = arguments.first.flatMap({ Int($0) }) else { exit(64) }
let mode = arguments.dropFirst().first

struct Pool: Sendable {}
struct Report: Sendable {}

// A hanging service is a failure.
alarm(UInt32(hangLimit.inSeconds))
// The test reads one stream.
dup2(STDOUT_FILENO, STDERR_FILENO)

let container = Container()
container.tracksScopes = true
try container.register(Pool.self, scope: .singleton, with: .onDispose { _ in }.eager) { _ in
  Pool()
}
let isBuilding = DispatchSemaphore(value: 0)
try container.register(Report.self, scope: .singleton) { _ in
  isBuilding.signal()
  Thread.sleep(forTimeInterval: 3_600)
  return Report()
}

@Sendable func end(with report: String) {
  print("own: \(report)")
  exit(3)
}

let service = ContainerService(
  container, draining: .milliseconds(50), timeLimit: .seconds(60),
  totalTimeLimit: .milliseconds(100), lastResort: mode == "own" ? end : nil, signals: [.terminate])

/// Blocks all threads that tasks share, then sends the signals, and never returns.
@Sendable func block() {
  Thread.detachNewThread {
    let scope = container.makeScope()
    if mode != "free" {
      Thread.detachNewThread { _ = try? container.resolve(Report.self) }
      isBuilding.wait()
      _ = BlockedPool()
    }
    kill(getpid(), SIGTERM)
    // Two signals that come before the first is seen are one signal: the second signal is sent
    // again and again.
    while signals > 1 {
      Thread.sleep(forTimeInterval: 0.2)
      kill(getpid(), SIGTERM)
    }
    withExtendedLifetime(scope) { Thread.sleep(forTimeInterval: 3_600) }
  }
}

do {
  if mode == "preparing" {
    try await service.run(
      starting: {
        try await container.warmUp()
        block()
      }, beforeDraining: {})
  } else {
    try await service.run(starting: {
      try await container.warmUp()
      block()
    })
  }
  print("ended")
} catch {
  print("ended: \(error)")
}
