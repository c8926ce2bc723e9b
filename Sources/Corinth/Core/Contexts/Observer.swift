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
  /// - Parameters: the registration's container, the key, the registration's number, the time.
  typealias DidBuild = @Sendable (ContainerCore, RegistrationKey, UInt64, Duration) -> Void
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
  /// Whether ``didBuild`` is told a time: else no clock is read for the observer.
  let measuresTimes: Bool
  /// Whether ``didBuild`` may use the container, as code of the user's may.
  let usesContainer: Bool
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
    didFail: DidFail? = nil, didBuild: DidBuild? = nil, measuresTimes: Bool = true,
    usesContainer: Bool = true, didDispose: DidDispose? = nil,
    didLeaveUndisposed: DidLeaveUndisposed? = nil,
    around: Around? = nil, aroundAsync: AroundAsync? = nil, isRecording: Bool = false,
    isInherited: Bool = true
  ) {
    self.behavior = behavior
    self.token = token
    self.didResolve = didResolve
    self.didFail = didFail
    self.didBuild = didBuild
    self.measuresTimes = measuresTimes
    self.usesContainer = usesContainer
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

/// The observers of runs, grouped by kind. A recording comes first, and a single recording is
/// enough: all recordings write to the container.
final class RunObservers: Sendable {
  private let ofConstructions: [Observer]
  let around: [Observer.Around]
  let aroundAsync: [Observer.AroundAsync]
  let isRecording: Bool
  private let measuresTimes: Bool
  private let useContainer: Bool

  /// - Returns: `nil` without any callback.
  init?(of observers: [Observer]) {
    let recording = observers.filter(\.isRecording).prefix(1)
    let ordered = recording + observers.filter { !$0.isRecording }
    ofConstructions = ordered.filter { $0.didBuild != nil }
    around = ordered.compactMap(\.around)
    aroundAsync = ordered.compactMap(\.aroundAsync)
    isRecording = !recording.isEmpty
    measuresTimes = ofConstructions.contains(where: \.measuresTimes)
    useContainer = ofConstructions.contains(where: \.usesContainer)
    if ofConstructions.isEmpty, around.isEmpty { return nil }
  }

  /// The time before a construction; `nil` if no observer is told how long it takes.
  var start: ContinuousClock.Instant? { measuresTimes ? .now : nil }

  /// Runs a construction within the observers, and tells them. Out of line, to keep the frames of
  /// other nested constructions small.
  ///
  /// - Parameters: as of ``ObservedRun``.
  @inline(never)
  func observe(
    _ key: RegistrationKey, _ serial: UInt64, of owner: ContainerCore,
    in container: ContainerCore, _ body: () throws -> AnyInstanceBox
  ) throws -> AnyInstanceBox {
    let start = start
    let box = try around.isEmpty ? body() : wrap(key, serial, of: owner, in: container, body)
    didBuild(key, serial, of: owner, since: start)
    return box
  }

  /// Out of line: most behaviors are around nothing.
  @inline(never)
  private func wrap(
    _ key: RegistrationKey, _ serial: UInt64, of owner: ContainerCore,
    in container: ContainerCore, _ body: () throws -> AnyInstanceBox
  ) throws -> AnyInstanceBox {
    let run = ObservedRun(
      part: .construction, key: key, serial: serial, owner: owner, container: container)
    let box = try wrapping(run, in: around[...], body)
    record(box, of: run)
    return box
  }

  /// The number of callbacks around a part.
  func count(_ part: ObservedRun.Part) -> Int { part == .construction ? around.count : 1 }

  /// Runs `body` within callbacks. Out of line, as above.
  @inline(never)
  func wrapping<Result>(
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

  /// As the synchronous form, for a body that may suspend.
  func wrapping<Result>(
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

  /// Reports a construction. Observers are told nothing within calls of observers.
  @inline(never)
  func didBuild(
    _ key: RegistrationKey, _ serial: UInt64, of owner: ContainerCore,
    since start: ContinuousClock.Instant?
  ) {
    let duration = start.map { $0.duration(to: .now) } ?? .zero
    func tell() {
      for observer in ofConstructions {
        observer.didBuild?(owner, key, serial, observer.measuresTimes ? duration : .zero)
      }
    }
    if useContainer {
      Observation.call { tell() }
    } else if !Observation.current.isUnderWay {
      tell()
    }
  }

  /// Records the type of an instance.
  func record(_ box: AnyInstanceBox, of run: ObservedRun) {
    if !isRecording { return }
    let isDecorated = !run.container.decorators(of: run.key).isEmpty
    guard let type = box.typeFromFactory(isDecorated: isDecorated) else { return }
    run.owner.recorded.noteImplementation(type, of: run.serial)
  }
}

/// A behavior has not run the construction passed to its closure.
struct ConstructionNotRun: Error, CustomStringConvertible {
  var description: String {
    "a behavior around the construction has not called its closure: call it once, and wait for it."
  }
}
