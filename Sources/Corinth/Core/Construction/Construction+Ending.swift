// SPDX-License-Identifier: MIT

/// The steps of a construction that the calling thread owns.
extension Construction {
  /// Builds an instance claimed by the caller. Inlined: fewer frames for nested constructions.
  ///
  /// - Parameter claimed: with the state's reference, consumed by a function that ends it.
  /// - Returns: `nil` if the caller must retry.
  // SAFETY: the state's reference.
  @inline(__always)
  static func build(
    _ claimed: Unmanaged<Construction>, _ record: RegistrationRecord, in slot: SlotReference,
    _ arguments: AnyArguments?, _ earlier: inout EarlierAttempts
  ) throws(ResolutionError) -> AnyInstanceBox? {
    var box: AnyInstanceBox?
    var failure: (any Error)?
    do {
      // The call's only reference, and no closure: without optimization, a second reference or a
      // closure would take stack for every nested construction.
      let resolver = unsafe claimed.takeUnretainedValue().enterForBuilding(after: &earlier)
      if resolver.isComposed {
        box = try record.buildComposed(resolver, arguments)
      } else {
        box = try record.build(resolver, arguments)
      }
    } catch { failure = error }
    // A single call for both outcomes, as every throwing call enlarges the frame.
    return unsafe try conclude(
      claimed, &box, failure, of: record, in: slot, arguments, &earlier)
  }

  /// - Returns: the resolver for the factory.
  private func enterForBuilding(after earlier: inout EarlierAttempts) -> Resolver {
    if let begun = earlier.begun { follow(begun) }
    enterForBuilding(in: container)
    return resolver
  }

  /// Publishes the built instance, at once if nothing is linked; or gives the claim back.
  ///
  /// - Parameters:
  ///   - box: the product. Taken, so that the caller keeps no reference.
  ///   - failure: the error of the factory, without a product.
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
    unsafe end(claimed, isContended: isContended, with: product)
    return product
  }

  /// Publishes a singleton whose registration is the claimed state. Nothing is linked.
  @inline(__always)
  static func end(
    _ claimed: Unmanaged<Construction>, with box: AnyInstanceBox, in slot: SlotReference
  ) {
    // SAFETY: as above. Each closure is small enough to be inlined.
    unsafe claimed._withUnsafeGuaranteedRef { $0.noting.seesAll ? $0.leaveNoted() : $0.leave() }
    unsafe claimed._withUnsafeGuaranteedRef { $0.handNotesIfAny(to: box) }
    let record = unsafe claimed._withUnsafeGuaranteedRef { unsafe $0.takeRegistration() }
    let isContended = unsafe claimed._withUnsafeGuaranteedRef { construction in
      unsafe record._withUnsafeGuaranteedRef { construction.store(box, inStateOf: $0, in: slot) }
    }
    unsafe end(claimed, isContended: isContended, with: box)
    // The reference may be the last, and its release run deinits, for which the construction has
    // ended. The constructions around have not, as for any release by a resolve.
    unsafe record.release()
  }

  /// Publishes the built instance as soon as the linked constructions allow.
  ///
  /// - Parameter box: the product, never `nil`. Taken, so that the caller keeps no reference.
  /// - Returns: the product; `nil` if the caller must retry, as the instance is incomplete, or was
  ///   dropped because of an early reference.
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

  /// Gives back the claim of a construction that failed on this thread. Returns if a retry is due.
  ///
  /// A refused product is destroyed by now, inside the construction: later, the deinit could wait
  /// for the construction of which the deinit is a part.
  func giveBack(
    _ record: RegistrationRecord, because error: any Error
  ) throws(ResolutionError) {
    leave()
    if let error = fail(record, error) { throw error }
  }

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
