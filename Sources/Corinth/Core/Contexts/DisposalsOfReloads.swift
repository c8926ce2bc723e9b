// SPDX-License-Identifier: MIT

/// What the disposals of reloads have taken out of slots, and the end of the base takes over from them.
///
/// Invariants
///  1. A disposal takes in one go what it disposes of and all that may have been built from that. So nothing that is in a
///     slot depends on what is in disposal.
///  2. What is taken once the end has begun is left to the end, which may have found what depends on it.
///  3. An end that does not wait for a disposal, or no longer, takes over what that has not begun with. Each instance is claimed
///     by a disposal with the lock held under which it may be taken over.
final class DisposalsOfReloads: Sendable {
  private struct State {
    /// What disposals have taken, and are not yet through with.
    var inDisposal: [any TakenForDisposal] = []
    var leftToEnd: [any TakenForDisposal] = []
    /// Whether the end will still look.
    var takesOver = false
    /// The number of callers that are taking.
    var takers = 0
    /// The ends that wait for these.
    var waiters: [CheckedContinuation<Void, Never>] = []
    var step = DisposalStep()
  }

  private let state = ForkSafeMutex(State())

  /// Takes instances out of slots, for the caller to dispose of.
  ///
  /// - Parameter leavesToEnd: whether the end of the base, if that has begun, is to dispose of them.
  /// - Returns: nothing if they are left to the end.
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
  /// - Returns: `false` if the end has taken it over, or somebody else has claimed it.
  func mayDispose(from taken: some TakenForDisposal, _ claim: () -> Bool) -> Bool {
    state.withLock { state in state.inDisposal.contains { $0 === taken } && claim() }
  }

  /// Ends a disposal.
  ///
  /// - Returns: `false` if the end has taken over what was taken.
  func finish(_ taken: some TakenForDisposal) -> Bool {
    state.withLock { state in
      guard let index = state.inDisposal.firstIndex(where: { $0 === taken }) else { return false }
      state.inDisposal.remove(at: index)
      return true
    }
  }

  // MARK: - The end of the base

  /// Has disposals leave to the end what they take from now on. No slot has been emptied by the end.
  func beginTakingOver() { state.withLock { $0.takesOver = true } }

  /// Takes over what disposals have left, and what they have not begun with. What they take later is theirs: the end has
  /// emptied all slots. Cancellation changes nothing.
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

  /// They run one after the other.
  var step: DisposalStep { state.withLock { $0.step } }

  /// Notes what a disposal goes on with, `nil` for nothing.
  func note(_ place: DisposalStep.Place?) {
    // Let go of without the lock: a key may have the user's name.
    let former = state.withLock { state in
      defer { state.step = DisposalStep(number: state.step.number + 1, place: place) }
      return state.step
    }
    withExtendedLifetime(former) {}
  }
}

/// Instances that a disposal of a reload has taken out of the slots of one container.
protocol TakenForDisposal: AnyObject, Sendable {}

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
