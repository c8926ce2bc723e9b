// SPDX-License-Identifier: MIT

internal import Synchronization

/// The resolves of the construction of an instance, if there were any.
final class InstanceDependencies: Sendable {
  let notes: ResolveNotes.Content
  /// Whether somebody may still resolve by the resolver of the construction.
  private let open: Atomic<Bool>

  init(_ notes: ResolveNotes.Content, isOpen: Bool) {
    self.notes = notes
    open = Atomic(isOpen)
  }

  /// Whether a resolver of the construction was kept, which may resolve anything.
  var isOpen: Bool { open.load(ordering: .acquiring) }

  /// Called when nothing refers to the construction any more.
  func close() {
    // Pairs with the load in `isOpen`.
    open.store(false, ordering: .releasing)
  }
}

extension AnyInstanceBox {
  /// The knowledge of the dependencies of an instance.
  enum Dependencies {
    /// The construction has noted nothing.
    case unknown
    case nothing
    case noted(InstanceDependencies)
  }
}
