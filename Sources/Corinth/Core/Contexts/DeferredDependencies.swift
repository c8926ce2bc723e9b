// SPDX-License-Identifier: MIT

internal import Synchronization

/// Known dependencies on instances completed after their dependents.
///
/// Closings look here first: without a note, the reverse order of completion suffices.
enum DeferredDependencies {
  private static let described = Atomic<Bool>(false)

  /// Whether some were declared or recorded, in any container.
  static var areDescribed: Bool { described.load(ordering: .relaxed) }

  static func noteDescribed() {
    if !areDescribed { described.store(true, ordering: .relaxed) }
  }
}

extension ContainerCore {
  /// Whether instances that end with the container may have deferred dependencies.
  var mayHaveDeferredDependencies: Bool {
    instances.hasDeferredDependencies || DeferredDependencies.areDescribed
  }

  /// Notes that the instance under construction on the thread, if any, may resolve a key later.
  func noteLaterResolve(of key: RegistrationKey) {
    noteLaterResolves()
    if !ResolveNotes.areTaken { return }
    if let slot = registeredSlot(of: key) {
      ResolveNotes.note(later: slot, in: table)
    } else {
      // A product derived from others, some of which may be registered later.
      ResolveNotes.noteUnknown()
    }
  }

  /// Notes that an instance of the container may resolve later. A scope builds no singleton.
  func noteLaterResolves() {
    if !isScope { instances.noteLaterResolves() }
  }

  /// Notes a `Lazy` or a `Provider` made for an instance of the container, or of an ancestor.
  func noteDeferredDependency() {
    for core in selfAndAncestors {
      if !core.instances.noteDeferredDependencies() { return }
    }
  }
}
