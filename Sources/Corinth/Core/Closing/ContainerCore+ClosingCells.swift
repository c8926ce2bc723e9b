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

  /// The instance in cells that was completed last, of those that are to be disposed of. The caller answers for their end.
  private func lastDisposableInCells() -> Disposable? {
    // At +0: a count of references to a registration would be a write to memory that threads share.
    // SAFETY: the cells hold both until all have been disposed of.
    var last: (record: Unmanaged<RegistrationRecord>, box: Unmanaged<AnyInstanceBox>)?
    forEachDisposableBoxInCells { record, box in
      if box.isEndClaimed { return }
      if let last = unsafe last,
        unsafe last.box._withUnsafeGuaranteedRef({ !box.isDisposedOf(before: $0) })
      {
        return
      }
      unsafe last = (.passUnretained(record), .passUnretained(box))
    }
    guard let last = unsafe last else { return nil }
    let (record, box) = unsafe (last.record.takeUnretainedValue(), last.box.takeUnretainedValue())
    return box.claimEnd()
      ? Disposable(record: record, disposers: record.disposers, box: box)
      : lastDisposableInCells()
  }
}
