// SPDX-License-Identifier: MIT

internal import Synchronization

/// Whether factories get the requester: each transient then has a context to lead to the requester.
///
/// The switch of a container tree, kept in the root.
struct RequesterTracking: ~Copyable, Sendable {
  private let state = Atomic<Bool>(false)

  var isOn: Bool { state.load(ordering: .relaxed) }

  func turnOn() { state.store(true, ordering: .relaxed) }

  /// Whether any container tree of the process has been switched.
  static var isUsed: Bool { used.load(ordering: .relaxed) }

  static func markUsed() { used.store(true, ordering: .relaxed) }

  private static let used = Atomic<Bool>(false)
}
