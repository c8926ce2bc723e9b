// SPDX-License-Identifier: MIT

internal import Synchronization

/// Dependencies on instances that are completed after their dependents, as far as the library knows of them.
///
/// Closings look at the notes first: without one, the reverse order of completion is all there is.
enum DeferredDependencies {
  private static let described = Atomic<Bool>(false)

  /// Whether some were declared or recorded, in any container.
  static var areDescribed: Bool { described.load(ordering: .relaxed) }

  static func noteDescribed() {
    if !areDescribed { described.store(true, ordering: .relaxed) }
  }
}

extension ContainerCore {
  /// Whether instances that end with this container may have such dependencies.
  var mayHaveDeferredDependencies: Bool {
    instances.hasDeferredDependencies || DeferredDependencies.areDescribed
  }

  /// Notes that the construction that the thread runs, if it does, may have its instance resolve a key later.
  func noteLaterResolve(of key: RegistrationKey) {
    guard ResolveNotes.areTaken else { return }
    if let slot = registeredSlot(of: key) {
      ResolveNotes.note(later: slot, in: table)
    } else {
      // A product derived from others, some of which may be registered later.
      ResolveNotes.noteUnknown()
    }
  }

  /// Notes that a `Lazy` or a `Provider` was made for an instance of this container, or of one around it.
  func noteDeferredDependency() {
    for core in selfAndAncestors {
      if !core.instances.noteDeferredDependencies() { return }
    }
  }
}
