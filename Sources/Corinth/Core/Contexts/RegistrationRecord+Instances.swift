// SPDX-License-Identifier: MIT

/// The instances that a registration stores, in all its forms, and how the container lets them go.
extension RegistrationRecord {
  /// The states of the instances that the registration stores. With a lock held, inside a section.
  final var instances: [InstanceState] {
    instancesByArguments?.all ?? [self]
  }

  /// Keeps states from being made for further arguments.
  ///
  /// - Returns: the states of all instances, which are the caller's to seal.
  final func sealInstances() -> [InstanceState] {
    instancesByArguments?.seal() ?? [self]
  }

  /// Whether the registration stores an instance, or builds one to store, in any form.
  @inline(__always)
  final var hasInstances: Bool { policy.storage == .registration && hasInstancesInForms }

  /// Out of line, to keep the replacement of other registrations short.
  @inline(never)
  private final var hasInstancesInForms: Bool {
    // The section outlasts the references to the states: none ends under a lock.
    let section = Section.enter()
    defer { section.leave() }
    return forms.contains { form in
      form.instances.contains { $0.load().address != 0 }
    }
  }

  // MARK: - Forms

  /// The record, and the earlier forms of the registration taken over by the record.
  final var forms: some Sequence<RegistrationRecord> {
    sequence(first: self) { $0.takenOver.load() }
  }

  /// Whether ``forms`` has a single element.
  final var isOnlyForm: Bool { takenOver.isNil }

  /// Takes over the former form, just replaced by the record. The former form builds no more; its
  /// instances end with the record's, if the container knows their end. The writer lock is held.
  final func takeOverAssumingWriterLockHeld(_ former: RegistrationRecord) {
    guard attributes.policy.endsWithContainer || attributes.hasDisposers,
      let earlier = former.sealKeepingInstances() ? former : former.takenOver.load()
    else { return }
    _ = takenOver.storeIfNil(earlier)
  }

  /// Seals the states of the instances, if the container is to end them.
  ///
  /// - Returns: whether there are instances, or some are being built.
  private func sealKeepingInstances() -> Bool {
    // The later form serves the value itself.
    if !policy.endsWithContainer || policy.storage != .registration || isConstant { return false }
    var hasInstances = false
    for state in sealInstances() {
      _ = state.seal()
      if !state.isSealed { hasInstances = true }
    }
    return hasInstances
  }

  // MARK: - Letting go

  /// Lets go of the instances of all forms. A construction under way reports its own at the end.
  ///
  /// - Returns: the instances to dispose of, for whose end the caller is now responsible.
  func dropInstances(_ mark: DropMark) -> [UndisposedInstance] {
    if isOnlyForm, !policy.endsWithContainer { return [] }
    var found: [UndisposedInstance] = []
    for form in forms where form.policy.endsWithContainer {
      // Marked without disposers too: disposers may be added before a construction ends.
      form.markDropped(mark)
      if form.hasDisposers { found += form.instances.filter { $0.claimEnd() }.map { _ in dropped } }
    }
    return found
  }

  /// Whether the container may have let go of an instance after its construction stored it.
  ///
  /// - Parameter container: only asked for a request scope, as a reference would be counted.
  @inline(__always)
  func mayBeDropped(in container: @autoclosure () -> ContainerCore) -> Bool {
    isDropped || policy.storage == .requestScope && keeper(around: container())?.isDropped == true
  }

  /// Reports an instance when ``mayBeDropped(in:)``, or when the state was released and let go of.
  /// Reads the disposers after the mark, and so sees every disposer seen by the thread that wrote
  /// the mark.
  ///
  /// - Parameter container: the container in which the construction resolves dependencies.
  /// - Returns: the report for the caller to make; `nil` without anything to report.
  func reportIfDropped(_ box: AnyInstanceBox, in container: ContainerCore) -> UndisposedReport? {
    let ownMark: DropMark = policy.storage == .requestScope ? .ended : .released
    let (mark, keeper) =
      drop.map { ($0, container) } ?? (ownMark, self.keeper(around: container) ?? container)
    guard hasDisposers, box.claimEnd() else { return nil }
    return UndisposedReport(cause: UndisposedReport.Cause(mark, in: keeper), instances: [dropped])
  }

  var dropped: UndisposedInstance { UndisposedInstance(key: key, location: location) }
}
