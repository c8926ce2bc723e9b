// SPDX-License-Identifier: MIT

extension ResolutionError {
  /// Whether the slot's own key was missing, and not that of a dependency.
  @usableFromInline
  func isMissing(_ slot: SlotReference) -> Bool {
    guard case .noRegistrationFound = self, context.isUnextended else { return false }
    return key == slot.key
  }
}

extension SlotWord {
  /// The error of a resolve in which this word's factory threw; leaves the section. Out of line, to keep
  /// hits short.
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
