// SPDX-License-Identifier: MIT

/// A key resolved by a factory, or looked up in vain.
struct RecordedDependency: Sendable, Hashable {
  /// When the instance was needed.
  enum Timing: Sendable {
    /// While the factory or a decorator ran.
    case factory
    /// In an `afterInit` action.
    case action
    /// Later, or never: a provider or a lazy value was made.
    case later
    /// In a container not around the factory: usually a request scope opened by the factory.
    case elsewhere
  }

  let key: RegistrationKey
  let timing: Timing
  /// Whether the key had no registration, and the factory failed for that reason.
  let wasMissing: Bool
  /// Whether the factory resolved the key as an optional.
  let isOptional: Bool
  /// The number of the decorator that resolved the key, if any. Some containers may lack it.
  let decorator: UInt64?
}

/// A part of the building of an instance, run for a registration.
struct RecordedPart: Hashable {
  enum Kind: Hashable {
    case factory, actions
    case decorator(UInt64)
  }

  let serial: UInt64
  let kind: Kind
}

/// The keys resolved by the factories of one container during recordings, by serial number.
@safe
// SAFETY: the variables are only touched with the writer lock of the container held.
final class RecordedDependencies: @unchecked Sendable {
  private var bySerial: [UInt64: Set<RecordedDependency>] = [:]
  private var completed: Set<RecordedPart> = []
  /// The types of the last instances that the factories have made.
  private var implementations: [UInt64: any Any.Type] = [:]
  private var changes: UInt64 = 0
  // Not strong: the core holds the object.
  private let core: UncountedReference<ContainerCore>

  init(of core: ContainerCore) {
    self.core = UncountedReference(core)
  }

  /// The dependencies of a registration as far as its factory has come.
  func dependencies(of serial: UInt64) -> Set<RecordedDependency> {
    (withLock { bySerial[serial] } ?? nil) ?? []
  }

  /// Whether all parts run by a registration to build an instance have completed.
  func hasCompletedRun(of serial: UInt64, withActions: Bool, _ decorators: [Decorator]) -> Bool {
    let completed: Set<RecordedPart> = withLock { self.completed } ?? []
    var parts =
      [RecordedPart.Kind.factory] + decorators.map { RecordedPart.Kind.decorator($0.number) }
    if withActions { parts.append(.actions) }
    return parts.allSatisfy { completed.contains(RecordedPart(serial: serial, kind: $0)) }
  }

  /// Notes that a part has completed.
  func noteCompletedRun(of serial: UInt64, _ kind: RecordedPart.Kind) {
    _ = withLock { completed.insert(RecordedPart(serial: serial, kind: kind)) }
  }

  /// The type of the latest instance recorded of a registration's factory; `nil` for none.
  func implementation(of serial: UInt64) -> (any Any.Type)? {
    withLock { implementations[serial] } ?? nil
  }

  func noteImplementation(_ type: any Any.Type, of serial: UInt64) {
    _ = withLock { implementations[serial] = type }
  }

  /// Adds a dependency. The set changes outside of the lock, as user code compares names.
  func add(_ dependency: RecordedDependency, of serial: UInt64) {
    DeferredDependencies.noteDescribed()
    while true {
      guard let (known, changes) = withLock({ (bySerial[serial] ?? [], changes) }),
        !known.contains(dependency)
      else { return }
      let extended = known.union([dependency])
      let isDone = withLock {
        guard self.changes == changes else { return false }
        self.changes += 1
        bySerial[serial] = extended
        return true
      }
      if isDone ?? true { return }
    }
  }

  /// `nil` if the container is gone.
  func withLock<Result>(_ body: () -> Result) -> Result? {
    core.object?.table.withWriterLock(body)
  }
}
