// SPDX-License-Identifier: MIT

import Synchronization

/// The references between the instances of a run, by their serials. They outlive the instances.
///
/// Adding an event orders nothing before it: a lock would hide races between factories from
/// ThreadSanitizer.
@safe
final class ReferenceLog: @unchecked Sendable {
  // SAFETY: a node is written before it is added, and read by the one that takes it.

  enum Event {
    /// A factory began, for an instance with this serial.
    case began(Int, service: Int)
    /// The instance keeps a dependency.
    case refers(Int, to: Int)
    /// The factory or an action, or what they have started and did not wait for, got an instance.
    /// They may fail, and not keep it.
    case got(Int, by: Int)
    /// The factory or an action asked for a service in vain.
    case missed(Int, service: Int)
  }

  @safe
  private final class Node {
    let event: Event
    var next: Unmanaged<Node>?

    init(_ event: Event) {
      self.event = event
    }
  }

  private let last = unsafe Atomic<Unmanaged<Node>?>(nil)

  func add(_ event: Event) {
    let node = Node(event)
    let added = unsafe Unmanaged.passRetained(node)
    var found = unsafe last.load(ordering: .relaxed)
    while true {
      unsafe node.next = found
      // Only `take` acquires.
      let (isAdded, current) = unsafe last.compareExchange(
        expected: found, desired: added, successOrdering: .releasing, failureOrdering: .relaxed)
      if isAdded { return }
      unsafe found = current
    }
  }

  /// All events until now, which the log does not keep.
  func take() -> [Event] {
    var events: [Event] = []
    var next = unsafe last.exchange(nil, ordering: .acquiring)
    while let found = unsafe next {
      let node = unsafe found.takeRetainedValue()
      events.append(node.event)
      unsafe next = node.next
    }
    return events
  }

  deinit { _ = take() }
}
