// SPDX-License-Identifier: MIT

/// Decides whether the operations on one key can have been done one after the other.
///
/// The search of J. Wing and C. Gong ("Testing and verifying concurrent objects", 1993): the next
/// operation is one that no other has preceded as a whole. With G. Lowe's memory ("Testing for
/// linearizability", 2017): what led nowhere, as a set of operations done and a state, is not tried
/// again.
///
/// Keys are checked one by one, as a history is linearizable exactly when each object's part of it
/// is (M. Herlihy and J. Wing, "Linearizability", 1990).
struct LinearizabilityChecker {
  private let events: [HistoryEvent]
  private let specification: KeySpecification
  /// For each event, those that have returned the same instance, itself included.
  private let sameInstance: [UInt64]
  private var deadEnds: Set<Configuration> = []
  private var order: [Int] = []
  private var longest: [Int] = []

  private struct Configuration: Hashable {
    let done: UInt64
    let state: KeySpecification.State
  }

  /// - Parameter events: those of one key, 64 at most.
  init(_ events: [HistoryEvent]) {
    precondition(events.count <= 64, "LinearizabilityChecker.init: 'events' must be 64 at most")
    let events = events.sorted { $0.time.lowerBound < $1.time.lowerBound }
    self.events = events
    specification = KeySpecification(events)
    var byInstance: [Int: UInt64] = [:]
    for (index, event) in events.enumerated() {
      if let number = event.instance?.number { byInstance[number, default: 0] |= 1 << index }
    }
    sameInstance = events.map { $0.instance.flatMap { byInstance[$0.number] } ?? 0 }
  }

  /// The longest order found that the specification allows, and the operations that cannot follow
  /// on it; `nil` when the history is linearizable.
  mutating func violation() -> Violation? {
    if search(done: 0, state: KeySpecification.State()) { return nil }
    let left = events.indices.filter { !longest.contains($0) }
    return Violation(order: longest.map { events[$0] }, left: left.map { events[$0] })
  }

  struct Violation {
    let order: [HistoryEvent]
    let left: [HistoryEvent]
  }

  private mutating func search(done: UInt64, state: KeySpecification.State) -> Bool {
    if order.count == events.count { return true }
    let configuration = Configuration(done: done, state: state)
    if !deadEnds.isEmpty, deadEnds.contains(configuration) { return false }
    let firstEnd = firstEnd(notIn: done)
    for (index, event) in events.enumerated() where done & 1 << index == 0 {
      // In the order of their starts: all others have been preceded as a whole, too.
      if event.time.lowerBound > firstEnd { break }
      let isNew = sameInstance[index] & done == 0
      guard let next = specification.next(state, event, isNew: isNew) else { continue }
      order.append(index)
      if search(done: done | 1 << index, state: next) { return true }
      order.removeLast()
    }
    if order.count > longest.count { longest = order }
    deadEnds.insert(configuration)
    return false
  }

  private func firstEnd(notIn done: UInt64) -> Int {
    var first = Int.max
    for (index, event) in events.enumerated() where done & 1 << index == 0 {
      first = min(first, event.time.upperBound)
    }
    return first
  }
}

extension HistoryEvent {
  var instance: HistoryInstance? {
    if case .instance(let found) = outcome { found } else { nil }
  }
}
