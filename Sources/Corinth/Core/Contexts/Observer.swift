// SPDX-License-Identifier: MIT

/// A behaviour of a container, without its type. Called with no lock held.
struct Observer: Sendable {
  /// Runs the construction that it is given, once.
  typealias Around = @Sendable (RegistrationKey, () throws -> Void) throws -> Void
  typealias AroundAsync = @Sendable (RegistrationKey, () async throws -> Void) async throws -> Void

  /// The behaviour itself.
  let behavior: any Sendable
  var didResolve: (@Sendable (ContainerCore, RegistrationKey, AnyInstanceBox) -> Void)?
  var didFail: (@Sendable (ContainerCore, RegistrationKey, ResolutionError) -> Void)?
  var didBuild: (@Sendable (ContainerCore, RegistrationKey, Duration) -> Void)?
  var didDispose: (@Sendable (RegistrationKey) -> Void)?
  var didDrop: (@Sendable (DropReport) -> Void)?
  var around: Around?
  var aroundAsync: AroundAsync?
  /// Whether it records what factories resolve.
  var recordsDependencies = false

  /// Whether it has to know of each run of a factory.
  var observesConstructions: Bool {
    didBuild != nil || around != nil || aroundAsync != nil || recordsDependencies
  }
}

/// Calls to behaviours.
enum Observation {
  /// Calls `body`, unless the caller runs inside of such a call: a behaviour may use the container, and does not hear
  /// of that.
  static func call(_ body: () -> Void) {
    if isUnderWay { return }
    $isUnderWay.withValue(true, operation: body)
  }

  @TaskLocal private static var isUnderWay = false
}

extension [Observer] {
  /// Calls those that want to hear of an event, in their order.
  fileprivate func report<Event>(
    _ event: KeyPath<Observer, Event?>, _ call: (Event) -> Void
  ) {
    for case let hears? in map({ $0[keyPath: event] }) { Observation.call { call(hears) } }
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

  func didResolve(_ key: RegistrationKey, _ box: AnyInstanceBox) {
    observers.report(\.didResolve) { $0(self, key, box) }
  }

  func didFail(_ key: RegistrationKey, _ error: ResolutionError) {
    observers.report(\.didFail) { $0(self, key, error) }
  }

  func didDispose(of key: RegistrationKey) {
    observers.report(\.didDispose) { $0(key) }
  }

  /// Reports instances that this container or an ancestor stored, to the behaviours of all of these.
  func didDrop(_ report: DropReport) {
    if !Composition.isUsed { return }
    selfAndAncestors.flatMap(\.observers).report(\.didDrop) { $0(report) }
  }

  /// Reports that nothing was found, to the behaviours of all containers that were searched.
  func didNotFind(_ key: RegistrationKey, _ error: ResolutionError) {
    if !Composition.isUsed { return }
    for core in selfAndAncestors { core.didFail(key, error) }
  }

  // MARK: - Constructions

  /// Runs a construction inside of the behaviours that want to, and reports its time.
  ///
  /// - Parameter serial: the number of the registration.
  func observing<Result>(
    _ key: RegistrationKey, _ serial: UInt64, _ build: () throws -> Result
  ) throws -> Result {
    let observers = observers.filter(\.observesConstructions)
    if observers.isEmpty { return try build() }
    if let run = recordedRun(of: serial, .factory) {
      return try run.record { try observing(key, by: observers, build) }
    }
    return try observing(key, by: observers, build)
  }

  private func observing<Result>(
    _ key: RegistrationKey, by observers: [Observer], _ build: () throws -> Result
  ) throws -> Result {
    let start = ContinuousClock.now
    let result = try run(build, of: key, inside: observers.compactMap(\.around)[...])
    let duration = start.duration(to: .now)
    observers.report(\.didBuild) { $0(self, key, duration) }
    return result
  }

  private func run<Result>(
    _ build: () throws -> Result, of key: RegistrationKey,
    inside around: ArraySlice<Observer.Around>
  ) throws -> Result {
    guard let outermost = around.first else { return try build() }
    var result: Result?
    try outermost(key) { result = try run(build, of: key, inside: around.dropFirst()) }
    guard let result else { throw ConstructionNotRun() }
    return result
  }

  /// The same for an asynchronous construction.
  func observing<Result>(
    _ key: RegistrationKey, _ serial: UInt64, _ build: () async throws -> Result
  ) async throws -> Result {
    let observers = observers.filter(\.observesConstructions)
    if observers.isEmpty { return try await build() }
    if let run = recordedRun(of: serial, .factory) {
      return try await run.recordAsync { try await observing(key, by: observers, build) }
    }
    return try await observing(key, by: observers, build)
  }

  private func observing<Result>(
    _ key: RegistrationKey, by observers: [Observer], _ build: () async throws -> Result
  ) async throws -> Result {
    let start = ContinuousClock.now
    let result = try await run(build, of: key, inside: observers.compactMap(\.aroundAsync)[...])
    let duration = start.duration(to: .now)
    observers.report(\.didBuild) { $0(self, key, duration) }
    return result
  }

  private func run<Result>(
    _ build: () async throws -> Result, of key: RegistrationKey,
    inside around: ArraySlice<Observer.AroundAsync>
  ) async throws -> Result {
    guard let outermost = around.first else { return try await build() }
    var result: Result?
    try await outermost(key) { result = try await run(build, of: key, inside: around.dropFirst()) }
    guard let result else { throw ConstructionNotRun() }
    return result
  }
}

/// A behaviour has not run the construction that it was given.
struct ConstructionNotRun: Error, CustomStringConvertible {
  var description: String {
    "a behaviour around the construction has not called its closure: call it once, and wait for it."
  }
}
