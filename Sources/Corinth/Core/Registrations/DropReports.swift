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

  /// Reports instances that a container has let go of, if there are any. No lock is held.
  static func report(
    _ cause: DropReport.Cause, of container: ContainerCore,
    _ instances: @autoclosure () -> [DroppedInstance]
  ) {
    guard isHeard.load(ordering: .relaxed) || Composition.isUsed else { return }
    let instances = instances()
    if instances.isEmpty { return }
    let report = DropReport(cause: cause, instances: instances)
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

extension RegistrationRecord {
  /// The instances that it stores, if they are to be disposed of.
  var undisposedInstances: [DroppedInstance] {
    if disposers.isEmpty { return [] }
    return instances.filter(\.isBuilt).map { _ in DroppedInstance(key: key, location: location) }
  }
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
  var scopedInstances: [DroppedInstance] {
    var found: [DroppedInstance] = []
    instances.forEachEntry { entry in
      guard entry.isBuilt else { return }
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
