// SPDX-License-Identifier: MIT

internal import Corinth
internal import DialectSupport

/// Where the instance of an entry is kept, with the lock for those who build it.
// SAFETY: constant. The storage may be used by several threads, or is so with the lock held only.
final class KeptInstance: @unchecked Sendable {
  private let storage: any InstanceStorage
  /// The same, if several threads may use it at the same time.
  private let shared: (any SharedStorage)?
  /// The same, if it takes nothing but a look at it.
  private let permanent: PermanentStorage?
  /// The same, if it is of the default scope.
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

  /// The lock that a run needs to build; `nil` for none.
  func lock(in run: Run) -> ConstructionLock? {
    if isTransient || graph != nil && run.ownGraph?.resolution.isShared != true { return nil }
    if let shared { return shared.lock(for: run.graph, or: lock) }
    // Its functions get the identifier, with which they may resume the graph.
    run.graph.resolution.share()
    return lock
  }

  // An instance of another type than what is asked for is let go here, before one is made.

  /// The instance that the caller may have without the lock that it would need to build, or ``missing``.
  func settled(in run: Run, _ lock: ConstructionLock?, if fits: (Any) -> Bool) -> Any {
    if shared == nil { return missing }
    // In this order: an instance that is stored with the lock held may not be complete.
    let instance = instance(in: run, if: fits)
    return lock?.isFree ?? true ? instance : missing
  }

  /// The instance, if there is one of the type that is asked for, or ``missing``.
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

  /// Lets the instance go.
  func reset() { alone { storage.instance = nil } }

  /// Tells a storage of the user's that the graph is complete.
  func completeGraph() { alone { storage.graphResolutionCompleted() } }

  /// Runs `body` as the only one that uses the storage, or within a call of the holder, which waits for it.
  private func alone(_ body: () -> Void) {
    if shared != nil { return body() }
    let done: Void? = unlessCircular { try lock.withOpenableLock { _ in body() } }
    if done == nil { body() }
  }
}
