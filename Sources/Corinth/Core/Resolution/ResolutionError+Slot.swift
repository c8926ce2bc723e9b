// SPDX-License-Identifier: MIT

extension Error {
  /// Whether the slot's own key was missing, and not the key of a dependency.
  @usableFromInline @inline(never)
  func isMissing(_ slot: SlotReference) -> Bool { isMissing(slot.key) }

  func isMissing(_ wanted: RegistrationKey) -> Bool {
    guard let error = self as? ResolutionError, case .noRegistrationFound = error,
      error.context.isUnextended
    else { return false }
    return error.key == wanted
  }
}

extension SlotWord {
  /// Throws ``failure(_:)``. Call sites share it.
  @usableFromInline @inline(never)
  func fail(_ error: consuming any Error) throws -> Never {
    throw failure(error)
  }

  /// The error of a resolve in which the word's factory threw. Needs a section. Out of line, to
  /// keep hits short; untyped, so that call sites need no conversion.
  @usableFromInline @inline(never)
  func failure(_ error: any Error) -> any Error {
    guard let registration = unsafe registration else {
      preconditionFailure("SlotWord.failure: the word must hold a registration")
    }
    // SAFETY: the section keeps the registration alive.
    return unsafe registration._withUnsafeGuaranteedRef { record in
      let failure = ResolutionError(error, thrownBy: record)
      record.tell(of: failure)
      return failure
    }
  }
}
