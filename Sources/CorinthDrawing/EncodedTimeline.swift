// SPDX-License-Identifier: MIT

internal import Corinth
internal import CorinthTimeline

/// The constructions of a timeline, by the nodes of a graph.
struct EncodedTimeline: Encodable {
  struct Entry: Encodable {
    let node: Int
    /// In seconds.
    let start: Double
    let duration: Double
    let waitedFor: [Int]
    let task: String
  }

  let entries: [Entry]
  let criticalPath: [Int]

  /// - Returns: `nil` without any constructions. Running constructions, and constructions of no
  ///   node, are left out.
  init?(_ timeline: [Timeline.Entry], of graph: DependencyGraph) {
    if timeline.isEmpty { return nil }
    let nodes = graph.nearestRegistrations
    func node(_ index: Int) -> Int? { nodes[timeline[index].key] }
    entries = timeline.indices.compactMap { index -> Entry? in
      let entry = timeline[index]
      guard let own = node(index), let duration = entry.duration else { return nil }
      return Entry(
        node: own, start: entry.start / .seconds(1), duration: duration / .seconds(1),
        waitedFor: entry.waitedFor.compactMap(node), task: "\(entry.lane)")
    }
    criticalPath = timeline.criticalPath.compactMap(node)
  }
}
