// SPDX-License-Identifier: MIT

internal import Synchronization

/// Whether factories get the requester: each transient then has a context to lead to the requester.
extension ContainerCore {
  /// Whether a registration of the container tree takes requesters. Asked only with paths tracked.
  ///
  /// - Complexity: O(*n*) in the number of ancestors.
  var tracksRequesters: Bool {
    guard RequesterTracking.isUsed else { return false }
    let isOn = firstOfSelfAndAncestors { $0.hasParent ? nil : $0.extrasIfMade?.requesters.isOn }
    return isOn ?? false
  }

  /// Makes ``tracksRequesters`` true for the whole container tree, for good.
  func trackRequesters() {
    RequesterTracking.markUsed()
    forEachOfSelfAndAncestors { if !$0.hasParent { $0.extras.requesters.turnOn() } }
    trackResolutions()
  }
}

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
