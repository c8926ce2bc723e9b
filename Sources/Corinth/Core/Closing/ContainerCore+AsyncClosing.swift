// SPDX-License-Identifier: MIT

extension ContainerCore {
  /// The containers that the calling task is closing: a disposer that closes its own container does not
  /// wait for itself.
  @TaskLocal private static var closedByTask: [ObjectIdentifier] = []

  /// Closes the container and disposes of what it keeps. Whoever comes second waits for the first.
  ///
  /// - Parameter timeLimit: for each disposer, and for each instance that is still being built; `nil` for none.
  nonisolated(nonsending)
    func closeAsynchronously(timeLimit: Duration?) async -> [DisposalFailure]
  {
    guard beginClosing() else {
      // Nor does a factory, whose construction may be waited for.
      if !Self.closedByTask.contains(ObjectIdentifier(self)), !Construction.isBuilding(for: self) {
        await ClosingEvents.waitForEnd(of: self, within: Self.closedByTask)
      }
      return []
    }
    // A task of its own: what has begun is brought to its end, whether or not the caller is cancelled.
    let task = Task {
      await Self.$closedByTask.withValue(Self.closedByTask + [ObjectIdentifier(self)]) {
        await dispose(timeLimit: timeLimit)
      }
    }
    return await task.value
  }

  /// - Returns: `false` when somebody else has closed the container, or is closing it.
  private func beginClosing() -> Bool {
    // First, as who comes second has to find it.
    let isFirst = ClosingEvents.begin(self)
    if isFirst, !markClosed() {
      ClosingEvents.end(self)
      return false
    }
    return isFirst
  }

  private func dispose(timeLimit: Duration?) async -> [DisposalFailure] {
    var failures: [DisposalFailure] = []
    var settled: [KeptState] = []
    for (record, state) in takeKeptStates() {
      guard !state.seal(),
        case .failure(let error) = await withTimeLimit(timeLimit, { await Self.settle(state) })
      else {
        settled.append((record, state))
        continue
      }
      failures.append(DisposalFailure(record, error))
      // It is not waited for any longer. If there is an instance in the end, it is disposed of then.
      Task {
        await Self.settle(state)
        for late in Self.disposables(in: [(record, state)]) {
          _ = await late.dispose(timeLimit: timeLimit)
        }
      }
    }
    for disposable in Self.disposables(in: settled) {
      failures += await disposable.dispose(timeLimit: timeLimit)
    }
    instances.close()
    Reclamation.reclaim()
    ClosingEvents.end(self)
    return failures
  }

  /// Waits until nothing is being built in a state, unless that waits for the closing.
  private static func settle(_ state: InstanceState) async {
    while !state.seal() {
      guard case .retry = await WaitForGraph.waitAsync(for: state, requestedBy: nil) else { return }
    }
  }
}

extension ContainerCore.Disposable {
  /// Runs the disposers, the one added last first.
  func dispose(timeLimit: Duration?) async -> [DisposalFailure] {
    var failures: [DisposalFailure] = []
    for disposer in record.lifecycle.disposers.reversed() {
      let outcome = await withTimeLimit(timeLimit) { try await disposer.run(box) }
      if case .failure(let error) = outcome { failures.append(DisposalFailure(record, error)) }
    }
    return failures
  }
}

extension Disposer {
  fileprivate func run(_ box: AnyInstanceBox) async throws {
    switch self {
    case .synchronous(let action): try action(box)
    case .asynchronous(let action): try await action(box)
    }
  }
}
