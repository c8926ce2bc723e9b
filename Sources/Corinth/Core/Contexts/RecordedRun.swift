// SPDX-License-Identifier: MIT

internal import Synchronization

/// Where a run has met a failure.
private enum PlaceOfFailure {
  /// In a container around the factory: noted if it ends the run.
  case here
  /// In a different container: noted already, as elsewhere.
  case elsewhere
  /// In a decorator: noted already, for the decorator.
  case decorator
}

/// A run of a factory, or of the actions of an instance, during a recording of dependencies.
///
/// A successful resolve is recorded immediately. A failure is recorded when its error leaves the
/// factory: a factory that catches the error does not depend on the instance. By then the error has
/// the key, but neither the decorator nor the container asked. So the run keeps its failures, and
/// the rule is: **an error is noted where it leaves a part, unless the last failure of its key in
/// the run is noted already**. Noted already are failures in a different container, at once, and
/// failures in a decorator, when leaving the decorator. Notes of different runs do not matter here.
// SAFETY: the constant references are to Sendable classes; the failures are only touched with a
// lock held; all other variables are atomic.
final class RecordedRun: @unchecked Sendable {
  private let recorded: RecordedDependencies
  private let serial: UInt64
  private let timing: RecordedDependency.Timing
  /// The containers around the factory, weakly: a task that outlives the factory keeps none.
  private let containers: [UncountedReference<ContainerCore>]
  private let isOver = Atomic<Bool>(false)
  /// With the failures in tasks started by the factory.
  private var failures: [Failure] = []

  private struct Failure {
    let key: RegistrationKey
    let place: PlaceOfFailure
    /// Whether the factory would have done without a missing registration of the key.
    let isOptional: Bool
  }

  init(_ run: ObservedRun) {
    containers = run.container.selfAndAncestors.map { UncountedReference($0) }
    recorded = run.owner.recorded
    serial = run.serial
    timing = run.part == .actions ? .action : .factory
  }

  /// Notes that a container was asked for a key.
  func note(
    _ key: RegistrationKey, _ timing: RecordedDependency.Timing? = nil, from asked: ContainerCore
  ) {
    note(key, isElsewhere(asked) ? .elsewhere : timing)
  }

  /// Keeps the failure of a key. A failure in a container not around the factory is noted at once.
  func noteFailure(of key: RegistrationKey, from asked: ContainerCore) {
    let isElsewhere = isElsewhere(asked)
    if isElsewhere { note(key, .elsewhere) }
    keepFailure(of: key, isElsewhere ? .elsewhere : .here)
  }

  private func keepFailure(of key: RegistrationKey, _ place: PlaceOfFailure) {
    let failure = Failure(key: key, place: place, isOptional: current?.isOptional ?? false)
    recorded.withLock { failures.append(failure) }
  }

  /// The last failure of a key. Names are compared by code of the user, so the lock is not held.
  private func lastFailure(of key: RegistrationKey) -> Failure? {
    recorded.withLock { failures }?.last { $0.key == key }
  }

  /// The observation of the calling task or thread, if the task or thread executes this run.
  private var current: Observation? {
    let current = Observation.current
    return current.run === self ? current : nil
  }

  /// Whether the factory does not lie in a container.
  private func isElsewhere(_ asked: ContainerCore) -> Bool {
    !containers.contains { $0.object === asked }
  }

  private func note(
    _ key: RegistrationKey, _ timing: RecordedDependency.Timing? = nil, wasMissing: Bool = false,
    isOptional: Bool = false
  ) {
    let isOver = isOver.load(ordering: .relaxed)
    let current = current
    let isOptional = isOptional || current?.isOptional ?? false
    let timing = isOver && timing != .elsewhere ? .later : timing ?? self.timing
    func dependency(isOptional: Bool, _ timing: RecordedDependency.Timing) -> RecordedDependency {
      RecordedDependency(
        key: key, timing: timing, wasMissing: wasMissing, isOptional: isOptional,
        decorator: current?.decorator)
    }
    // A provider of an optional was made before: the key is resolved only if it is registered.
    let isDeferred =
      !isOptional && !wasMissing
      && recorded.dependencies(of: serial).contains(dependency(isOptional: true, .later))
    recorded.add(dependency(isOptional: isOptional || isDeferred, timing), of: serial)
  }

  /// Notes the dependency named by an error that leaves a part of the run: a decorator, or the
  /// whole run. An error caught by the factory is not noted.
  private func note(_ error: any Error) {
    guard let error = error as? ResolutionError, let key = error.path.first else { return }
    var isMissing = false
    if case .noRegistrationFound = error { isMissing = error.path.count == 1 }
    let failure = lastFailure(of: key)
    let isNoted =
      switch failure?.place {
      case .decorator?: true
      // A key missing elsewhere is missing here too, or registered by now: the graph looks.
      case .elsewhere?: !isMissing
      case .here?, nil: false
      }
    if !isNoted {
      note(key, wasMissing: isMissing, isOptional: failure?.isOptional ?? false)
    }
    if current?.decorator != nil { keepFailure(of: key, .decorator) }
  }

  /// Runs a decorator of a registration. If the current run is one of the registration, keys that
  /// the decorator resolves, or fails at, are noted for the decorator: containers without it do not
  /// need the keys. Completion is noted apart from the factory's, as decorators may differ.
  static func decorating<Result>(
    with decorator: Decorator, of serial: UInt64, _ body: () throws -> Result
  ) throws -> Result {
    var observation = Observation.current
    guard let run = observation.run, run.serial == serial else { return try body() }
    observation.decorator = decorator.number
    return try Observation?(observation).around {
      do {
        let result = try body()
        run.recorded.noteCompletedRun(of: run.serial, .decorator(decorator.number))
        return result
      } catch {
        // First, while the tag is still set: `record` meets the error later, without the tag.
        run.note(error)
        throw error
      }
    }
  }

  /// The observation for the body of the run.
  fileprivate var own: Observation {
    Observation(isUnderWay: Observation.current.isUnderWay, run: self)
  }

  fileprivate func end(with result: Result<Void, any Error>) throws {
    defer { isOver.store(true, ordering: .relaxed) }
    switch result {
    case .success: recorded.noteCompletedRun(of: serial, timing == .action ? .actions : .factory)
    case .failure(let error): note(error)
    }
    try result.get()
  }
}

extension Observer {
  /// Records the keys resolved by factories.
  ///
  /// - Parameter token: removes the observer.
  static func recording(_ token: any AnyObject & Sendable) -> Observer {
    Observer(
      behavior: token, token: token,
      didResolve: { _, key, _, asked in Observation.current.run?.note(key, from: asked) },
      didFail: { _, key, _, asked in Observation.current.run?.noteFailure(of: key, from: asked) },
      around: { run, body in
        let recorded = RecordedRun(run)
        try recorded.end(with: Result { try Observation?(recorded.own).around(body) })
      },
      aroundAsync: { run, body in
        let recorded = RecordedRun(run)
        let result: Result<Void, any Error>
        do { result = .success(try await Observation?(recorded.own).aroundAsync(body)) } catch {
          result = .failure(error)
        }
        try recorded.end(with: result)
      },
      isRecording: true, isInherited: false)
  }
}

/// The observations in which dependencies of a recorded run are resolved; `nil` without any run.
extension Observation {
  /// For optional dependencies.
  static var ofOptional: Observation? {
    guard Composition.isUsed else { return nil }
    var observation = current
    observation.isOptional = true
    return observation.run == nil ? nil : observation
  }

  /// For the target of a forward: a recorded forward has the target as its own dependency, in place
  /// of the run that asked for the forward's key.
  ///
  /// - Parameter owner: the container of the forward.
  static func ofTarget(forwardedBy owner: ContainerCore) -> Observation? {
    guard Composition.isUsed else { return nil }
    var observation = current
    guard observation.run != nil, owner.observers.contains(where: \.isRecording) else {
      return nil
    }
    observation.run = nil
    return observation
  }
}
