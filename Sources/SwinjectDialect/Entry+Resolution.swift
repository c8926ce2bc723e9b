// SPDX-License-Identifier: MIT

internal import Corinth
public import DialectSupport
internal import Synchronization

/// Not generic, since a resolve through the protocol is not specialized.
extension Entry {
  /// The holder of the instance that any caller may have at once.
  @usableFromInline var settled: HeldInstance? { storage.value?.settled }

  /// The instance; ``missing`` if the instance is not of the type to resolve.
  ///
  /// - Parameters:
  ///   - container: gets the graph, and is passed to completions.
  ///   - fits: whether an instance is present and of the type to resolve.
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
        // The factory may have given the graph to other threads; threads in a shared graph build
        // with a lock held.
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
      // The caller, or a thread waiting for the caller, is building the instance. The instance is
      // found if the factory has returned and the completions wait for the caller. Otherwise the
      // instance is made again: a factory that needs its own service and ends the recursion is
      // served, and an endless recursion ends at the limit of nesting.
      let inner = kept.instance(in: run, if: fits)
      return isMissing(inner) ? complete(make(), kept, run, fits) : inner
    }
  }

  /// Stores an instance and runs its completions, unless a nested resolve of the factory has made
  /// an instance.
  ///
  /// - Parameter open: gives the instance to resolves whose wait for the completions would never
  ///   end.
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
