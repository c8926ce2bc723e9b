// SPDX-License-Identifier: MIT

/// The steps of a construction that the calling thread owns.
extension Construction {
  /// Builds the instance that the caller has claimed. Inlined, to keep the frames of nested constructions few.
  ///
  /// - Parameter claimed: with the reference of the state, which one of the functions that end it takes over.
  /// - Returns: `nil` if the caller must retry.
  // SAFETY: that reference.
  @inline(__always)
  static func build(
    _ claimed: Unmanaged<Construction>, _ record: RegistrationRecord, in slot: SlotReference,
    _ arguments: AnyArguments?, _ earlier: inout EarlierAttempts
  ) throws(ResolutionError) -> AnyInstanceBox? {
    var box: AnyInstanceBox?
    var failure: (any Error)?
    do {
      // The only reference of this call, and no closure: without optimization, that would be frames of each construction.
      let resolver = unsafe claimed.takeUnretainedValue().enterForBuilding(after: &earlier)
      if resolver.isComposed {
        box = try record.buildComposed(resolver, arguments)
      } else {
        box = try record.build(resolver, arguments)
      }
    } catch { failure = error }
    // One call for both, as each that throws takes of the frame.
    return unsafe try conclude(
      claimed, &box, failure, of: record, in: slot, arguments, &earlier)
  }

  /// - Returns: the resolver that the factory gets.
  private func enterForBuilding(after earlier: inout EarlierAttempts) -> Resolver {
    if let begun = earlier.begun { follow(begun) }
    enterForBuilding()
    return resolver
  }

  /// Publishes what has been built: at once, if the construction concerns no other one. Or gives the claim back.
  ///
  /// - Parameters:
  ///   - box: the product. Taken, so that the caller has no reference to it.
  ///   - failure: why there is none.
  @inline(never)
  static func conclude(
    _ claimed: Unmanaged<Construction>, _ box: inout AnyInstanceBox?, _ failure: (any Error)?,
    of record: RegistrationRecord, in slot: SlotReference, _ arguments: AnyArguments?,
    _ earlier: inout EarlierAttempts
  ) throws(ResolutionError) -> AnyInstanceBox? {
    guard record.servesInstanceUnchanged,
      unsafe !claimed._withUnsafeGuaranteedRef({ $0.isLinked }), let product = box.take()
    else {
      let construction = unsafe claimed.takeUnretainedValue()
      earlier.begin(construction)
      if let failure {
        try construction.giveBack(record, because: failure)
        return nil
      }
      return try construction.complete(&box, of: record, in: slot, arguments)
    }
    // SAFETY: as above.
    let isContended = unsafe claimed._withUnsafeGuaranteedRef { construction in
      construction.leave()
      if record.hasDisposers { record.markCompleted(product, builtBy: construction) }
      return construction.store(
        product, storedAs: product, of: record, in: slot, arguments)
    }
    unsafe end(claimed, isContended: isContended, handing: product)
    return product
  }

  /// Publishes a singleton whose registration the construction has claimed, and which concerns no other construction.
  @inline(__always)
  static func end(
    _ claimed: Unmanaged<Construction>, with box: AnyInstanceBox, in slot: SlotReference
  ) {
    // SAFETY: as above.
    let record = unsafe claimed._withUnsafeGuaranteedRef { construction in
      construction.leave()
      return unsafe construction.takeRegistration()
    }
    let isContended = unsafe claimed._withUnsafeGuaranteedRef { construction in
      unsafe record._withUnsafeGuaranteedRef { construction.store(box, inStateOf: $0, in: slot) }
    }
    unsafe end(claimed, isContended: isContended, with: box)
    // It may be the last one, and run deinits, for which this construction has ended. Those around it have not, as when an
    // ordinary resolve gives its reference up.
    unsafe record.release()
  }

  /// Publishes what has been built, as soon as the constructions that it is linked to allow that.
  ///
  /// - Parameter box: the product, never `nil`. Taken, so that the caller has no reference to it.
  /// - Returns: the product; `nil` if the caller must retry, because it is not complete yet, or has been dropped because
  ///   of an early reference.
  func complete(
    _ box: inout AnyInstanceBox?, of record: RegistrationRecord, in slot: SlotReference,
    _ arguments: AnyArguments?
  ) throws(ResolutionError) -> AnyInstanceBox? {
    do {
      let instance = try UnpublishedInstance(
        taking: &box, of: record, builtBy: self, in: slot, arguments: arguments)
      let isDone = try instance.initialize()
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
    // Nothing waits for any of them by now: the deinit of an instance may resolve what has failed.
    withExtendedLifetime((failure, removed)) {}
    return failure.error
  }
}
