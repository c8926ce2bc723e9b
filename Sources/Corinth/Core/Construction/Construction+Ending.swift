// SPDX-License-Identifier: MIT

/// The end of a construction that has failed.
extension Construction {
  /// Ends a failed construction.
  ///
  /// - Returns: the error for the construction's resolve; `nil` if the resolve must retry.
  func fail(_ record: RegistrationRecord, _ error: any Error) -> ResolutionError? {
    let error = ResolutionError(error, thrownBy: record)
    guard isLinked || !record.lifecycle.afterInit.isEmpty else {
      FailureMemory.note(error, of: record, builtBy: self)
      drop(becauseOf: error)
      release()
      return error
    }
    let failure = WaitForGraph.fail(self, of: record, becauseOf: error)
    if let error = failure.error { FailureMemory.note(error, of: record, builtBy: self) }
    let removed = drop(becauseOf: failure.error)
    UnpublishedInstance.drop(failure.dropped)
    release()
    // No waiter is left by now: the deinit of an instance may resolve the failed key again.
    withExtendedLifetime((failure, removed)) {}
    return failure.error
  }
}
