// SPDX-License-Identifier: MIT

/// The steps of a construction that the calling thread owns.
extension Construction {
  /// Builds the instance that the caller has claimed. Inlined, to keep the frames of nested constructions few.
  ///
  /// - Returns: `nil` if the caller must retry.
  @inline(__always)
  func build(
    _ record: RegistrationRecord, _ request: Request
  ) throws(ResolutionError) -> AnyInstanceBox? {
    enterForBuilding()
    var box: AnyInstanceBox?
    do {
      if isComposed {
        box = try buildComposed(record, request)
      } else {
        box = try record.build(resolver, request.arguments)
      }
    } catch {
      try giveBack(record, because: error)
      return nil
    }
    return try complete(&box, of: record, in: request.slot, request.arguments)
  }

  /// On its own, to keep the frame of the above small.
  @inline(never)
  private func buildComposed(
    _ record: RegistrationRecord, _ request: Request
  ) throws -> AnyInstanceBox {
    try record.buildComposed(resolver, request.arguments)
  }

  /// Publishes what has been built. At once, if the construction concerns no other one.
  ///
  /// - Parameter box: the product, never `nil`. Taken, so that the caller has no reference to it.
  /// - Returns: the product; `nil` if the caller must retry, because it is not complete yet, or has been dropped because
  ///   of an early reference.
  func complete(
    _ box: inout AnyInstanceBox?, of record: RegistrationRecord, in slot: SlotReference,
    _ arguments: AnyArguments?
  ) throws(ResolutionError) -> AnyInstanceBox? {
    guard record.servesInstanceUnchanged, !isLinked, let product = box.take() else {
      return try initialise(&box, of: record, in: slot, arguments)
    }
    leave()
    if record.hasDisposers { record.markCompleted(product, builtBy: self) }
    publish(product, storedAs: product, of: record, in: slot, arguments: arguments)
    release()
    return product
  }

  /// Runs the actions that were postponed until now and those of the instance, and publishes the instance if it is
  /// then complete.
  private func initialise(
    _ box: inout AnyInstanceBox?, of record: RegistrationRecord, in slot: SlotReference,
    _ arguments: AnyArguments?
  ) throws(ResolutionError) -> AnyInstanceBox? {
    do {
      let instance = try UnpublishedInstance(
        taking: &box, of: record, builtBy: self, in: slot, arguments: arguments)
      let isDone = try instance.initialise()
      leave()
      guard isDone else { return nil }
      let product = instance.earlyReference
      return try instance.finishWork() ? product : nil
    } catch let error as ResolutionError where isFinished {
      throw error
    } catch {
      try giveBack(record, because: error)
      return nil
    }
  }

  /// Gives back the claim of a construction that has failed on the calling thread. Returns if the
  /// caller must retry.
  ///
  /// A product that was refused is destroyed by now, inside of the construction: its deinit could otherwise
  /// wait for the construction that it is a part of.
  func giveBack(
    _ record: RegistrationRecord, because error: any Error
  ) throws(ResolutionError) {
    leave()
    if let error = fail(record, error) { throw error }
  }

  /// Ends a construction that has failed.
  ///
  /// - Returns: the error that its resolve throws; `nil` if it must retry.
  func fail(_ record: RegistrationRecord, _ error: any Error) -> ResolutionError? {
    let error = ResolutionError(error, thrownBy: record)
    guard isLinked || !record.lifecycle.afterInit.isEmpty else {
      drop(becauseOf: error)
      release()
      return error
    }
    let failure = WaitForGraph.fail(self, of: record, becauseOf: error)
    let removed = drop(becauseOf: failure.error)
    UnpublishedInstance.drop(failure.dropped)
    release()
    // Nothing waits for any of them by now: the deinit of an instance may resolve what has failed.
    withExtendedLifetime((failure, removed)) {}
    return failure.error
  }
}
