// SPDX-License-Identifier: MIT

/// The disposal of a request scope that has all its instances in cells, as most have. Makes no lists.
extension ContainerCore {
  /// Disposes of all that there is, if cells hold it and nothing is to be awaited. The container has been sealed.
  ///
  /// - Returns: `nil` if the ordinary steps are to be taken.
  func disposeFromCells(_ closing: Closing) -> [DisposalFailure]? {
    if hasSlots || !instances.isEmpty { return nil }
    var next = nextInCells()
    if next.isAwaited { return nil }
    return disposeOnThread(closing) { dispose in
      while next.count > 0 {
        if let disposable = next.claim() { dispose(disposable) }
        next = next.count > 1 ? nextInCells() : NextInCells()
      }
    }
  }

  /// The instance that was completed last, of those that are to be disposed of.
  // SAFETY: at +0, as a count of references to a registration would be a write to memory that threads share. The cells hold
  // both until all have been disposed of.
  @safe
  private struct NextInCells {
    var found: (record: Unmanaged<RegistrationRecord>, box: Unmanaged<AnyInstanceBox>)?
    /// How many there are.
    var count = 0
    /// Whether only a task can dispose of one of them.
    var isAwaited = false

    mutating func look(at record: RegistrationRecord, _ box: AnyInstanceBox) {
      if record.hasAsynchronousDisposers { isAwaited = true }
      if box.isEndClaimed { return }
      count += 1
      if let found = unsafe found,
        unsafe found.box._withUnsafeGuaranteedRef({ !box.isDisposedOf(before: $0) })
      {
        return
      }
      unsafe found = (.passUnretained(record), .passUnretained(box))
    }

    /// Makes the caller answer for its end.
    ///
    /// - Returns: `nil` if somebody else does.
    func claim() -> Disposable? {
      guard let found = unsafe found else { return nil }
      let box = unsafe found.box.takeUnretainedValue()
      guard box.claimEnd() else { return nil }
      let record = unsafe found.record.takeUnretainedValue()
      return Disposable(record: record, disposers: record.disposers, box: box)
    }
  }

  private func nextInCells() -> NextInCells {
    var next = NextInCells()
    forEachDisposableBoxInCells { next.look(at: $0, $1) }
    return next
  }
}
