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
  @inline(never) static func make(_ report: UndisposedReport, of container: ContainerCore) {
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
