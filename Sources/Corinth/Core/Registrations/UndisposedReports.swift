// SPDX-License-Identifier: MIT

/// The reports of dropped instances.
enum UndisposedReports {
  static let handler = ReportHandler<UndisposedReport>()

  /// Reports instances that a container has released, if there are any. No lock is held.
  static func report(
    _ cause: DropMark, of container: ContainerCore,
    _ instances: @autoclosure () -> [UndisposedInstance]
  ) {
    guard !handler.isNil || Composition.isUsed else { return }
    let instances = instances()
    if instances.isEmpty { return }
    let cause = UndisposedReport.Cause(cause, in: container)
    make(UndisposedReport(cause: cause, instances: instances), of: container)
  }

  /// Makes a report. No lock is held.
  static func make(_ report: UndisposedReport, of container: ContainerCore) {
    handler.value?(report)
    container.didLeaveUndisposed(report)
  }
}

/// Why a container has released instances.
enum DropMark: UInt8 {
  case released = 1
  case overridden
  case removed
  /// The container was deallocated.
  case ended
}

extension UndisposedReport.Cause {
  /// - Parameter container: the one that stored the instances.
  init(_ mark: DropMark, in container: ContainerCore) {
    self =
      switch mark {
      case .released: .released
      case .overridden: .overridden
      case .removed: .removed
      case .ended:
        container.scopeLocation.map { .scopeNotClosed(madeAt: $0) } ?? .containerNotShutDown
      }
  }
}

extension RegistrationRecord {
  /// Releases the instances of all its forms. One that is being built is reported at the end of its construction.
  ///
  /// - Returns: those that are to be disposed of, and whose end the caller now answers for.
  func dropInstances(_ mark: DropMark) -> [UndisposedInstance] {
    if isOnlyForm, !policy.endsWithContainer { return [] }
    var found: [UndisposedInstance] = []
    for form in forms where form.policy.endsWithContainer {
      // Also without disposers: they may be known at the end of the construction.
      form.markDropped(mark)
      if form.hasDisposers { found += form.instances.filter { $0.claimEnd() }.map { _ in dropped } }
    }
    return found
  }

  /// Whether an instance may have been released since its construction stored it.
  @inline(__always)
  func mayBeDropped(in container: ContainerCore) -> Bool {
    drop != nil || policy.storage == .requestScope && keeper(around: container)?.isDropped == true
  }

  /// Reports an instance that ``mayBeDropped(in:)`` is true of. The disposers are read after the mark: one
  /// that the writer of the mark has seen is then seen here.
  ///
  /// - Parameter container: the one that the construction resolves dependencies in.
  /// - Returns: the report that the caller must make; `nil` if there is nothing to report.
  func reportIfDropped(_ box: AnyInstanceBox, in container: ContainerCore) -> UndisposedReport? {
    let (mark, keeper) =
      drop.map { ($0, container) } ?? (.ended, self.keeper(around: container) ?? container)
    guard hasDisposers, box.claimEnd() else { return nil }
    return UndisposedReport(cause: UndisposedReport.Cause(mark, in: keeper), instances: [dropped])
  }

  fileprivate var dropped: UndisposedInstance { UndisposedInstance(key: key, location: location) }
}

extension ContainerCore {
  /// The instances that it is to dispose of at its end.
  var undisposedInstances: [UndisposedInstance] {
    var found: [UndisposedInstance] = []
    forEachRegistration { record in
      guard record.policy.endsWithContainer else { return }
      found += record.forms.filter(\.hasDisposers).flatMap(\.instances).filter(\.isBuilt)
        .map { _ in record.dropped }
    }
    return found + scopedInstances(closing: false, \.isBuilt)
  }

  /// Releases the instances of a request scope. One that is being built is reported at the end of its construction.
  func dropScopedInstances() -> [UndisposedInstance] {
    markDropped()
    return scopedInstances(closing: true) { $0.claimEnd() }
  }

  private func scopedInstances(
    closing: Bool, _ isIncluded: (InstanceState) -> Bool
  ) -> [UndisposedInstance] {
    var found: [UndisposedInstance] = []
    moveFromCells(closing: closing)
    instances.forEachEntry { if isIncluded($0) { found.append($0.record.dropped) } }
    return found
  }
}

extension InstanceState {
  final var isBuilt: Bool {
    if case .built = current { true } else { false }
  }
}
