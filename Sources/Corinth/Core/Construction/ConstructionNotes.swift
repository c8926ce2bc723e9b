// SPDX-License-Identifier: MIT

/// What a construction has resolved, from the end of its factory on. Functions of their own, as most constructions note nothing.
extension Construction {
  /// Takes the notes of the calling thread.
  @inline(never)
  func endNotes() {
    let wasHandedOver = noting.end()
    areNotesTaken = true
    let notes = ResolveNotes.end()
    // Another reference: somebody may have kept the resolver, or just waits for the end.
    let isShared = unsafe !ThreadSpares.isUnshared(.passUnretained(self))
    if wasHandedOver {
      dependencies = InstanceDependencies(.unknown, isOpen: isShared)
    } else if notes != nil || isShared {
      dependencies = InstanceDependencies(notes ?? .slots([]), isOpen: isShared)
    }
  }

  /// Notes that nobody can resolve by the resolver any more.
  @inline(never)
  func closeNotes() {
    areNotesTaken = false
    guard let dependencies else { return }
    dependencies.close()
    self.dependencies = nil
  }
}
