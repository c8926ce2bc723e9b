// SPDX-License-Identifier: MIT

/// The disposal of a request scope that has all its instances in cells, as most have. Makes no lists.
extension ContainerCore {
  /// Whether cells hold all that there is, and nothing is to be awaited. The container has been sealed.
  var mayDisposeFromCells: Bool {
    if hasSlots || !instances.isEmpty { return false }
    var isAwaited = false
    forEachDisposableBoxInCells { record, _ in
      if record.hasAsynchronousDisposers { isAwaited = true }
    }
    return !isAwaited
  }

  func disposeFromCells(_ closing: Closing) -> [DisposalFailure] {
    disposeOnThread(closing) { dispose in
      while let disposable = lastDisposableInCells() { dispose(disposable) }
    }
  }

  /// The instance in cells that was completed last, of those that are to be disposed of. The caller answers for its end.
  private func lastDisposableInCells() -> Disposable? {
    var last: Disposable?
    forEachDisposableBoxInCells { record, box in
      if box.isEndClaimed { return }
      if let last, !box.isDisposedOf(before: last.box) { return }
      last = Disposable(record: record, disposers: record.disposers, box: box)
    }
    return last.flatMap { $0.box.claimEnd() ? $0 : lastDisposableInCells() }
  }
}
