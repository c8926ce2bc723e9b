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
    /// That of the layer that a reload is making.
    var staged: ContainerCore?
    /// The last disposal.
    var disposal: Task<Void, any Error>?
    /// Whether the base has begun to end.
    var isEnding = false
    /// The ends of the base that wait for the reload under way.
    var endings: [CheckedContinuation<Void, Never>] = []
    var step = DisposalStep()
    /// What a disposal has taken out of slots, and leaves to the end of the base.
    var leftToEnd: [any LeftInstances] = []
    /// Whether that will still look.
    var takesOver = false
  }

  private let state: ForkSafeMutex<State>
  private let reference = ReplaceableReference<ContainerLayer>()

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
    state.withLock { state in state.layers.map(\.core) + [state.staged].compactMap { $0 } }
  }

  /// Whether the base has begun to end.
  var isEnding: Bool { state.withLock { $0.isEnding } }

  /// Has the base's behaviors, and its end, come to a layer that is being made from now on, until it is exchanged or
  /// ``end()``.
  ///
  /// - Returns: `false` if the base has begun to end.
  func stage(_ core: ContainerCore) -> Bool {
    state.withLock { state in
      if !state.isEnding { state.staged = core }
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

  /// Has units of work be made from `layer`, by the caller that reloads.
  ///
  /// - Parameter dispose: ends what the layer before had and this one has not. It gets the disposal to wait for.
  /// - Returns: `nil` if the base has begun to end: nothing is exchanged.
  func exchange(
    for layer: ContainerLayer, disposing dispose: (Task<Void, any Error>?) -> Task<Void, any Error>
  ) -> Task<Void, any Error>? {
    let (mayExchange, earlier) = state.withLock { state in
      if !state.isEnding {
        state.layers.append(layer)
        state.staged = nil
      }
      return (!state.isEnding, state.disposal)
    }
    if !mayExchange { return nil }
    reference.store(layer)
    let disposal = dispose(earlier)
    let isEnding = state.withLock { state in
      if !state.isEnding { state.disposal = disposal }
      return state.isEnding
    }
    // The end has taken the layer, and all that this would dispose of.
    if isEnding { reference.store(nil) }
    // It may be the last to refer to what it has disposed of, and is let go of without the lock.
    withExtendedLifetime(earlier) {}
    return disposal
  }

  /// Takes out the layers that are not served from any more, once all before `layer` have drained.
  func takeUnused(before layer: ContainerLayer) -> [ContainerLayer] {
    state.withLock { state -> [ContainerLayer] in
      guard let end = state.layers.firstIndex(where: { $0 === layer }) else { return [] }
      let unused = state.layers[..<end].filter { !layer.homes.contains(ObjectIdentifier($0)) }
      state.layers.removeAll { layer in unused.contains { $0 === layer } }
      return unused
    }
  }

  // MARK: - The end of the base

  /// Ends the versions with the base: no unit of work is made from them any more, and the reload under way will fail.
  ///
  /// - Returns: the layers, the oldest first, and the last disposal.
  func beginEnding() -> (layers: [ContainerLayer], disposal: Task<Void, any Error>?) {
    let (layers, disposal, staged, waiters) = state.withLock { state in
      defer {
        (state.layers, state.waiters, state.disposal) = ([], [], nil)
        (state.isEnding, state.takesOver) = (true, true)
      }
      return (state.layers, state.disposal, state.staged, state.waiters)
    }
    reference.store(nil)
    // Its factories build nothing that they would find only a part of the dependencies for.
    staged?.seal()
    for waiter in waiters { waiter.resume(returning: false) }
    return (layers, disposal)
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

  /// Leaves instances that a disposal has taken out of slots to the end of the base, if that has begun: it may have found what
  /// depends on them.
  ///
  /// - Returns: `false` if the caller has to dispose of them. Nothing that is in a slot depends on them then.
  func leaveToEnd(_ instances: [any LeftInstances]) -> Bool {
    state.withLock { state in
      if state.takesOver { state.leftToEnd += instances }
      return state.takesOver
    }
  }

  /// Takes what the disposal that is over has left. A later one keeps its instances.
  func takeLeftInstances() -> [any LeftInstances] {
    state.withLock { state in
      defer { (state.leftToEnd, state.takesOver) = ([], false) }
      return state.leftToEnd
    }
  }

  /// The layer of the reload under way.
  var staged: ContainerCore? { state.withLock { $0.staged } }

  /// How far the disposals have come. They run one after the other.
  var disposalStep: DisposalStep { state.withLock { $0.step } }

  /// Notes what a disposal goes on with, `nil` for nothing.
  func noteDisposal(at place: DisposalStep.Place?) {
    // Let go of without the lock: a key may have the user's name.
    let former = state.withLock { state in
      defer { state.step = DisposalStep(number: state.step.number + 1, place: place) }
      return state.step
    }
    withExtendedLifetime(former) {}
  }
}

/// Instances that the disposal after a reload leaves to the end of the base.
protocol LeftInstances: Sendable {}

/// What the disposal after a reload is doing.
struct DisposalStep: Sendable {
  /// A disposer that runs, or a construction that is waited for.
  struct Place: Sendable {
    let key: RegistrationKey
    let location: SourceLocation
    let isConstruction: Bool
  }

  /// Another one for each step.
  var number: UInt64 = 0
  var place: Place?
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
