// SPDX-License-Identifier: MIT

internal import Corinth
internal import DialectSupport

/// The storage for the instance of an entry, with the lock for building the instance.
// SAFETY: constant. Several threads may use the storage at once, or only the holder of the lock
// uses the storage.
final class KeptInstance: @unchecked Sendable {
  private let storage: any InstanceStorage
  /// The storage, if several threads may use the storage at the same time.
  private let shared: (any SharedStorage)?
  /// The storage, if a look at the storage is all that a hit takes.
  private let permanent: PermanentStorage?
  /// The storage, if the scope is the default scope.
  private let graph: GraphStorage?
  private let isTransient: Bool
  private let lock: ConstructionLock

  init<Service>(
    _ scope: any ObjectScopeProtocol, of service: Service.Type, in core: Corinth.Container
  ) {
    storage = scope.makeStorage()
    shared = (storage as? any SharedStorage).flatMap { $0.isShared ? $0 : nil }
    permanent = storage as? PermanentStorage
    graph = storage as? GraphStorage
    isTransient = storage is TransientStorage
    lock = ConstructionLock(for: service, in: core)
  }

  /// The instance that any caller may have at once.
  var settled: HeldInstance? {
    guard let held = permanent?.held.load(), lock.isFree, !isMissing(held.instance) else {
      return nil
    }
    return held
  }

  /// The lock with which a run must build; `nil` for none.
  func lock(in run: Run) -> ConstructionLock? {
    if isTransient || graph != nil && run.ownGraph?.resolution.isShared != true { return nil }
    if let shared { return shared.lock(for: run.graph, or: lock) }
    // The functions of the storage get the identifier, and may resume the graph with the
    // identifier.
    run.graph.resolution.share()
    return lock
  }

  // The functions below release an instance of an unfitting type before the caller makes a new
  // instance.

  /// The instance that the caller may have without the lock for building, or ``missing``.
  func settled(in run: Run, _ lock: ConstructionLock?, if fits: (Any) -> Bool) -> Any {
    if shared == nil { return missing }
    // The order matters: an instance that was stored with the lock held may not be complete.
    let instance = instance(in: run, if: fits)
    return lock?.isFree ?? true ? instance : missing
  }

  /// The instance, if present and of the type to resolve, or ``missing``.
  func instance(in run: Run, if fits: (Any) -> Bool) -> Any {
    if isTransient { return missing }
    let instance = instance(in: run)
    return fits(instance) ? instance : missing
  }

  private func instance(in run: Run) -> Any {
    guard let graph else { return storage.instance(inGraph: run.graph) ?? missing }
    return run.ownGraph.flatMap { graph.instance(inGraph: $0) } ?? missing
  }

  func store(_ instance: Any, in run: Run) {
    if isTransient { return }
    if let graph { return graph.set(instance, inGraph: run.graph) }
    storage.setInstance(instance, inGraph: run.graph)
    if shared == nil { run.noteStored(in: self) }
  }

  /// Releases the instance.
  func reset() { alone { storage.instance = nil } }

  /// Tells a custom storage that the graph is complete.
  func completeGraph() { alone { storage.graphResolutionCompleted() } }

  /// Runs `body` as the only user of the storage, or within a call of the lock's holder, which
  /// waits for `body`.
  private func alone(_ body: () -> Void) {
    if shared != nil { return body() }
    let done: Void? = unlessCircular { try lock.withOpenableLock { _ in body() } }
    if done == nil { body() }
  }
}
