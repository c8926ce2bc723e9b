// SPDX-License-Identifier: MIT

internal import Corinth
internal import DialectSupport
internal import Synchronization

/// Not generic, as a resolve through the protocol is not specialised.
extension Entry {
  /// What holds the instance that any caller may have at once.
  @usableFromInline var settled: HeldInstance? { storage.value?.settled }

  /// The instance; `nil` if it is not of the type that is asked for.
  ///
  /// - Parameters:
  ///   - container: gets the graph, and is passed to completions.
  ///   - fits: whether an instance is of the type that is asked for.
  ///   - make: calls the factory.
  @usableFromInline func instance(
    in container: Container, if fits: (Any) -> Bool, or make: () -> Any
  ) -> Any? {
    let kept = kept(in: container)
    return Run.nested(in: container) { run in
      let lock = kept.lock(in: run)
      if let settled = kept.settled(in: run, lock), fits(settled) { return settled }
      guard let lock else { return build(kept, run, fits, make) }
      let instance = unlessCircular {
        try lock.withOpenableLock { open in
          Built(of: kept.instance(in: run, if: fits) ?? build(kept, run, fits, make, open))
        }
      }
      if let instance { return instance.instance }
      // The caller, or a thread that waits for it, is building the instance. It is found if its factory has returned, and
      // its completions are waiting for this one. Otherwise it is made again: a factory that needs itself and ends by
      // itself is served, and one that does not ends at the limit of nesting.
      return kept.instance(in: run, if: fits) ?? build(kept, run, fits, make)
    }
  }

  /// Makes the instance, unless its factory does so in a resolve of its own.
  ///
  /// - Parameter open: has those get the instance whose wait for its completions would never end.
  private func build(
    _ kept: KeptInstance, _ run: Run, _ fits: (Any) -> Bool, _ make: () -> Any,
    _ open: () -> Void = {}
  ) -> Any? {
    let made = make()
    if let inner = kept.instance(in: run, if: fits) { return inner }
    kept.store(made, in: run)
    guard fits(made) else { return nil }
    guard hasCompletions.load(ordering: .acquiring) else { return made }
    open()
    for completion in settings.value.completions { completion(run.container, made) }
    return made
  }
}

/// What one who has had a lock has got: another `nil` than that of one who has not.
private struct Built {
  let instance: Any?

  init(of instance: Any?) { self.instance = instance }
}
