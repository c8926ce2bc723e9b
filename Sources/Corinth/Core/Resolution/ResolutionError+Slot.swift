// SPDX-License-Identifier: MIT

extension ResolutionError {
  /// Whether it was the slot's own key, and no other's, for which nothing was registered.
  @usableFromInline
  func isMissing(_ slot: SlotReference) -> Bool {
    guard case .noRegistrationFound = self, context.isUnextended else { return false }
    return key == slot.key
  }
}

extension SlotWord {
  /// The error of a resolve in which this word's factory threw; leaves the section. Out of line, to keep it
  /// out of the way of hits.
  @usableFromInline @inline(never)
  func failure(_ error: any Error, ending section: Section) -> ResolutionError {
    defer { section.leave() }
    guard let registration = unsafe registration else {
      preconditionFailure("SlotWord.failure: the word must hold a registration")
    }
    // SAFETY: the section, which is still open, keeps the registration alive.
    return unsafe registration._withUnsafeGuaranteedRef { ResolutionError(error, thrownBy: $0) }
  }
}
