// SPDX-License-Identifier: MIT

/// The thread that builds, and the notes of what it resolves meanwhile.
extension Construction {
  /// As ``enter(_:)``, until ``leaveUnnoted()``: the construction around, if any, notes what is
  /// resolved.
  private func enterUnnoted() { surroundings = unsafe Section.begin(.passUnretained(self)) }

  /// Ends an ``enterUnnoted()`` on the same thread.
  func leaveUnnoted() { Section.end(inside: surroundings) }

  /// Begins to build on the calling thread, until ``leave()``.
  ///
  /// - Parameter construction: held by the caller until then.
  /// - Returns: the resolver for the factory.
  @inline(__always)
  static func enter(_ construction: Unmanaged<Construction>) -> UncountedResolver {
    // SAFETY: the caller's reference.
    unsafe construction._withUnsafeGuaranteedRef {
      $0.noting.isOn ? $0.enterNoted() : $0.enterUnnoted()
    }
    return unsafe construction._withUnsafeGuaranteedRef { $0.uncountedResolver }
  }

  @inline(__always)
  private func enterNoted() {
    // SAFETY: alive as the resolver's; a reference would be counted by all threads.
    (surroundings, notingAround) = unsafe uncountedResolver.registry._withUnsafeGuaranteedRef {
      unsafe Section.begin(.passUnretained(self), notingIn: $0.table)
    }
  }

  /// Ends an ``enter(_:)`` on the same thread.
  @inline(never)
  func leave() {
    guard noting.isOn else { return leaveUnnoted() }
    if !noting.seesAll { ResolveNotes.noteUnknown() }
    leaveNoted()
  }

  /// As ``leave()``, for a construction that has noted all resolves.
  @inline(__always)
  func leaveNoted() { notes = Section.end(inside: surroundings, notingFor: notingAround) }

  /// Gives the notes to the instance, if there are any or somebody else has the resolver. Called
  /// between ``leave()`` and the publication. An instance linked to others is marked as unnoted:
  /// code that ran inside of these may have completed the instance.
  @inline(__always)
  func handNotesIfAny(to box: AnyInstanceBox) {
    if unsafe notes != nil || isLinked || !ThreadSpares.isUnshared(.passUnretained(self)) {
      handNotes(to: box)
    }
  }

  @inline(never)
  private func handNotes(to box: AnyInstanceBox) {
    if isLinked { box.markUnnoted() }
    if unsafe ThreadSpares.isUnshared(.passUnretained(self)) {
      guard let notes else { return }
      self.notes = nil
      box.take(notes)
    } else {
      // Kept too, until nobody can resolve by the construction's resolver any more.
      let shared = ResolveNotes.shared(notes)
      notes = shared
      box.take(shared)
    }
  }
}
