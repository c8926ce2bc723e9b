// SPDX-License-Identifier: MIT

internal import Synchronization

/// A failure that a run has met.
private struct RecordedFailure: Sendable {
  enum Place {
    /// In a container around the factory: noted if it ends the run.
    case here
    /// In another container: noted as that already.
    case elsewhere
    /// In a decorator: noted as that already.
    case decorator
  }

  let key: RegistrationKey
  let place: Place
}

/// One run of a factory, or of the actions of its instance, while dependencies are recorded.
///
/// A successful resolve is recorded immediately. A failure is recorded when its error leaves the factory: a factory that
/// catches the error does not depend on the instance. By then the error tells the key, but not whether a decorator has asked
/// for it, nor which container. So the run keeps its failures, and the rule is: **an error is noted where it leaves a
/// part, unless the last failure of its key in this run is noted already**. That is so of failures in
/// another container, which are noted when they happen, and of those of a decorator, which are noted as they leave that.
/// What other runs have noted says nothing of this one.
// SAFETY: the constant references are to Sendable classes; the failures are only touched with a lock held, what else changes
// is atomic.
final class RecordedRun: @unchecked Sendable {
  private let recorded: RecordedDependencies
  private let serial: UInt64
  private let timing: RecordedDependency.Timing
  /// The containers around the factory. A task that outlives it does not keep them.
  private let containers: [UncountedReference]
  private let isOver = Atomic<Bool>(false)
  /// Tasks of the factory may fail beside it.
  private var failures: [RecordedFailure] = []

  /// That of the calling task or thread. Tasks that it makes inherit it, and may outlive it.
  @TaskLocal static var current: RecordedRun?
  /// The run that resolves something which may be missing.
  @TaskLocal static var askingForOptional: RecordedRun?
  /// The run that a decorator is a part of, and the number of the decorator.
  @TaskLocal private static var decorating: (run: RecordedRun, decorator: UInt64)?

  /// - Parameter container: where the factory resolves its dependencies.
  init(
    _ recorded: RecordedDependencies, _ serial: UInt64, _ timing: RecordedDependency.Timing,
    in container: ContainerCore
  ) {
    containers = container.selfAndAncestors.map { UncountedReference($0) }
    self.recorded = recorded
    self.serial = serial
    self.timing = timing
  }

  /// Notes that a container was asked for a key.
  func note(
    _ key: RegistrationKey, _ timing: RecordedDependency.Timing? = nil, from asked: ContainerCore
  ) {
    note(key, isElsewhere(asked) ? .elsewhere : timing)
  }

  /// Keeps that a key failed. If that was in a container that is not around the factory, it is noted now.
  func noteFailure(of key: RegistrationKey, from asked: ContainerCore) {
    let isElsewhere = isElsewhere(asked)
    if isElsewhere { note(key, .elsewhere) }
    keepFailure(of: key, isElsewhere ? .elsewhere : .here)
  }

  private func keepFailure(of key: RegistrationKey, _ place: RecordedFailure.Place) {
    recorded.withLock { failures.append(RecordedFailure(key: key, place: place)) }
  }

  /// Where a key has failed last. Names are compared by code of the user, so the lock is not held.
  private func placeOfFailure(of key: RegistrationKey) -> RecordedFailure.Place? {
    recorded.withLock { failures }?.last { $0.key == key }?.place
  }

  /// Whether the factory does not lie in a container.
  private func isElsewhere(_ asked: ContainerCore) -> Bool {
    !containers.contains { $0.object === asked }
  }

  private func note(
    _ key: RegistrationKey, _ timing: RecordedDependency.Timing? = nil, wasMissing: Bool = false
  ) {
    let isOver = isOver.load(ordering: .relaxed)
    let decorator = Self.decorating.flatMap { $0.run === self ? $0.decorator : nil }
    recorded.add(
      RecordedDependency(
        key: key, timing: isOver && timing != .elsewhere ? .later : timing ?? self.timing,
        wasMissing: wasMissing, isOptional: Self.askingForOptional === self, decorator: decorator),
      of: serial)
  }

  /// Notes the dependency that an error has passed through as it leaves a part of the run: the decorator, or all of it. One
  /// that the factory does without is not noted.
  private func note(_ error: any Error) {
    guard let error = error as? ResolutionError, let key = error.path.first else { return }
    var isMissing = false
    if case .noRegistrationFound = error { isMissing = error.path.count == 1 }
    let isNoted =
      switch placeOfFailure(of: key) {
      case .decorator?: true
      // What is missing there is missing here too, unless it is registered by now: the graph looks.
      case .elsewhere?: !isMissing
      case .here?, nil: false
      }
    if !isNoted { note(key, wasMissing: isMissing) }
    if Self.decorating?.run === self {
      keepFailure(of: key, .decorator)
    }
  }

  /// Runs a decorator of a registration. If the current run is one of that registration, what the decorator resolves, or
  /// fails at, is noted as the decorator's: a container without the decorator does not need it. That it has run to its end
  /// is noted apart from the factory, which a container may decorate with others.
  static func decorating<Result>(
    with decorator: Decorator, of serial: UInt64, _ body: () throws -> Result
  ) throws -> Result {
    guard let run = current, run.serial == serial else { return try body() }
    return try $decorating.withValue((run, decorator.number)) {
      do {
        let result = try body()
        run.recorded.noteCompletedRun(of: run.serial, .decorator(decorator.number))
        return result
      } catch {
        // The tag is still there. `record` meets the error next, without it.
        run.note(error)
        throw error
      }
    }
  }

  func record<Value>(_ body: () throws -> Value) throws -> Value {
    try end(with: Result { try Self.$current.withValue(self, operation: body) })
  }

  nonisolated(nonsending)
    func recordAsync<Value>(_ body: () async throws -> Value) async throws -> Value
  {
    let result: Result<Value, any Error>
    do { result = .success(try await Self.$current.withValue(self, operation: body)) } catch {
      result = .failure(error)
    }
    return try end(with: result)
  }

  private func end<Value>(with result: Result<Value, any Error>) throws -> Value {
    defer { isOver.store(true, ordering: .relaxed) }
    switch result {
    case .success: recorded.noteCompletedRun(of: serial, timing == .action ? .actions : .factory)
    case .failure(let error): note(error)
    }
    return try result.get()
  }
}
