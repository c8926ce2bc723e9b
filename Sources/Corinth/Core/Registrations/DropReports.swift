// SPDX-License-Identifier: MIT

internal import Synchronization

/// Who is told of dropped instances. One for the process: libraries make containers of their own.
enum DropReports {
  typealias Handler = @Sendable (DropReport) -> Void

  /// `nil` for none. Kept under the mutex of the wait-for graph, which a fork leaves free.
  static var handler: Handler? {
    get {
      WaitsMutex.lock()
      defer { WaitsMutex.unlock() }
      return unsafe current
    }
    set {
      WaitsMutex.lock()
      let former = unsafe current
      unsafe current = newValue
      isHeard.store(newValue != nil, ordering: .relaxed)
      WaitsMutex.unlock()
      // Let go of with the mutex given up.
      withExtendedLifetime(former) {}
    }
  }

  /// Whether there is a handler; read without the mutex.
  static let isHeard = Atomic<Bool>(initial != nil)

  /// Reports instances that a container has released, if there are any. No lock is held.
  static func report(
    _ cause: DropMark, of container: ContainerCore,
    _ instances: @autoclosure () -> [DroppedInstance]
  ) {
    guard isHeard.load(ordering: .relaxed) || Composition.isUsed else { return }
    let instances = instances()
    if instances.isEmpty { return }
    let cause = DropReport.Cause(cause, in: container)
    make(DropReport(cause: cause, instances: instances), of: container)
  }

  /// Makes a report. No lock is held.
  static func make(_ report: DropReport, of container: ContainerCore) {
    handler?(report)
    container.didDrop(report)
  }

  // SAFETY: only touched with the mutex of the wait-for graph held.
  nonisolated(unsafe) private static var current: Handler? = initial

  private static var initial: Handler? {
    #if DEBUG
      { StandardError.write("\($0)") }
    #else
      nil
    #endif
  }
}

/// Why a container has let instances go.
enum DropMark: UInt8 {
  case released = 1
  case overridden
  case removed
  /// The container was deallocated.
  case ended
}

extension DropReport.Cause {
  /// - Parameter container: the one that stored the instances.
  init(_ mark: DropMark, in container: ContainerCore) {
    self =
      switch mark {
      case .released: .released
      case .overridden: .overridden
      case .removed: .removed
      case .ended: container.scopeLocation.map { .scopeDropped(madeAt: $0) } ?? .containerDropped
      }
  }
}

extension RegistrationRecord {
  /// The instances that it stores, if they are to be disposed of.
  fileprivate var undisposedInstances: [DroppedInstance] {
    forms.filter(\.hasDisposers).flatMap(\.instances).filter(\.isBuilt).map { _ in dropped }
  }

  /// Lets the instances of all its forms go. One that is being built is reported at the end of its construction.
  ///
  /// - Returns: those that are to be disposed of, and whose end the caller now answers for.
  func dropInstances(_ mark: DropMark) -> [DroppedInstance] {
    var found: [DroppedInstance] = []
    for form in forms where form.policy.endsWithContainer {
      // Also without disposers: they may be known at the end of the construction.
      form.markDropped(mark)
      if form.hasDisposers { found += form.instances.filter { $0.claimEnd() }.map { _ in dropped } }
    }
    return found
  }

  /// Whether an instance that its construction has just stored may have been let go meanwhile.
  @inline(__always)
  func mayBeDropped(in container: ContainerCore) -> Bool {
    drop != nil || policy.storage == .requestScope && container.scope?.isDropped == true
  }

  /// Looks at an instance that its construction has just stored, and that may have been let go meanwhile. The disposers are
  /// read after the mark: one that the writer of the mark knew is then known here.
  ///
  /// - Parameter container: the one that the construction resolves dependencies in.
  /// - Returns: the report that the caller must make, if the instance was let go meanwhile.
  func reportIfDropped(_ box: AnyInstanceBox, in container: ContainerCore) -> DropReport? {
    guard hasDisposers else { return nil }
    var found = drop.map { (mark: $0, container: container) }
    if found == nil, policy.storage == .requestScope, let scope = container.scope, scope.isDropped {
      found = (.ended, scope)
    }
    guard let found, box.claimEnd() else { return nil }
    return DropReport(
      cause: DropReport.Cause(found.mark, in: found.container), instances: [dropped])
  }

  private var dropped: DroppedInstance { DroppedInstance(key: key, location: location) }
}

extension ContainerCore {
  /// The instances that it is to dispose of at its end.
  var undisposedInstances: [DroppedInstance] {
    var found: [DroppedInstance] = []
    forEachRegistration { record in
      if record.policy.endsWithContainer { found += record.undisposedInstances }
    }
    return found + scopedInstances
  }

  /// The instances that a request scope stores.
  private var scopedInstances: [DroppedInstance] { scopedInstances(closing: false, \.isBuilt) }

  /// Lets the instances go that a request scope stores. One that is being built is reported at the end of its
  /// construction.
  func dropScopedInstances() -> [DroppedInstance] {
    markDropped()
    return scopedInstances(closing: true) { $0.claimEnd() }
  }

  private func scopedInstances(
    closing: Bool, _ isIncluded: (InstanceState) -> Bool
  ) -> [DroppedInstance] {
    var found: [DroppedInstance] = []
    moveFromCells(closing: closing)
    instances.forEachEntry { entry in
      guard isIncluded(entry) else { return }
      found.append(DroppedInstance(key: entry.record.key, location: entry.record.location))
    }
    return found
  }
}

extension InstanceState {
  fileprivate var isBuilt: Bool {
    if case .built = current { true } else { false }
  }
}
