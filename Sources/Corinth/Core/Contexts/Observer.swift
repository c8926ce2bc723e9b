// SPDX-License-Identifier: MIT

/// A behavior of a container, without its type. Called with no lock held.
///
/// An object: every event reads the observers of a container, and each copy of a value would count
/// a reference to every closure.
final class Observer: Sendable {
  /// - Parameters: the registration's container, the key, the instance, the container asked.
  typealias DidResolve =
    @Sendable (ContainerCore, RegistrationKey, AnyInstanceBox, ContainerCore) -> Void
  /// As ``DidResolve``, for an error.
  typealias DidFail =
    @Sendable (ContainerCore, RegistrationKey, ResolutionError, ContainerCore) -> Void
  typealias DidBuild = @Sendable (ContainerCore, RegistrationKey, Duration) -> Void
  typealias DidDispose = @Sendable (RegistrationKey) -> Void
  typealias DidLeaveUndisposed = @Sendable (UndisposedReport) -> Void
  /// Runs the run passed, once.
  typealias Around = @Sendable (ObservedRun, () throws -> Void) throws -> Void
  typealias AroundAsync = @Sendable (ObservedRun, () async throws -> Void) async throws -> Void

  /// The behavior itself.
  let behavior: any Sendable
  /// The token for removal, if removable.
  let token: (any AnyObject & Sendable)?
  let didResolve: DidResolve?
  let didFail: DidFail?
  let didBuild: DidBuild?
  let didDispose: DidDispose?
  let didLeaveUndisposed: DidLeaveUndisposed?
  let around: Around?
  let aroundAsync: AroundAsync?
  /// Whether the observer records dependencies: a recording wraps all runs, not only constructions.
  let isRecording: Bool
  /// Whether forks made in the meantime take the observer over.
  let isInherited: Bool

  init(
    behavior: any Sendable, token: (any AnyObject & Sendable)? = nil, didResolve: DidResolve? = nil,
    didFail: DidFail? = nil, didBuild: DidBuild? = nil, didDispose: DidDispose? = nil,
    didLeaveUndisposed: DidLeaveUndisposed? = nil,
    around: Around? = nil, aroundAsync: AroundAsync? = nil, isRecording: Bool = false,
    isInherited: Bool = true
  ) {
    self.behavior = behavior
    self.token = token
    self.didResolve = didResolve
    self.didFail = didFail
    self.didBuild = didBuild
    self.didDispose = didDispose
    self.didLeaveUndisposed = didLeaveUndisposed
    self.around = around
    self.aroundAsync = aroundAsync
    self.isRecording = isRecording
    self.isInherited = isInherited
  }

  deinit { HeldLocks.assertNone(Observer.self) }
}

/// A run that observers may wrap.
struct ObservedRun {
  enum Part {
    /// A factory, with the decorators of its product.
    case construction
    /// The decorators of a forward, and actions: only recordings wrap these parts.
    case decoration, actions
  }

  let part: Part
  let key: RegistrationKey
  /// The number of the registration.
  let serial: UInt64
  /// The container of the registration.
  let owner: ContainerCore
  /// Where the dependencies are resolved.
  let container: ContainerCore
}

/// The observed work of the calling task or thread, inherited by new tasks.
struct Observation: Sendable {
  /// Whether a behavior is called.
  var isUnderWay = false
  /// The run whose dependencies are recorded. May be outlived by a task.
  var run: RecordedRun?
  /// Whether the run resolves something that may be missing.
  var isOptional = false
  /// The number of the decorator running as a part of the run.
  var decorator: UInt64?

  @TaskLocal static var current = Observation()

  /// Calls `body` of an observer, unless inside such a call: a behavior may use the container, and
  /// gets no events of its own use. Recordings do: a factory may first run for a behavior.
  static func call(_ observer: Observer? = nil, _ body: () -> Void) {
    if observer?.isRecording ?? false { return body() }
    if current.isUnderWay { return }
    // A recorded factory does not depend on resolves by a behavior.
    $current.withValue(Observation(isUnderWay: true), operation: body)
  }
}

/// The wrappings: `nil` changes nothing.
extension Observation? {
  func around<Result>(_ body: () throws -> Result) rethrows -> Result {
    guard let self else { return try body() }
    return try Observation.$current.withValue(self, operation: body)
  }

  /// The body runs on the caller's actor.
  nonisolated(nonsending)
    func aroundAsync<Result>(
      _ body: nonisolated(nonsending) () async throws -> Result
    ) async rethrows -> Result
  {
    guard let self else { return try await body() }
    return try await Observation.$current.withValueOnActor(self, body)
  }
}

extension ContainerCore {
  var observers: [Observer] {
    Composition.isUsed ? composition?.observers ?? [] : []
  }

  /// Whether resolves of this container's registrations are reported.
  var observesResolves: Bool { observers.contains { $0.didResolve != nil } }

  /// Whether runs of this container's factories are reported, or their failures.
  var observesFactories: Bool {
    observers.contains {
      $0.didResolve != nil || $0.didFail != nil || $0.didBuild != nil || $0.around != nil
    }
  }

  @inline(__always)
  private func tell<Callback>(_ callback: (Observer) -> Callback?, _ call: (Callback) -> Void) {
    for observer in observers {
      if let callback = callback(observer) { Observation.call(observer) { call(callback) } }
    }
  }

  /// - Parameter asked: the container asked to resolve: this container or a descendant.
  func didResolve(_ key: RegistrationKey, _ box: AnyInstanceBox, from asked: ContainerCore) {
    tell({ $0.didResolve }, { $0(self, key, box, asked) })
  }

  /// - Parameter asked: the container asked to resolve: this container or a descendant.
  func didFail(_ key: RegistrationKey, _ error: ResolutionError, from asked: ContainerCore) {
    tell({ $0.didFail }, { $0(self, key, error, asked) })
  }

  func didDispose(of key: RegistrationKey) {
    tell({ $0.didDispose }, { $0(key) })
  }

  /// Reports instances stored by the container or an ancestor, to the behaviors of all of them.
  func didLeaveUndisposed(_ report: UndisposedReport) {
    tellAllAround { observer, _ in observer.didLeaveUndisposed?(report) }
  }

  /// Reports a failed lookup, to the behaviors of all containers searched.
  func didNotFind(_ key: RegistrationKey, _ error: ResolutionError) {
    tellAllAround { observer, core in observer.didFail?(core, key, error, self) }
  }

  /// Calls `body` with the behaviors of the container and the ancestors. Behaviors that a version
  /// shares with the base are called for the base only.
  private func tellAllAround(_ body: (Observer, ContainerCore) -> Void) {
    if !Composition.isUsed { return }
    for core in selfAndAncestors {
      // Looked up before the base's, where a new behavior is added first.
      let observers = core.observers
      let ofBase = core.baseOfLayer?.observers ?? []
      for observer in observers where !ofBase.contains(where: { $0 === observer }) {
        Observation.call(observer) { body(observer, core) }
      }
    }
  }

  // MARK: - Runs

  /// Runs `body` within the observers of the run, and reports the duration of a construction.
  ///
  /// - Parameters:
  ///   - serial: the number of the registration.
  ///   - container: where the dependencies are resolved.
  func observing<Result>(
    _ part: ObservedRun.Part = .construction, of key: RegistrationKey, _ serial: UInt64,
    in container: ContainerCore, _ body: () throws -> Result
  ) throws -> Result {
    guard let observers = runObservers(of: part) else { return try body() }
    return try observe(part, of: key, serial, in: container, with: observers, body)
  }

  /// As the synchronous form, for a body that may suspend.
  func observing<Result>(
    _ part: ObservedRun.Part = .construction, of key: RegistrationKey, _ serial: UInt64,
    in container: ContainerCore, _ body: () async throws -> Result
  ) async throws -> Result {
    guard let observers = runObservers(of: part) else { return try await body() }
    let run = ObservedRun(
      part: part, key: key, serial: serial, owner: self, container: container)
    let start = ContinuousClock.now
    let result = try await wrapping(
      run, in: observers.aroundAsync.prefix(observers.count(part)), body)
    didRun(run, since: start, observers)
    if observers.isRecording { noteImplementation(result, of: run) }
    return result
  }

  @inline(__always)
  private func runObservers(of part: ObservedRun.Part) -> RunObservers? {
    guard let observers = compositionReference.load()?.value.runObservers else { return nil }
    return part == .construction || observers.isRecording ? observers : nil
  }

  /// Out of line, to keep the frames of other nested constructions small.
  @inline(never)
  private func observe<Result>(
    _ part: ObservedRun.Part, of key: RegistrationKey, _ serial: UInt64,
    in container: ContainerCore, with observers: RunObservers, _ body: () throws -> Result
  ) throws -> Result {
    let run = ObservedRun(
      part: part, key: key, serial: serial, owner: self, container: container)
    let start = ContinuousClock.now
    let result =
      try observers.around.isEmpty
      ? body() : wrapping(run, in: observers.around.prefix(observers.count(part)), body)
    didRun(run, since: start, observers)
    if observers.isRecording { noteImplementation(result, of: run) }
    return result
  }

  /// Records the type of an instance made by a factory.
  @inline(never)
  private func noteImplementation(_ result: Any, of run: ObservedRun) {
    guard run.part == .construction, let box = result as? AnyInstanceBox else { return }
    let isDecorated = !run.container.decorators(of: run.key.product).isEmpty
    guard let type = box.typeFromFactory(isDecorated: isDecorated) else { return }
    recorded.noteImplementation(type, of: run.serial)
  }

  /// Out of line: most behaviors are around nothing.
  @inline(never)
  private func wrapping<Result>(
    _ run: ObservedRun, in around: ArraySlice<Observer.Around>, _ body: () throws -> Result
  ) throws -> Result {
    guard let outermost = around.first else { return try body() }
    var result: Result?
    var failure: (any Error)?
    try outermost(run) {
      do { result = try wrapping(run, in: around.dropFirst(), body) } catch {
        failure = error
        throw error
      }
    }
    // An observer that catches the error still has no result: the run fails with the error.
    guard let result else { throw failure ?? ConstructionNotRun() }
    return result
  }

  private func wrapping<Result>(
    _ run: ObservedRun, in around: ArraySlice<Observer.AroundAsync>,
    _ body: () async throws -> Result
  ) async throws -> Result {
    guard let outermost = around.first else { return try await body() }
    var result: Result?
    var failure: (any Error)?
    try await outermost(run) {
      do { result = try await wrapping(run, in: around.dropFirst(), body) } catch {
        failure = error
        throw error
      }
    }
    guard let result else { throw failure ?? ConstructionNotRun() }
    return result
  }

  private func didRun(
    _ run: ObservedRun, since start: ContinuousClock.Instant, _ observers: RunObservers
  ) {
    if run.part != .construction { return }
    let duration = start.duration(to: .now)
    for callback in observers.didBuild { Observation.call { callback(self, run.key, duration) } }
  }
}

/// The callbacks of all observers of runs, grouped by kind. A recording comes first, and a single
/// recording is enough: all recordings write to the container.
struct RunObservers: Sendable {
  let didBuild: [Observer.DidBuild]
  let around: [Observer.Around]
  let aroundAsync: [Observer.AroundAsync]
  let isRecording: Bool

  /// - Returns: `nil` without any callback.
  init?(of observers: [Observer]) {
    let recording = observers.filter(\.isRecording).prefix(1)
    let ordered = recording + observers.filter { !$0.isRecording }
    didBuild = ordered.compactMap(\.didBuild)
    around = ordered.compactMap(\.around)
    aroundAsync = ordered.compactMap(\.aroundAsync)
    isRecording = !recording.isEmpty
    if didBuild.isEmpty, around.isEmpty { return nil }
  }

  /// The number of callbacks around a part.
  func count(_ part: ObservedRun.Part) -> Int { part == .construction ? around.count : 1 }
}

/// A behavior has not run the construction passed to its closure.
struct ConstructionNotRun: Error, CustomStringConvertible {
  var description: String {
    "a behavior around the construction has not called its closure: call it once, and wait for it."
  }
}
