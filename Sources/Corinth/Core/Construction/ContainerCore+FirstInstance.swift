// SPDX-License-Identifier: MIT

/// How a container's singleton is built on the first resolve: the steps of
/// RegistrationRecord+Construction.swift, without parts for other instances. Any step may find more
/// to do, and leave it to the ordinary steps.
// SAFETY, of this file: the section keeps the registration alive, then the construction, as owner
// of its state; a claim has one reference to its construction, taken by a function that ends it.
extension ContainerCore {
  /// The instance of a registration with the plan ``RegistrationPlan/simpleSingleton``, built by
  /// the call; `nil` to ask for the ordinary steps. Ends the section, unless the result is `nil`.
  @inline(never)
  func firstInstance(
    behind word: SlotWord, in slot: SlotReference, _ section: Section,
    within context: ResolutionContext?
  ) throws -> AnyInstanceBox? {
    let record = unsafe word.record
    // The two calls save a count of references to the context.
    let claim = unsafe try record._withUnsafeGuaranteedRef { record in
      context == nil || !section.isRunning(context) && ResolutionContext.isOver(context)
        ? unsafe try record.claimFirst(in: self, slot, section, requestedBy: nil)
        : unsafe try record.claimFirst(in: self, slot, section, requestedBy: context)
    }
    guard let construction = unsafe claim else { return nil }
    section.leave()
    unsafe construction._withUnsafeGuaranteedRef { $0.enterForBuilding(in: self) }
    var box: AnyInstanceBox?
    var failure: (any Error)?
    do {
      box = unsafe try construction._withUnsafeGuaranteedRef { construction in
        unsafe try record._withUnsafeGuaranteedRef { record in
          if Composition.isUsed, isComposed {
            return try record.buildComposed(construction.resolver, nil)
          }
          return try record.build(
            with: UncountedResolver(registry: self, construction: construction))
        }
      }
    } catch { failure = error }
    if unsafe failure == nil && !construction._withUnsafeGuaranteedRef({ $0.isLinked }),
      let built = box.take()
    {
      unsafe Construction.end(construction, with: built, in: slot)
      return built
    }
    return unsafe try concludeFirst(construction, record, &box, failure, slot, within: context)
  }

  /// Ends a failed or linked construction, and goes on with the ordinary steps if in vain.
  @inline(never)
  private func concludeFirst(
    _ construction: Unmanaged<Construction>, _ record: Unmanaged<RegistrationRecord>,
    _ box: inout AnyInstanceBox?, _ failure: (any Error)?, _ slot: SlotReference,
    within context: ResolutionContext?
  ) throws(ResolutionError) -> AnyInstanceBox {
    // The construction gives up its reference to the record.
    let record = unsafe record.takeUnretainedValue()
    var earlier = EarlierAttempts()
    let concluded = unsafe try Construction.conclude(
      construction, &box, failure, of: record, in: slot, nil, &earlier)
    if let concluded { return concluded }
    return try record.resolveBox(Request(slot, for: self, within: context), after: &earlier)
  }
}

extension RegistrationRecord {
  /// Claims the state of a singleton without an instance, if its dependencies are the container's.
  ///
  /// - Returns: `nil` if the ordinary steps are to be taken.
  @inline(__always)
  fileprivate final func claimFirst(
    in container: ContainerCore, _ slot: SlotReference, _ section: Section,
    requestedBy requester: ResolutionContext?
  ) throws(ResolutionError) -> Unmanaged<Construction>? {
    guard load().isEmpty, isOwned(by: container), !isObserved,
      !WaitForGraph.mayRefuse(requestedBy: requester)
    else { return nil }
    let construction = unsafe Construction.begin(
      of: self, keyIn: slot, in: container, requestedBy: requester,
      isNoting: factoryKind.notesDependencies)
    if unsafe construction._withUnsafeGuaranteedRef({ $0.isTooDeep(section) }) {
      unsafe construction.release()
      throw tooDeep(leaving: section)
    }
    guard unsafe claim(construction, replacing: .empty) else {
      unsafe construction.release()
      return nil
    }
    unsafe construction._withUnsafeGuaranteedRef { $0.ownState(of: self) }
    return unsafe construction
  }

  /// Out of line, for small frames. The section keeps the record alive until the error is made.
  @inline(never)
  private final func tooDeep(leaving section: Section) -> ResolutionError {
    let error = ResolutionError.resolutionTooDeep(self)
    section.leave()
    return error
  }
}
