// SPDX-License-Identifier: MIT

/// The disposal of a request scope that has all its instances in cells, as most have. Makes no lists.
extension ContainerCore {
  /// Whether cells hold all that there is, and nothing is to be awaited. The container has been sealed.
  var mayDisposeFromCells: Bool {
    if hasSlots || !instances.isEmpty { return false }
    var isAwaited = false
    forEachBoxInCells { record, _ in
      if record.hasAsynchronousDisposers { isAwaited = true }
    }
    return !isAwaited
  }

  /// Disposes as `disposeOnThread` does.
  func disposeFromCells(_ closing: Closing) -> [DisposalFailure] {
    let failures = closing.run {
      var failures: [DisposalFailure] = []
      while let disposable = lastDisposableInCells() {
        disposable.disposeOnThread(after: closing.outcome, &failures)
        didDispose(of: disposable)
      }
      letInstancesGo()
      return failures
    }
    end(closing)
    return failures
  }

  /// The instance in cells that was completed last, of those that are to be disposed of. The caller answers for its end.
  private func lastDisposableInCells() -> Disposable? {
    var last: Disposable?
    forEachBoxInCells { record, box in
      if box.isEndClaimed || !record.hasDisposers { return }
      if let last, !box.isDisposedOf(before: last.box) { return }
      last = Disposable(record: record, disposers: record.disposers, box: box)
    }
    return last.flatMap { $0.box.claimEnd() ? $0 : lastDisposableInCells() }
  }
}
