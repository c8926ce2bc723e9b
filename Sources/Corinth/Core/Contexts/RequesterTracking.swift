// SPDX-License-Identifier: MIT

internal import Synchronization

/// Whether factories get the requester: each transient then has a context to lead to the requester.
///
/// The switch of a container tree, kept in the root.
struct RequesterTracking: ~Copyable, Sendable {
  private let state = Atomic<Bool>(false)

  var isOn: Bool { state.load(ordering: .relaxed) }

  func turnOn() {
    if !state.exchange(true, ordering: .relaxed) { Self.count.add(1, ordering: .relaxed) }
  }

  deinit { if isOn { Self.count.subtract(1, ordering: .relaxed) } }

  /// Whether any container tree of the process is switched on.
  static var isUsed: Bool { users != 0 }

  /// The number of these trees.
  static var users: Int { count.load(ordering: .relaxed) }

  private static let count = Atomic<Int>(0)
}
