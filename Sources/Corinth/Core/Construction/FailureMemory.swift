// SPDX-License-Identifier: MIT

/// The failed constructions of a warm-up, remembered so that no dependent begins any of them again.
///
/// A memory belongs to the warm-up's task, and to tasks made by its factories, until the warm-up
/// ends: resolves elsewhere try again at once. Only errors thrown by factories themselves are kept.
/// All others are found quickly, and may belong to the resolve, such as a circular dependency.
///
/// A factory that asks for the same instance again retries by itself: the failure is forgotten, and
/// the construction begins again.
// SAFETY: the variable is only accessed with the mutex of the wait-for graph held.
final class FailureMemory: @unchecked Sendable {
  private struct Attempt: Hashable {
    let serial: UInt64
    /// The container of the dependencies. Kept, so that no new container gets the address.
    let container: ContainerCore

    static func == (first: Attempt, second: Attempt) -> Bool {
      first.serial == second.serial && first.container === second.container
    }

    func hash(into hasher: inout Hasher) { hasher.combine(serial) }
  }

  private final class Failure {
    let error: ResolutionError
    /// The numbers of the contexts to which the error was thrown.
    var askers: Set<UInt64>

    init(_ error: ResolutionError, thrownTo asker: UInt64?) {
      self.error = error
      askers = asker.map { [$0] } ?? []
    }
  }

  /// `nil` once the warm-up has ended.
  private var failures: [Attempt: Failure]? = [:]

  @TaskLocal private static var current: FailureMemory?

  /// Whether the calling task or thread may work for a warm-up. Asked only after
  /// ``WaitForGraph/mayRefuse(requestedBy:)``, as the look-up of a task-local value takes long.
  static var isKept: Bool { current != nil }

  /// Runs `body` as a warm-up.
  static func during<Result>(_ body: () throws -> Result) rethrows -> Result {
    let memory = FailureMemory()
    WaitForGraph.beginRefusing()
    defer { memory.end() }
    return try $current.withValue(memory, operation: body)
  }

  /// Runs `body`, which may suspend, as a warm-up, on the caller's actor.
  nonisolated(nonsending)
    static func duringAsync<Result>(
      _ body: nonisolated(nonsending) () async throws -> Result
    ) async rethrows -> Result
  {
    let memory = FailureMemory()
    WaitForGraph.beginRefusing()
    defer { memory.end() }
    return try await $current.withValueOnActor(memory, body)
  }

  private func end() {
    WaitForGraph.endRefusing()
    // Released after the mutex: errors may run deinits of the user.
    let former = WaitsMutex.withLock {
      let former = failures
      failures = nil
      return former
    }
    withExtendedLifetime(former) {}
  }

  /// The error of a registration that failed in the warm-up; `nil` to build.
  static func failure(
    of record: RegistrationRecord, in container: ContainerCore,
    requestedBy requester: ResolutionContext?
  ) -> ResolutionError? {
    guard let current else { return nil }
    let asker = (requester ?? .current)?.number
    let attempt = Attempt(serial: record.serial, container: container)
    var forgotten: Failure?
    let error: ResolutionError? = WaitsMutex.withLock {
      guard let failure = current.failures?[attempt] else { return nil }
      if let asker, !failure.askers.insert(asker).inserted {
        forgotten = current.failures?.removeValue(forKey: attempt)
        return nil
      }
      return failure.error
    }
    withExtendedLifetime(forgotten) {}
    return error
  }

  /// Notes a failed construction.
  static func note(
    _ error: ResolutionError, of record: RegistrationRecord, builtBy construction: Construction
  ) {
    guard let current, record.key.arguments == nil, error == .underlyingError,
      error.cause(as: CancellationError.self) == nil,
      error.cause(as: AbandonedConstruction.self) == nil
    else { return }
    let asker = (construction.requesting ?? construction.enclosing)?.number
    let attempt = Attempt(serial: record.serial, container: construction.container)
    let failure = Failure(error, thrownTo: asker)
    let former = WaitsMutex.withLock { current.failures?.updateValue(failure, forKey: attempt) }
    withExtendedLifetime(former) {}
  }
}
