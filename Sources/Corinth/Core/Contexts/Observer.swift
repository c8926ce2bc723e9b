// SPDX-License-Identifier: MIT

/// A behaviour of a container, without its type. Called with no lock held.
///
/// An object: each event reads those of a container, and copies of a value would count a reference for each closure.
final class Observer: Sendable {
  /// - Parameters: the container of the registration, the key, the instance, and the container that was asked.
  typealias DidResolve =
    @Sendable (ContainerCore, RegistrationKey, AnyInstanceBox, ContainerCore) -> Void
  /// The same for an error.
  typealias DidFail =
    @Sendable (ContainerCore, RegistrationKey, ResolutionError, ContainerCore) -> Void
  typealias DidBuild = @Sendable (ContainerCore, RegistrationKey, Duration) -> Void
  typealias DidDispose = @Sendable (RegistrationKey) -> Void
  typealias DidDrop = @Sendable (DropReport) -> Void
  /// Runs the construction that it is given, once.
  typealias Around = @Sendable (RegistrationKey, () throws -> Void) throws -> Void
  typealias AroundAsync = @Sendable (RegistrationKey, () async throws -> Void) async throws -> Void

  /// The behaviour itself.
  let behavior: any Sendable
  let didResolve: DidResolve?
  let didFail: DidFail?
  let didBuild: DidBuild?
  let didDispose: DidDispose?
  let didDrop: DidDrop?
  let around: Around?
  let aroundAsync: AroundAsync?
  /// Whether it records what factories resolve.
  let recordsDependencies: Bool

  init(
    behavior: any Sendable, didResolve: DidResolve? = nil, didFail: DidFail? = nil,
    didBuild: DidBuild? = nil, didDispose: DidDispose? = nil, didDrop: DidDrop? = nil,
    around: Around? = nil, aroundAsync: AroundAsync? = nil, recordsDependencies: Bool = false
  ) {
    self.behavior = behavior
    self.didResolve = didResolve
    self.didFail = didFail
    self.didBuild = didBuild
    self.didDispose = didDispose
    self.didDrop = didDrop
    self.around = around
    self.aroundAsync = aroundAsync
    self.recordsDependencies = recordsDependencies
  }

  deinit { HeldLocks.assertNone(Observer.self) }

  /// Whether runs of factories concern it.
  var observesConstructions: Bool {
    didBuild != nil || around != nil || aroundAsync != nil || recordsDependencies
  }
}

/// What the calling task or thread is in the middle of. Tasks that it makes inherit it.
struct Observation: Sendable {
  /// Whether a behaviour is called.
  var isUnderWay = false
  /// The run whose dependencies are recorded. A task may outlive it.
  var run: RecordedRun?
  /// Whether the run resolves something that may be missing.
  var isOptional = false
  /// The number of the decorator that runs as a part of the run.
  var decorator: UInt64?

  @TaskLocal static var current = Observation()

  /// Calls `body` of an observer, unless the caller runs inside of such a call: a behaviour may use the container, and does
  /// not receive the events of that. Recording observers do: a factory may first run for a behaviour.
  static func call(_ observer: Observer? = nil, _ body: () -> Void) {
    if observer?.recordsDependencies ?? false { return body() }
    if current.isUnderWay { return }
    // A factory that is recorded does not depend on what a behaviour resolves.
    $current.withValue(Observation(isUnderWay: true), operation: body)
  }
}

/// The wrappings: `nil` changes nothing.
extension Observation? {
  func around<Result>(_ body: () throws -> Result) rethrows -> Result {
    guard let self else { return try body() }
    return try Observation.$current.withValue(self, operation: body)
  }

  nonisolated(nonsending)
    func aroundAsync<Result>(_ body: () async throws -> Result) async rethrows -> Result
  {
    guard let self else { return try await body() }
    return try await Observation.$current.withValue(self, operation: body)
  }
}

extension ContainerCore {
  var observers: [Observer] {
    Composition.isUsed ? composition?.observers ?? [] : []
  }

  /// Whether each resolve of this container's registrations is reported.
  var observesResolves: Bool { observers.contains { $0.didResolve != nil } }

  /// Whether each run of a factory of this container's registrations is reported, or its failure.
  var observesFactories: Bool {
    observers.contains {
      $0.didResolve != nil || $0.didFail != nil || $0.observesConstructions
    }
  }

  @inline(__always)
  private func tell<Callback>(_ callback: (Observer) -> Callback?, _ call: (Callback) -> Void) {
    for observer in observers {
      if let callback = callback(observer) { Observation.call(observer) { call(callback) } }
    }
  }

  /// - Parameter asked: this container, or a descendant that the resolve went to.
  func didResolve(_ key: RegistrationKey, _ box: AnyInstanceBox, from asked: ContainerCore) {
    tell({ $0.didResolve }, { $0(self, key, box, asked) })
  }

  /// - Parameter asked: this container, or a descendant that the resolve went to.
  func didFail(_ key: RegistrationKey, _ error: ResolutionError, from asked: ContainerCore) {
    tell({ $0.didFail }, { $0(self, key, error, asked) })
  }

  func didDispose(of key: RegistrationKey) {
    tell({ $0.didDispose }, { $0(key) })
  }

  /// Reports instances that this container or an ancestor stored, to the behaviours of all of these.
  func didDrop(_ report: DropReport) {
    if !Composition.isUsed { return }
    for core in selfAndAncestors { core.tell({ $0.didDrop }, { $0(report) }) }
  }

  /// Reports that nothing was found, to the behaviours of all containers that were searched.
  func didNotFind(_ key: RegistrationKey, _ error: ResolutionError) {
    if !Composition.isUsed { return }
    for core in selfAndAncestors { core.didFail(key, error, from: self) }
  }

  // MARK: - Constructions

  /// Runs a construction within the behaviours that surround constructions, and reports its duration.
  ///
  /// - Parameters:
  ///   - serial: the number of the registration.
  ///   - container: where the dependencies are resolved.
  func observing<Result>(
    _ key: RegistrationKey, _ serial: UInt64, in container: ContainerCore,
    _ build: () throws -> Result
  ) throws -> Result {
    guard let observers = compositionReference.load()?.value.constructionObservers else {
      return try build()
    }
    return try run(build, of: key, serial, in: container, with: observers)
  }

  /// Out of line, to keep the frames of other nested constructions small.
  @inline(never)
  private func run<Result>(
    _ build: () throws -> Result, of key: RegistrationKey, _ serial: UInt64,
    in container: ContainerCore, with observers: ConstructionObservers
  ) throws -> Result {
    let recording = observers.records ? recordedRun(of: serial, .factory, in: container) : nil
    return try recording.record {
      let start = ContinuousClock.now
      let result =
        try observers.around.isEmpty ? build() : run(build, of: key, inside: observers.around[...])
      didBuild(key, since: start, observers)
      return result
    }
  }

  /// Out of line: most behaviours are around no construction.
  @inline(never)
  private func run<Result>(
    _ build: () throws -> Result, of key: RegistrationKey,
    inside around: ArraySlice<Observer.Around>
  ) throws -> Result {
    guard let outermost = around.first else { return try build() }
    var result: Result?
    var failure: (any Error)?
    try outermost(key) {
      do { result = try run(build, of: key, inside: around.dropFirst()) } catch {
        failure = error
        throw error
      }
    }
    // A closure that has caught the error of the construction has no instance: the resolve fails with that error.
    guard let result else { throw failure ?? ConstructionNotRun() }
    return result
  }

  /// The same for an asynchronous construction.
  func observing<Result>(
    _ key: RegistrationKey, _ serial: UInt64, in container: ContainerCore,
    _ build: () async throws -> Result
  ) async throws -> Result {
    guard let observers = compositionReference.load()?.value.constructionObservers else {
      return try await build()
    }
    let recording = observers.records ? recordedRun(of: serial, .factory, in: container) : nil
    return try await recording.recordAsync {
      let start = ContinuousClock.now
      let result = try await run(build, of: key, inside: observers.aroundAsync[...])
      didBuild(key, since: start, observers)
      return result
    }
  }

  private func run<Result>(
    _ build: () async throws -> Result, of key: RegistrationKey,
    inside around: ArraySlice<Observer.AroundAsync>
  ) async throws -> Result {
    guard let outermost = around.first else { return try await build() }
    var result: Result?
    var failure: (any Error)?
    try await outermost(key) {
      do { result = try await run(build, of: key, inside: around.dropFirst()) } catch {
        failure = error
        throw error
      }
    }
    guard let result else { throw failure ?? ConstructionNotRun() }
    return result
  }

  private func didBuild(
    _ key: RegistrationKey, since start: ContinuousClock.Instant, _ observers: ConstructionObservers
  ) {
    let duration = start.duration(to: .now)
    for callback in observers.didBuild { Observation.call { callback(self, key, duration) } }
  }
}

/// The construction callbacks of all observers, grouped by kind.
struct ConstructionObservers: Sendable {
  let didBuild: [Observer.DidBuild]
  let around: [Observer.Around]
  let aroundAsync: [Observer.AroundAsync]
  let records: Bool

  /// - Returns: `nil` if there is nothing.
  init?(of observers: [Observer]) {
    if !observers.contains(where: \.observesConstructions) { return nil }
    didBuild = observers.compactMap(\.didBuild)
    around = observers.compactMap(\.around)
    aroundAsync = observers.compactMap(\.aroundAsync)
    records = observers.contains(where: \.recordsDependencies)
  }
}

/// A behaviour has not run the construction that it was given.
struct ConstructionNotRun: Error, CustomStringConvertible {
  var description: String {
    "a behaviour around the construction has not called its closure: call it once, and wait for it."
  }
}
