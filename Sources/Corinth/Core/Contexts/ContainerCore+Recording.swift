// SPDX-License-Identifier: MIT

extension Observer {
  /// Records what factories resolve.
  ///
  /// - Parameter token: by which it is removed.
  static func recording(_ token: any AnyObject & Sendable) -> Observer {
    Observer(
      behavior: token,
      didResolve: { _, key, _, asked in RecordedRun.current?.note(key, from: asked) },
      didFail: { _, key, _, asked in RecordedRun.current?.noteFailure(of: key, from: asked) },
      recordsDependencies: true)
  }
}

extension ContainerCore {
  /// Resolves what may be missing, for the run that is recorded, if any.
  @usableFromInline @inline(never)
  func recordingAsOptional<Result>(_ resolve: () throws -> Result) rethrows -> Result {
    guard Composition.isUsed, let run = RecordedRun.current else { return try resolve() }
    return try RecordedRun.$askingForOptional.withValue(run, operation: resolve)
  }

  /// The same for an asynchronous resolve.
  nonisolated(nonsending)
    func recordingAsOptionalAsync(
      _ resolve: () async throws(ResolutionError) -> AnyInstanceBox
    ) async throws(ResolutionError) -> AnyInstanceBox
  {
    guard Composition.isUsed, let run = RecordedRun.current else { return try await resolve() }
    typealias Outcome = Result<AnyInstanceBox, ResolutionError>
    return try await RecordedRun.$askingForOptional.withValue(run) { () async -> Outcome in
      do throws(ResolutionError) {
        let box = try await resolve()
        return Outcome { () throws(ResolutionError) in box }
      } catch { return Outcome { () throws(ResolutionError) in throw error } }
    }.get()
  }

  /// Resolves what a forward of this container leads to: if that is recorded, this is a dependency of the forward, and not of
  /// the run that asks for that.
  func recordingAsForwarded<Result>(_ resolve: () throws -> Result) rethrows -> Result {
    guard hidesForwarded else { return try resolve() }
    return try RecordedRun.$current.withValue(nil, operation: resolve)
  }

  /// The same for an asynchronous resolve.
  nonisolated(nonsending)
    func recordingAsForwardedAsync<Result>(
      _ resolve: () async throws -> Result
    ) async rethrows -> Result
  {
    guard hidesForwarded else { return try await resolve() }
    return try await RecordedRun.$current.withValue(nil, operation: resolve)
  }

  private var hidesForwarded: Bool {
    Composition.isUsed && RecordedRun.current != nil
      && observers.contains(where: \.recordsDependencies)
  }

  /// What was recorded of this container's factories.
  var recorded: RecordedDependencies { extras.recorded(of: self) }

  /// The recording of a run, if dependencies are recorded.
  func recordedRun(
    of serial: UInt64, _ timing: RecordedDependency.Timing, in container: ContainerCore
  ) -> RecordedRun? {
    guard observers.contains(where: \.recordsDependencies) else { return nil }
    return RecordedRun(recorded, serial, timing, in: container)
  }
}
