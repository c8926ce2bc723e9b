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

  /// Whether instances that end with a container may have deferred dependencies.
  static func mayExist(in core: ContainerCore) -> Bool {
    core.ending.haveDeferredDependencies || areDescribed
  }

  /// Notes that the instance under construction on the thread, if any, may resolve a key later.
  static func noteLaterResolve(of key: RegistrationKey, in core: ContainerCore) {
    noteLaterResolves(in: core)
    if !ResolveNotes.areTaken { return }
    if let slot = core.registeredSlot(of: key) {
      ResolveNotes.note(later: slot, in: core.table)
    } else {
      // A product derived from others, some of which may be registered later.
      ResolveNotes.noteUnknown()
    }
  }

  /// Notes that an instance of a container may resolve later. A scope builds no singleton.
  static func noteLaterResolves(in core: ContainerCore) {
    if !core.isScope { core.ending.noteLaterResolves() }
  }

  /// Notes a `Lazy` or a `Provider` made for an instance of a container, or of an ancestor.
  static func note(in core: ContainerCore) {
    for core in core.selfAndAncestors {
      if !core.ending.noteDeferredDependencies() { return }
    }
  }
}
