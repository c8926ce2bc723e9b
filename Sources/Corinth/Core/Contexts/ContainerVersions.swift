// SPDX-License-Identifier: MIT

/// A version of a reloadable container: a child with the registrations that differ from the base.
final class ContainerLayer: Sendable {
  let core: ContainerCore
  /// 0 for the first version.
  let number: Int
  /// The container, kept alive by a layer as long as instances of the container may be served.
  let owner: any AnyObject & Sendable
  /// The older layers whose instances are served here, or whose values are copied here.
  let homes: Set<ObjectIdentifier>
  /// The older layers of copied values only, which also anyone sharing such a copy needs.
  let valueHomes: Set<ObjectIdentifier>

  init(
    _ core: ContainerCore, number: Int = 0, keeping owner: any AnyObject & Sendable,
    homes: Set<ObjectIdentifier> = [], valueHomes: Set<ObjectIdentifier> = []
  ) {
    self.core = core
    self.number = number
    self.owner = owner
    self.homes = homes.union(valueHomes)
    self.valueHomes = valueHomes
  }
}

/// The versions of a container.
///
/// A version is a *layer*: a child of the base, with what differs from the base. New units of work
/// are made from the current layer.
///
/// Invariants
///  1. Reloads run in turn, from ``begin(mayWait:)`` to ``end()``. Once the base has begun to end,
///     none begins or exchanges. The end waits for a reload, unless the reload may wait for it.
///  2. A layer drains, once replaced, before the disposal of anything it serves: disposals run in
///     the order of the reloads, each after the drain of the layer replaced by its reload.
///  3. The base owns the layers until closed. Layers hold the base, which lives until then.
final class ContainerVersions: Sendable {
  private struct State {
    var isReloading = false
    var waiters: [CheckedContinuation<Bool, Never>] = []
    /// The layers not closed yet, the oldest first.
    var layers: [ContainerLayer]
    /// The layer made by the reload under way.
    var staged: ContainerLayer?
    /// The last disposal.
    var disposal: Task<Void, any Error>?
    /// Whether the base has begun to end.
    var isEnding = false
    /// The ends of the base waiting for the reload under way.
    var endings: [CheckedContinuation<Void, Never>] = []
  }

  private let state: ForkSafeMutex<State>
  private let reference = ReplaceableReference<ContainerLayer>()
  let disposals = DisposalsOfReloads()

  init(first layer: ContainerLayer) {
    state = ForkSafeMutex(State(layers: [layer]))
    reference.store(layer)
  }

  /// The layer for new units of work; `nil` once the base has begun to end.
  var current: ContainerLayer? { reference.load() }

  /// The layers not closed yet, the oldest first.
  var layers: [ContainerLayer] { state.withLock { $0.layers } }

  /// The cores of all open layers, the oldest first, and of the layer in the making.
  var cores: [ContainerCore] {
    state.withLock { state in state.layers.map(\.core) + [state.staged].compactMap { $0?.core } }
  }

  /// As ``cores``, without the first layer, which is as the base.
  var coresThatDiffer: [ContainerCore] {
    state.withLock { state in
      let layers = state.layers.filter { $0.number > 0 } + [state.staged].compactMap { $0 }
      return layers.map(\.core)
    }
  }

  /// Whether the base has begun to end.
  var isEnding: Bool { state.withLock { $0.isEnding } }

  /// Makes the behaviors and the end of the base reach a layer in the making, until the layer is
  /// exchanged or until ``end()``.
  ///
  /// - Returns: `false` if the base has begun to end.
  func stage(_ layer: ContainerLayer) -> Bool {
    state.withLock { state in
      if !state.isEnding { state.staged = layer }
      return !state.isEnding
    }
  }

  /// Gives the caller its turn to reload, after all earlier callers. Cancellation changes nothing.
  ///
  /// - Parameter mayWait: false inside a construction or disposal, for which a reload may wait.
  /// - Returns: false if the caller must not wait but had to, or if the base has begun to end.
  nonisolated(nonsending)
    func begin(mayWait: Bool) async -> Bool
  {
    await withCheckedContinuation { continuation in
      let hasBegun = state.withLock { state -> Bool? in
        if state.isEnding { return false }
        if !state.isReloading {
          state.isReloading = true
          return true
        }
        if !mayWait { return false }
        state.waiters.append(continuation)
        return nil
      }
      if let hasBegun { continuation.resume(returning: hasBegun) }
    }
  }

  /// Lets the next caller begin, or the base end.
  func end() {
    let (next, endings, staged) = state.withLock { state in
      defer { (state.staged, state.endings) = (nil, []) }
      let next = state.waiters.isEmpty ? nil : state.waiters.removeFirst()
      state.isReloading = next != nil
      return (next, state.endings, state.staged)
    }
    next?.resume(returning: true)
    for ending in endings { ending.resume(returning: ()) }
    // Released after the lock: the reference may be the last.
    withExtendedLifetime(staged) {}
  }

  /// The last disposal, for the caller that reloads: nobody else replaces it.
  var disposal: Task<Void, any Error>? { state.withLock { $0.disposal } }

  /// Serves new units of work from `layer`. Called by the caller whose turn it is.
  ///
  /// Layer and disposal change in one step: an end that finds the layer finds the disposal, too.
  ///
  /// - Parameter disposal: ends the parts of the replaced layer missing in the new one, after the
  ///   exchange of the layers and after the last disposal.
  /// - Returns: `false` if the base has begun to end: nothing is exchanged.
  func exchange(for layer: ContainerLayer, disposing disposal: Task<Void, any Error>) -> Bool {
    var replaced: ReplaceableReference<ContainerLayer>.Replaced?
    let (isExchanged, earlier, staged) = state.withLock { state in
      if state.isEnding { return (false, nil as Task<Void, any Error>?, nil as ContainerLayer?) }
      defer { (state.disposal, state.staged) = (disposal, nil) }
      state.layers.append(layer)
      replaced = reference.exchange(layer)
      return (true, state.disposal, state.staged)
    }
    // All released without the lock.
    if let replaced = consume replaced { reference.retire(replaced) }
    withExtendedLifetime((earlier, staged)) {}
    return isExchanged
  }

  /// The layers, oldest first, that serve nothing once all layers before `layer` have drained.
  func unused(before layer: ContainerLayer) -> [ContainerLayer] {
    let layers = layers
    guard let end = layers.firstIndex(where: { $0 === layer }) else { return [] }
    return layers[..<end].filter { !layer.homes.contains(ObjectIdentifier($0)) }
  }

  /// Forgets closed layers.
  func remove(_ closed: [ContainerLayer]) {
    // Released without the lock.
    let removed = state.withLock { state in
      defer { state.layers.removeAll { layer in closed.contains { $0 === layer } } }
      return state.layers
    }
    withExtendedLifetime(removed) {}
  }

  // MARK: - The end of the base

  /// Ends the versions with the base: new units of work are refused; the reload under way fails.
  ///
  /// - Returns: the layers, the oldest first; the layer of the reload under way; the last disposal.
  func beginEnding() -> (
    layers: [ContainerLayer], staged: ContainerLayer?, disposal: Task<Void, any Error>?
  ) {
    let (layers, disposal, staged, waiters) = state.withLock { state in
      defer {
        (state.layers, state.waiters, state.disposal) = ([], [], nil)
        state.isEnding = true
      }
      return (state.layers, state.disposal, state.staged, state.waiters)
    }
    reference.store(nil)
    disposals.beginTakingOver()
    // The layer's factories must not build with only a part of the dependencies.
    staged?.core.seal()
    for waiter in waiters { waiter.resume(returning: false) }
    return (layers, staged, disposal)
  }

  /// Waits for the failure of the reload under way when the base began to end. Not cancellable.
  nonisolated(nonsending)
    func waitForReload() async
  {
    await withCheckedContinuation { continuation in
      let isOver = state.withLock { state in
        if state.isReloading { state.endings.append(continuation) }
        return !state.isReloading
      }
      if isOver { continuation.resume(returning: ()) }
    }
  }

  /// The layer of the reload under way.
  var staged: ContainerLayer? { state.withLock { $0.staged } }
}
