// SPDX-License-Identifier: MIT

internal import Corinth
internal import DialectSupport

/// Not generic, as a resolve through the protocol is not specialised.
extension Entry {
  /// Has a caller get the instance.
  ///
  /// - Parameters:
  ///   - container: gets the graph, and is passed to completions.
  ///   - make: calls the factory.
  ///   - receive: takes an instance if it is of the type that is asked for, and says whether it is.
  /// - Returns: whether the caller has got one.
  @usableFromInline func serve(
    in container: Container, or make: () -> Any, to receive: (Any) -> Bool
  ) -> Bool {
    let kept = kept(in: container)
    if kept.serveSettled(to: receive) { return true }
    return Run.nested(in: container) { run in
      let lock = kept.lock(in: run)
      if kept.serveSettled(in: run, lock, to: receive) { return true }
      guard let lock else { return build(kept, run, receive, make) }
      let isServed = unlessCircular {
        try lock.withOpenableLock { open in
          kept.serve(in: run, to: receive) || build(kept, run, receive, make, open)
        }
      }
      if let isServed { return isServed }
      // The caller, or a thread that waits for it, is building the instance. It is found if its factory has returned, and
      // its completions are waiting for this one. Otherwise it is made again: a factory that needs itself and ends by
      // itself is served, and one that does not ends at the limit of nesting.
      return kept.serve(in: run, to: receive) || build(kept, run, receive, make)
    }
  }

  /// Makes the instance, unless its factory does so in a resolve of its own.
  ///
  /// - Parameter open: has those get the instance whose wait for its completions would never end.
  private func build(
    _ kept: KeptInstance, _ run: Run, _ receive: (Any) -> Bool, _ make: () -> Any,
    _ open: () -> Void = {}
  ) -> Bool {
    let made = make()
    if kept.serve(in: run, to: receive) { return true }
    kept.store(made, in: run)
    guard receive(made) else { return false }
    let completions = settings.value.completions
    if !completions.isEmpty { open() }
    for completion in completions { completion(run.container, made) }
    return true
  }
}
