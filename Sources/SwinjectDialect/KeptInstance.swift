// SPDX-License-Identifier: MIT

internal import Corinth
internal import DialectSupport

/// Where the instance of an entry is kept, with the lock for those who build it.
// SAFETY: constant. The storage may be used by several threads, or is so with the lock held only.
final class KeptInstance: @unchecked Sendable {
  private let storage: any InstanceStorage
  /// The same, if it takes nothing but a look at it.
  private let permanent: PermanentStorage?
  private let isShared: Bool
  private let kind: Kind
  private let lock: ConstructionLock

  private enum Kind {
    case transient
    case graph
    case shared
  }

  init<Service>(
    _ scope: any ObjectScopeProtocol, of service: Service.Type, in core: Corinth.Container
  ) {
    storage = scope.makeStorage()
    permanent = storage as? PermanentStorage
    isShared = (storage as? any SharedStorage)?.isShared ?? false
    kind = storage is TransientStorage ? .transient : storage is GraphStorage ? .graph : .shared
    lock = ConstructionLock(for: service, in: core)
  }

  /// The instance that any caller may have at once.
  var settled: Any? { permanent?.instance.flatMap { lock.isFree ? $0 : nil } }

  /// The lock that a run needs to build; `nil` for none.
  func lock(in run: Run) -> ConstructionLock? {
    switch kind {
    case .transient: return nil
    case .shared:
      // Its functions get the identifier, with which they may resume the graph.
      if !isShared { run.graph.resolution.share() }
      return lock
    case .graph:
      let resolution = run.graph.resolution
      guard resolution.isShared else { return nil }
      return resolution.lock(of: storage) { lock.another() }
    }
  }

  /// The instance that the caller may have without the lock that it would need to build.
  func settled(in run: Run, _ lock: ConstructionLock?) -> Any? {
    guard isShared, let instance = instance(in: run) else { return nil }
    // Asked in this order: one that is stored with the lock held may not be complete.
    return lock?.isFree ?? true ? instance : nil
  }

  private func instance(in run: Run) -> Any? {
    kind == .transient ? nil : storage.instance(inGraph: run.graph)
  }

  /// The instance, if it is of the type that is asked for.
  func instance(in run: Run, if fits: (Any) -> Bool) -> Any? {
    instance(in: run).flatMap { fits($0) ? $0 : nil }
  }

  func store(_ instance: Any, in run: Run) {
    if kind == .transient { return }
    storage.setInstance(instance, inGraph: run.graph)
    if !isShared { run.noteStored(in: self) }
  }

  /// Lets the instance go.
  func reset() {
    alone { storage.instance = nil }
  }

  /// Tells a storage of the user's that the graph is complete.
  func completeGraph() {
    alone { storage.graphResolutionCompleted() }
  }

  /// Runs `body` as the only one that uses the storage, or within a call of the holder, which waits for it.
  private func alone(_ body: () -> Void) {
    if isShared { return body() }
    do {
      if try lock.withOpenableLock({ _ in body() }) == nil { body() }
    } catch {
      guard case ResolutionError.circularDependencyDetected = error else { endProgram(error) }
      body()
    }
  }
}
