// SPDX-License-Identifier: MIT

internal import Corinth
public import DialectSupport
internal import Synchronization

/// Not generic, as a resolve through the protocol is not specialised.
extension Entry {
  /// What holds the instance that any caller may have at once.
  @usableFromInline var settled: HeldInstance? { storage.value?.settled }

  /// The instance; ``missing`` if it is not of the type that is asked for.
  ///
  /// - Parameters:
  ///   - container: gets the graph, and is passed to completions.
  ///   - fits: whether an instance is of the type that is asked for, and there.
  ///   - make: calls the factory.
  @usableFromInline func instance(
    in container: Container, if fits: (Any) -> Bool, or make: () -> Any
  ) -> Any {
    let kept = kept(in: container)
    return Run.nested(in: container) { run in
      let lock = kept.lock(in: run)
      let settled = kept.settled(in: run, lock, if: fits)
      if !isMissing(settled) { return settled }
      guard let lock else {
        let made = make()
        // The factory may have given its graph to other threads, which have a lock while they build.
        guard let lock = kept.lock(in: run) else { return complete(made, kept, run, fits) }
        return unlessCircular {
          try lock.withOpenableLock { complete(made, kept, run, fits, $0) }
        } ?? complete(made, kept, run, fits)
      }
      let instance = unlessCircular {
        try lock.withOpenableLock { open in
          let inner = kept.instance(in: run, if: fits)
          return isMissing(inner) ? complete(make(), kept, run, fits, open) : inner
        }
      }
      if let instance { return instance }
      // The caller, or a thread that waits for it, is building the instance. It is found if its factory has returned, and
      // its completions are waiting for this one. Otherwise it is made again: a factory that needs itself and ends by
      // itself is served, and one that does not ends at the limit of nesting.
      let inner = kept.instance(in: run, if: fits)
      return isMissing(inner) ? complete(make(), kept, run, fits) : inner
    }
  }

  /// Stores an instance and runs its completions, unless its factory has made another one in a resolve of its own.
  ///
  /// - Parameter open: has those get the instance whose wait for its completions would never end.
  private func complete(
    _ made: Any, _ kept: KeptInstance, _ run: Run, _ fits: (Any) -> Bool, _ open: () -> Void = {}
  ) -> Any {
    let inner = kept.instance(in: run, if: fits)
    if !isMissing(inner) { return inner }
    kept.store(made, in: run)
    guard fits(made) else { return missing }
    guard hasCompletions.load(ordering: .acquiring) else { return made }
    open()
    for completion in settings.value.completions { completion(run.container, made) }
    return made
  }
}
