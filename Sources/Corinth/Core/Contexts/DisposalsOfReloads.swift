// SPDX-License-Identifier: MIT

/// Instances taken out of slots by the disposals of reloads, for the end of the base to take over.
///
/// Invariants
///  1. A disposal takes, in a single step, the instances to dispose of and all instances that may
///     depend on them. Nothing in a slot depends on anything in disposal.
///  2. Instances taken once the end has begun are left to the end, which may know of dependents.
///  3. An end that does not wait for a disposal, or stops waiting, takes over instances not begun
///     with. A disposal claims an instance with the lock held under which the end takes over.
final class DisposalsOfReloads: Sendable {
  private struct State {
    /// Instances taken by disposals still at work.
    var inDisposal: [any TakenForDisposal] = []
    var leftToEnd: [any TakenForDisposal] = []
    /// Whether the end will still look.
    var takesOver = false
    /// The number of callers in ``take(leavesToEnd:_:)``.
    var takers = 0
    /// The ends waiting for the takers.
    var waiters: [CheckedContinuation<Void, Never>] = []
    var step = DisposalStep()
  }

  private let state = ForkSafeMutex(State())

  /// Takes instances out of slots, for the caller to dispose of.
  ///
  /// - Parameter leavesToEnd: whether instances go to the end of the base once the end has begun.
  /// - Returns: nothing if the instances are left to the end.
  func take<Instances: TakenForDisposal>(
    leavesToEnd: Bool = true, _ body: () -> [Instances]
  ) -> [Instances] {
    state.withLock { $0.takers += 1 }
    let taken = body()
    let (isLeft, waiters) = state.withLock { state in
      let isLeft = leavesToEnd && state.takesOver
      if isLeft { state.leftToEnd += taken } else { state.inDisposal += taken }
      state.takers -= 1
      let waiters = state.takers == 0 ? state.waiters : []
      if state.takers == 0 { state.waiters = [] }
      return (isLeft, waiters)
    }
    for waiter in waiters { waiter.resume(returning: ()) }
    return isLeft ? [] : taken
  }

  /// Claims an instance for a disposal.
  ///
  /// - Parameter claim: an atomic operation.
  /// - Returns: `false` if the end has taken the instance over, or if it is claimed already.
  func mayDispose(from taken: some TakenForDisposal, _ claim: () -> Bool) -> Bool {
    state.withLock { state in state.inDisposal.contains { $0 === taken } && claim() }
  }

  /// Ends a disposal.
  ///
  /// - Returns: `false` if the end has taken the instances over.
  func finish(_ taken: some TakenForDisposal) -> Bool {
    state.withLock { state in
      guard let index = state.inDisposal.firstIndex(where: { $0 === taken }) else { return false }
      state.inDisposal.remove(at: index)
      return true
    }
  }

  // MARK: - The end of the base

  /// Leaves instances taken from now on to the end, which has not emptied any slot yet.
  func beginTakingOver() { state.withLock { $0.takesOver = true } }

  /// Takes over the instances left by disposals, and those no disposal has begun with. Later ones
  /// belong to their takers: the end has emptied all slots. Cancellation changes nothing.
  func takeOver() async -> [any TakenForDisposal] {
    await withCheckedContinuation { continuation in
      let isInVain = state.withLock { state in
        if state.takers > 0 { state.waiters.append(continuation) }
        return state.takers == 0
      }
      if isInVain { continuation.resume(returning: ()) }
    }
    return state.withLock { state in
      defer { (state.leftToEnd, state.inDisposal, state.takesOver) = ([], [], false) }
      return state.leftToEnd + state.inDisposal
    }
  }

  // MARK: - How far they have come

  /// Disposals run in turn, so that one step tells the progress.
  var step: DisposalStep { state.withLock { $0.step } }

  /// Notes the next place of a disposal, `nil` for none.
  func note(_ place: DisposalStep.Place?) {
    // Released without the lock: a key may have the user's name.
    let former = state.withLock { state in
      defer { state.step = DisposalStep(number: state.step.number + 1, place: place) }
      return state.step
    }
    withExtendedLifetime(former) {}
  }
}

/// Instances of one container, taken out of slots by a reload's disposal.
protocol TakenForDisposal: AnyObject, Sendable {
  var container: ContainerCore { get }
  var kept: [KeptState] { get }
  /// Releases disposed instances, and reports instances without a disposal.
  func letGo()
}

/// The progress of the disposal after a reload.
struct DisposalStep: Sendable {
  /// A running disposer, or a construction waited for.
  struct Place: Sendable {
    let key: RegistrationKey
    let location: SourceLocation
    let isConstruction: Bool
  }

  /// Different for every step.
  var number: UInt64 = 0
  var place: Place?
}
