// SPDX-License-Identifier: MIT

/// One version of a container that can be reloaded: a child with the registrations that are not as in the base.
final class ContainerLayer: Sendable {
  let core: ContainerCore
  /// 0 for the first one.
  let number: Int
  /// The container, which a layer keeps alive as long as instances of it may be served.
  let owner: any AnyObject & Sendable
  /// The older layers whose instances its registrations serve, or that have the values of which it has copies.
  let homes: Set<ObjectIdentifier>
  /// Those of the values only. What shares such a copy needs them too.
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

/// The versions of one container.
///
/// Each is a *layer*: a child of the base, which holds what differs from it. Units of work are made from the current one.
///
/// Invariants
///  1. Reloads run one after the other, each from ``begin(mayWait:)`` to ``end()``. None begins, and none exchanges,
///    once the base has begun to end. That waits for the one under way, unless it is a part of what this may wait for.
///  2. A layer that is not the current one drains before anything is disposed of that it serves: the disposals run in the
///     order of the reloads, each after the drain of the layer that its reload has replaced.
///  3. The base owns the layers until it is closed. They hold the base, which therefore lives until then.
final class ContainerVersions: Sendable {
  private struct State {
    var isReloading = false
    var waiters: [CheckedContinuation<Bool, Never>] = []
    /// The layers that have not been closed, the oldest first.
    var layers: [ContainerLayer]
    /// The layer that a reload is making.
    var staged: ContainerLayer?
    /// The last disposal.
    var disposal: Task<Void, any Error>?
    /// Whether the base has begun to end.
    var isEnding = false
    /// The ends of the base that wait for the reload under way.
    var endings: [CheckedContinuation<Void, Never>] = []
  }

  private let state: ForkSafeMutex<State>
  private let reference = ReplaceableReference<ContainerLayer>()
  let disposals = DisposalsOfReloads()

  init(first layer: ContainerLayer) {
    state = ForkSafeMutex(State(layers: [layer]))
    reference.store(layer)
  }

  /// The layer that units of work are made from; `nil` once the base has begun to end.
  var current: ContainerLayer? { reference.load() }

  /// The layers that have not been closed, the oldest first.
  var layers: [ContainerLayer] { state.withLock { $0.layers } }

  /// Those of the layers that have not been closed, the oldest first, and of the one that is being made.
  var cores: [ContainerCore] {
    state.withLock { state in state.layers.map(\.core) + [state.staged].compactMap { $0?.core } }
  }

  /// Whether the base has begun to end.
  var isEnding: Bool { state.withLock { $0.isEnding } }

  /// Has the base's behaviors, and its end, come to a layer that is being made from now on, until it is exchanged or
  /// ``end()``.
  ///
  /// - Returns: `false` if the base has begun to end.
  func stage(_ layer: ContainerLayer) -> Bool {
    state.withLock { state in
      if !state.isEnding { state.staged = layer }
      return !state.isEnding
    }
  }

  /// Makes the caller the one that reloads, or ends, after those who have come before. Its cancellation changes nothing.
  ///
  /// - Parameter mayWait: false for a part of a construction or a disposal, which the present one may wait for.
  /// - Returns: false if the caller would have had to wait, and must not, or if the base has begun to end.
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
    // It may be the last reference to it, and is let go of without the lock.
    withExtendedLifetime(staged) {}
  }

  /// The last disposal, for the caller that reloads: nobody else replaces the disposal.
  var disposal: Task<Void, any Error>? { state.withLock { $0.disposal } }

  /// Has units of work be made from `layer`, by the caller that reloads.
  ///
  /// In one step: an end that finds the layer finds the disposal, too.
  ///
  /// - Parameter disposal: ends what the layer before had and this one has not, once the layers have
  ///   been exchanged and the disposal before is over.
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
    // All this is let go of without the lock.
    if let replaced = consume replaced { reference.retire(replaced) }
    withExtendedLifetime((earlier, staged)) {}
    return isExchanged
  }

  /// The layers that are not served from any more, once all before `layer` have drained; the oldest first.
  func unused(before layer: ContainerLayer) -> [ContainerLayer] {
    let layers = layers
    guard let end = layers.firstIndex(where: { $0 === layer }) else { return [] }
    return layers[..<end].filter { !layer.homes.contains(ObjectIdentifier($0)) }
  }

  /// Forgets layers that have been closed.
  func remove(_ closed: [ContainerLayer]) {
    // Let go of without the lock.
    let removed = state.withLock { state in
      defer { state.layers.removeAll { layer in closed.contains { $0 === layer } } }
      return state.layers
    }
    withExtendedLifetime(removed) {}
  }

  // MARK: - The end of the base

  /// Ends the versions with the base: no unit of work is made from them any more, and the reload under way will fail.
  ///
  /// - Returns: the layers, the oldest first, the one that a reload is making, and the last disposal.
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
    // Its factories build nothing that they would find only a part of the dependencies for.
    staged?.core.seal()
    for waiter in waiters { waiter.resume(returning: false) }
    return (layers, staged, disposal)
  }

  /// Waits until the reload that was under way as the base began to end has failed. Cancellation changes nothing.
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

extension ContainerCore {
  /// The versions of a container that is reloaded; `nil` for all others.
  var versionsIfMade: ContainerVersions? { extrasIfMade?.versions.load() }

  /// The base of a layer; `nil` for what is none.
  var baseOfLayer: ContainerCore? { extrasIfMade?.baseOfLayer.load() }

  /// The versions, which begin with `layer` if there are none.
  func versions(first layer: @autoclosure () -> ContainerLayer) -> ContainerVersions {
    if let versions = versionsIfMade { return versions }
    // A container with slots looks for more to end.
    _ = table.slotMade(for: RegistrationKey(product: ContainerVersions.self))
    return extras.versions.storeIfNil(ContainerVersions(first: layer()))
  }
}
