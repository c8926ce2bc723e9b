// SPDX-License-Identifier: MIT

internal import Corinth
internal import DialectSupport

/// Not generic, as a resolve through the protocol is not specialised.
extension Entry {
  /// The instance for a container that is asked.
  ///
  /// - Parameters:
  ///   - container: gets the graph, and is passed to completions.
  ///   - fits: whether an instance is of the type that is asked for.
  ///   - make: calls the factory.
  /// - Returns: `nil` if the instance is not of the type.
  @usableFromInline func instance(
    in container: Container, if fits: (Any) -> Bool, or make: () -> Any
  ) -> Any? {
    let kept = kept(in: container)
    return Run.nested(in: container) { run in
      let lock = kept.lock(in: run)
      if let settled = kept.settled(in: run, lock), fits(settled) { return settled }
      guard let lock else { return build(kept, run, fits, make) }
      do {
        let made = try lock.withOpenableLock { open in
          kept.instance(in: run, if: fits) ?? build(kept, run, fits, make, open)
        }
        if let made { return made }
      } catch {
        // The caller, or a thread that waits for it, is building the instance. Other errors are no cycle.
        guard case ResolutionError.circularDependencyDetected = error else { endProgram(error) }
      }
      // Found if its factory has returned, and its completions are waiting for this one. Otherwise it is made again: a
      // factory that needs itself and ends by itself is served, and one that does not ends at the limit of nesting.
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
    if let served = kept.instance(in: run, if: fits) { return served }
    kept.store(made, in: run)
    guard fits(made) else { return nil }
    let completions = settings.load().completions
    if !completions.isEmpty {
      open()
      for completion in completions { completion(run.container, made) }
    }
    return made
  }
}
