// SPDX-License-Identifier: MIT

internal import Synchronization

/// A behavior of a container, without its type. Called with no lock held.
///
/// An object: every event reads the observers of a container, and each copy of a value would count
/// a reference to every closure.
// SAFETY: constant and Sendable; subclasses likewise.
class Observer: @unchecked Sendable {
  /// - Parameters: the registration's container, the key, the instance, the container asked.
  typealias DidResolve =
    @Sendable (ContainerCore, RegistrationKey, AnyInstanceBox, ContainerCore) -> Void
  /// As ``DidResolve``, for an error.
  typealias DidFail =
    @Sendable (ContainerCore, RegistrationKey, ResolutionError, ContainerCore) -> Void
  typealias DidLeaveUndisposed = @Sendable (UndisposedReport) -> Void
  /// Runs the run passed, once.
  typealias Around = @Sendable (ObservedRun, () throws -> Void) throws -> Void
  typealias AroundAsync = @Sendable (ObservedRun, () async throws -> Void) async throws -> Void

  /// The behavior itself.
  final let behavior: any Sendable
  /// The token for removal, if removable.
  final let token: (any AnyObject & Sendable)?
  final let didResolve: DidResolve?
  final let didFail: DidFail?
  /// Whether ``didBuild(_:_:)`` is called.
  final let hearsOfConstructions: Bool
  /// Whether ``didBuild(_:_:)`` is told a time: else no clock is read for the observer.
  final let measuresTimes: Bool
  /// Whether all callbacks are the module's, and begin no task that uses a container.
  final let isDirect: Bool
  /// Whether ``didDispose(of:)`` is called.
  final let hearsOfDisposals: Bool
  final let didLeaveUndisposed: DidLeaveUndisposed?
  final let around: Around?
  final let aroundAsync: AroundAsync?
  /// Whether the observer records dependencies: a recording wraps all runs, not only constructions.
  final let isRecording: Bool
  /// Whether forks made in the meantime take the observer over.
  final let isInherited: Bool
  /// Unique in the process, and greater than the numbers of observers made before.
  final let number = Observer.lastNumber.wrappingAdd(1, ordering: .relaxed).newValue

  init(
    behavior: any Sendable, token: (any AnyObject & Sendable)? = nil, didResolve: DidResolve? = nil,
    didFail: DidFail? = nil, hearsOfConstructions: Bool = false, measuresTimes: Bool = true,
    isDirect: Bool = false, hearsOfDisposals: Bool = false,
    didLeaveUndisposed: DidLeaveUndisposed? = nil,
    around: Around? = nil, aroundAsync: AroundAsync? = nil, isRecording: Bool = false,
    isInherited: Bool = true
  ) {
    self.behavior = behavior
    self.token = token
    self.didResolve = didResolve
    self.didFail = didFail
    self.hearsOfConstructions = hearsOfConstructions
    self.measuresTimes = measuresTimes
    self.isDirect = isDirect
    self.hearsOfDisposals = hearsOfDisposals
    self.didLeaveUndisposed = didLeaveUndisposed
    self.around = around
    self.aroundAsync = aroundAsync
    self.isRecording = isRecording
    self.isInherited = isInherited
  }

  /// Hears of a construction, and of its time in nanoseconds. A method: a call of a closure would
  /// count a reference to the closure's context.
  func didBuild(_ record: RegistrationRecord, _ nanoseconds: UInt64) {}

  /// Hears of a disposal.
  func didDispose(of key: RegistrationKey) {}

  deinit { HeldLocks.assertNone(Observer.self) }

  private static let lastNumber = Atomic<UInt64>(0)
}

/// A run that observers may wrap.
struct ObservedRun {
  enum Part {
    /// A factory, with the decorators of its product.
    case construction
    /// The decorators of a forward, actions, and an input: only recordings wrap these parts.
    case decoration, actions, input
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
  static func call(
    ofRecording isRecording: Bool = false, isDirect: Bool = false, _ body: () -> Void
  ) {
    if isRecording { return body() }
    let section = Section.enter()
    section.leave()
    if section.isTelling { return }
    if isDirect, unsafe TaskLocalStorage.address(ofValueDeclaredBy: $current) == nil {
      section.setTelling(true)
      defer { section.setTelling(false) }
      return body()
    }
    if current.isUnderWay { return }
    // A recorded factory does not depend on resolves by a behavior.
    Observation(isUnderWay: true).set(around: body)
  }

  /// As above, for an observer that is no recording. A mark of the thread, which no task inherits,
  /// costs a tenth of a task-local value.
  ///
  /// - Parameter section: a section of the calling thread, which may have ended.
  @inline(__always)
  static func call(_ observer: Observer, on section: Section, _ body: (Observer) -> Void) {
    guard observer.isDirect, !isUsed.load(ordering: .relaxed), !section.isTelling else {
      return call(isDirect: observer.isDirect) { body(observer) }
    }
    section.setTelling(true)
    body(observer)
    section.setTelling(false)
  }

  /// Looking up a task-local value takes longer than to tell most behaviors. A thread or task with
  /// a value has set the flag before.
  private static let isUsed = Atomic<Bool>(false)

  /// Runs `body` with the observation.
  fileprivate func set<Result>(around body: () throws -> Result) rethrows -> Result {
    Self.isUsed.store(true, ordering: .relaxed)
    return try Self.$current.withValue(self, operation: body)
  }

  /// As the synchronous form. The body runs on the caller's actor.
  nonisolated(nonsending)
    fileprivate func set<Result>(
      around body: nonisolated(nonsending) () async throws -> Result
    ) async rethrows -> Result
  {
    Self.isUsed.store(true, ordering: .relaxed)
    return try await Self.$current.withValueOnActor(self, body)
  }
}

/// The wrappings: `nil` changes nothing.
extension Observation? {
  func around<Result>(_ body: () throws -> Result) rethrows -> Result {
    guard let self else { return try body() }
    return try self.set(around: body)
  }

  /// The body runs on the caller's actor.
  nonisolated(nonsending)
    func aroundAsync<Result>(
      _ body: nonisolated(nonsending) () async throws -> Result
    ) async rethrows -> Result
  {
    guard let self else { return try await body() }
    return try await self.set(around: body)
  }
}

/// A construction under way whose end may be told.
struct ObservedConstruction {
  /// The number of the latest observer, as later ones hear nothing of the construction; 0 for none.
  var latest: UInt64 = 0
  /// The reading of the clock; 0 if no observer measures times.
  var start: UInt64 = 0
}

/// The observers around runs. A recording comes first, and a single recording is enough: all
/// recordings write to the container.
final class RunObservers: Sendable {
  let around: [Observer.Around]
  let aroundAsync: [Observer.AroundAsync]
  let isRecording: Bool

  /// - Returns: `nil` without any callback.
  init?(of observers: [Observer]) {
    let recording = observers.filter(\.isRecording).prefix(1)
    let ordered = recording + observers.filter { !$0.isRecording }
    around = ordered.compactMap(\.around)
    aroundAsync = ordered.compactMap(\.aroundAsync)
    isRecording = !recording.isEmpty
    if around.isEmpty { return nil }
  }

  /// The number of callbacks around a part.
  func count(_ part: ObservedRun.Part) -> Int { part == .construction ? around.count : 1 }

  /// Runs `body` within callbacks. Out of line, to keep the frames of other nested constructions
  /// small.
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
}

/// A behavior has not run the construction passed to its closure.
struct ConstructionNotRun: Error, CustomStringConvertible {
  var description: String {
    "a behavior around the construction has not called its closure: call it once, and wait for it."
  }
}
