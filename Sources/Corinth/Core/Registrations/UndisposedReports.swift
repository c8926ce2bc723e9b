// SPDX-License-Identifier: MIT

/// The reports of undisposed instances.
enum UndisposedReports {
  static let handler = ReportHandler<UndisposedReport>()

  /// Reports instances released by a container, if any. No lock is held.
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
  /// - Parameter container: the container that stored the instances.
  init(_ mark: DropMark, in container: ContainerCore) {
    self =
      switch mark {
      case .released: .released
      case .overridden: .overridden
      case .removed: .removed
      case .ended:
        (container.isScope ? container.location : nil).map { .scopeNotClosed(madeAt: $0) }
          ?? .containerNotShutDown
      }
  }
}

extension RegistrationRecord {
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
  @inline(__always)
  func mayBeDropped(in container: ContainerCore) -> Bool {
    drop != nil || policy.storage == .requestScope && keeper(around: container)?.isDropped == true
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

extension ContainerCore {
  /// The instances to dispose of at the container's end.
  var undisposedInstances: [UndisposedInstance] {
    var found: [UndisposedInstance] = []
    forEachRegistration { record in
      guard record.policy.endsWithContainer else { return }
      found += record.forms.filter(\.hasDisposers).flatMap(\.instances).filter(\.isBuilt)
        .map { _ in record.dropped }
    }
    var scoped: [UndisposedInstance] = []
    forEachPlace { if $1.isBuilt { scoped.append($0.dropped) } }
    // The latest first.
    return found + scoped.reversed()
  }

  /// Lets go of the instances in sealed cells. Constructions under way report theirs at the end.
  func dropScopedInstances() -> [UndisposedInstance] {
    markDropped()
    var found: [UndisposedInstance] = []
    forEachPlace(sealing: true) { record, place in
      // See `InstanceState.claimEnd`.
      if place.box(of: record)?.claimEnd() ?? false { found.append(record.dropped) }
    }
    return found.reversed()
  }
}

extension ContainerCore {
  /// Notes the instances of a closing tracked scope, already sealed, to look at survivors later.
  func expectOutlivingInstances() {
    guard let tracked = extrasIfMade?.trackedScope.load(), tracked.claimSearch(),
      !OutlivingInstances.handler.isNil
    else { return }
    var found: [OutlivingInstance] = []
    func add(_ object: AnyObject, _ record: RegistrationRecord) {
      found.append(
        OutlivingInstance(
          object: object, instance: UndisposedInstance(key: record.key, location: record.location)))
    }
    forEachPlace(sealing: true) { record, place in
      if let object = place.box(of: record).flatMap(record.object) { add(object, record) }
    }
    tracked.expect(found)
  }
}

extension RegistrationRecord {
  /// The object in a box; `nil` for a value.
  fileprivate func object(in box: AnyInstanceBox) -> AnyObject? {
    // An existential would box a value anew, in an object without further references.
    TypeKind(of: key.product) == .possiblyReference ? box.product as AnyObject : nil
  }
}
