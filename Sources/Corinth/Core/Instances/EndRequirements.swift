// SPDX-License-Identifier: MIT

internal import Synchronization

/// The tasks of a container's end besides letting instances go. Only grow, until the
/// container is used again.
struct EndRequirements: ~Copyable, Sendable {
  private let disposal = Atomic<Bool>(false)
  private let awaitedDisposal = Atomic<Bool>(false)
  private let word = Atomic<UInt8>(0)

  private static var deferring: UInt8 { 1 }
  private static var resolvingLater: UInt8 { 2 }

  /// Whether instances may have to be disposed of, or be waited for.
  var requireDisposal: Bool { disposal.load(ordering: .acquiring) }

  /// Whether disposals may have to be awaited.
  var requireAwaitedDisposal: Bool { awaitedDisposal.load(ordering: .acquiring) }

  /// Notes that an instance may have to be disposed of, before the claim of the place.
  ///
  /// - Parameter isAwaited: whether the disposal, or the construction, takes a task.
  func expectDisposal(isAwaited: Bool) {
    // Published by the exchange that claims the place, and read after the exchange that seals the
    // place: a closer that misses the note has sealed before, and the claim fails.
    if !disposal.load(ordering: .relaxed) { disposal.store(true, ordering: .releasing) }
    if isAwaited { awaitedDisposal.store(true, ordering: .releasing) }
  }

  /// Whether some instances, here or elsewhere, may depend on instances completed later.
  var haveDeferredDependencies: Bool { word.load(ordering: .relaxed) & Self.deferring != 0 }

  /// Notes deferred dependencies of some instances.
  ///
  /// - Returns: `false` if noted already.
  func noteDeferredDependencies() -> Bool {
    // Noted before the instance is complete: a closing that finds the instance reads the note.
    !haveDeferredDependencies
      && word.bitwiseOr(Self.deferring, ordering: .relaxed).oldValue & Self.deferring == 0
  }

  /// Whether an instance may resolve later.
  var haveLaterResolves: Bool { word.load(ordering: .relaxed) & Self.resolvingLater != 0 }

  /// Notes later resolves of an instance.
  func noteLaterResolves() {
    // As above.
    if !haveLaterResolves { word.bitwiseOr(Self.resolvingLater, ordering: .relaxed) }
  }

  /// Forgets everything, for a container used again.
  func reset() {
    disposal.store(false, ordering: .relaxed)
    awaitedDisposal.store(false, ordering: .relaxed)
    word.store(0, ordering: .relaxed)
  }

  // MARK: - Disposers that come late

  private static let mayHaveLateDisposers = Atomic<Bool>(false)

  /// Notes that disposers may come after the instances of a scope. Pairs with the load below by the
  /// slot of the registration.
  static func expectLateDisposers() {
    mayHaveLateDisposers.store(true, ordering: .relaxed)
  }

  /// Whether a registration of scoped instances was ever modified. A scope that ends beside the
  /// modifier need not know of the disposer.
  static var areLateDisposersExpected: Bool { mayHaveLateDisposers.load(ordering: .relaxed) }
}
