// SPDX-License-Identifier: MIT
// Builds the eager singletons of the service one after the other, then several at once, and prints
// a line for every construction: the way, the key, the beginning and the duration in milliseconds,
// and whether the construction lies on the critical path.

import Corinth
import CorinthTimeline
import Foundation
import Orders

/// Starts the service on an empty database, without its server.
func timeline(of build: (Container) async throws -> Void) async throws -> Timeline {
  let folder = FileManager.default.temporaryDirectory.appending(path: "orders-\(UUID())")
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(at: folder) }
  let environment = Environment(["DATABASE": folder.appending(path: "orders.db").path])
  let container = try Application.makeContainer(environment: environment)
  let timeline = Timeline(of: container)
  try await build(container)
  timeline.stop()
  try await container.close()
  return timeline
}

/// The start of median length of many: the first one of a process takes longer, and the disk is not
/// always as fast.
func medianTimeline(of build: (Container) async throws -> Void) async throws -> Timeline {
  var timelines: [Timeline] = []
  for _ in 0..<21 { timelines.append(try await timeline(of: build)) }
  return timelines.sorted { length(of: $0) < length(of: $1) }[10]
}

func length(of timeline: Timeline) -> Duration {
  timeline.entries.map { $0.start + ($0.duration ?? .zero) }.max() ?? .zero
}

func printLines(of timeline: Timeline, _ way: String) {
  let entries = timeline.entries
  let critical = Set(entries.criticalPath)
  for (index, entry) in entries.enumerated() {
    let columns = [
      way, "\(entry.key.product)", milliseconds(entry.start),
      milliseconds(entry.duration ?? .zero), critical.contains(index) ? "1" : "0",
    ]
    print(columns.joined(separator: "\t"))
  }
}

func milliseconds(_ duration: Duration) -> String {
  String(format: "%.3f", duration / .milliseconds(1))
}

printLines(of: try await medianTimeline { try await $0.warmUp() }, "one after the other")
printLines(
  of: try await medianTimeline { try await $0.warmUp(maximumConcurrency: 8) }, "up to 8 at once")
