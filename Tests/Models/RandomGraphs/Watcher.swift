// SPDX-License-Identifier: MIT

/// A behavior of a container.
public struct WatcherDescription: Equatable, Sendable {
  public enum Events: String, CaseIterable, Sendable {
    case all, constructions, resolves
    /// Failures and disposals.
    case ends
  }

  public var container: Int
  public var events: Events
  public var isTimed = false
  /// The service that the behavior resolves when told of something.
  public var target: Int?
  /// The time between the beginning of the callers and the addition; `nil` for an addition before.
  public var after: Int?
}

extension WatcherDescription: CustomStringConvertible {
  /// Its line in the text of a graph, without the first word.
  public var description: String {
    var words = ["in", "c\(container)", events.rawValue]
    if isTimed { words.append("timed") }
    if let target { words.append("asks:s\(target)") }
    if let after { words.append("after:\(after)") }
    return words.joined(separator: " ")
  }

  init?(_ words: ArraySlice<Substring>) {
    var words = words
    guard words.popFirst() == "in", let container = words.popFirst()?.index(after: "c"),
      let events = words.popFirst().flatMap({ Events(rawValue: String($0)) })
    else { return nil }
    self.init(container: container, events: events)
    for word in words {
      if word == "timed" {
        isTimed = true
      } else if let target = word.index(after: "asks:s") {
        self.target = target
      } else if let after = word.index(after: "after:") {
        self.after = after
      } else {
        return nil
      }
    }
  }
}

extension GraphDescription {
  /// Removes the resolves of behaviors that no deinit could make either: a behavior is called
  /// inside of any construction, on any thread.
  mutating func keepWatchersPlain() {
    let areResolvable = areResolvableAnywhere
    for index in watchers.indices {
      guard let target = watchers[index].target else { continue }
      let lineage = lineage(of: watchers[index].container)
      if !lineage.contains(services[target].container) || !areResolvable[target] {
        watchers[index].target = nil
      }
    }
  }
}
