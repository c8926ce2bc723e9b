// SPDX-License-Identifier: MIT

import Corinth
import TestSupport
import XCTest

/// What behaviors hear of constructions: each once, whichever way an instance is built and kept.
final class ObservedConstructionTests: XCTestCase {
  /// Writes down constructions and failures.
  private final class Recorder: Behavior {
    let journal = Journal()
    let events: BehaviorEvents
    let measuresTimes: Bool
    private let onBuild: @Sendable (RegistrationKey) -> Void

    init(
      _ events: BehaviorEvents = [.construction, .failure], measuresTimes: Bool = false,
      onBuild: @escaping @Sendable (RegistrationKey) -> Void = { _ in }
    ) {
      self.events = events
      self.measuresTimes = measuresTimes
      self.onBuild = onBuild
    }

    var entries: [String] { journal.entries }

    func didResolve(_ key: RegistrationKey, as instance: Any, in container: Container) {
      journal.write("resolved \(key)")
    }

    func didFail(_ key: RegistrationKey, with error: ResolutionError, in container: Container) {
      journal.write("failed \(key)")
    }

    func didBuild(_ key: RegistrationKey, in duration: Duration, container: Container) {
      journal.write("built \(key)\(duration > .zero ? " in time" : "")")
      onBuild(key)
    }

    func didDispose(_ key: RegistrationKey) { journal.write("disposed of \(key)") }
  }

  private struct User: Sendable { let id: Int }

  private func keys<Tag>(_ tag: Tag.Type) -> RegistrationKey { RegistrationKey(Node<Tag>.self) }

  // MARK: - Once

  func testEachConstructionIsToldOnceBesideOtherThreads() throws {
    let container = Container()
    let (metrics, recorder) = (MetricsBehavior(countsResolves: false), Recorder())
    container.add(metrics)
    container.add(recorder)
    let built = Journal()
    @Sendable func note<Tag>(_: Tag.Type, _ dependency: AnyObject? = nil) -> Node<Tag> {
      built.write("built \(RegistrationKey(Node<Tag>.self))")
      return Node<Tag>(dependency)
    }
    try container.register(Node<A>.self, scope: .unchecked(.singleton)) { _ in note(A.self) }
    try container.register(Node<B>.self, scope: .unchecked(.scoped)) {
      note(B.self, try $0.resolve(Node<A>.self))
    }
    try container.register(Node<C>.self, scope: .graph) {
      note(C.self, try $0.resolve(Node<B>.self))
    }
    try container.register(Node<D>.self) {
      let dependency = try $0.resolve(Node<C>.self)
      XCTAssertTrue(try $0.resolve(Node<C>.self) === dependency)
      return note(D.self, dependency)
    }
    for _ in 0..<StressSize.scaled(100) {
      let scope = container.makeScope()
      try onThreads(8) { _ in _ = try scope.resolve(Node<D>.self) }
      try scope.syncClose()
      container.release(Node<A>.self)
    }
    XCTAssertEqual(recorder.entries.sorted(), built.entries.sorted())
    XCTAssertEqual(
      metrics.snapshot().map(\.constructions).reduce(0, +), built.entries.count)
  }

  func testDependenciesAreToldFirstAndInstancesOfAllScopesOnce() async throws {
    let container = Container()
    let recorder = Recorder(.all.subtracting([.registration, .resolution]))
    container.add(recorder)
    try container.register(Node<A>.self, scope: .unchecked(.singleton)) { _ in Node() }
    try container.register(Node<B>.self, scope: .unchecked(.scoped)) {
      Node(try $0.resolve(Node<A>.self))
    }.onDispose { _ in }
    try container.register(Node<C>.self, scope: .graph) { Node(try $0.resolve(Node<B>.self)) }
    try container.register(Node<D>.self) { Node(try $0.resolve(Node<C>.self)) }
    try await container.withScope { scope in
      for _ in 0..<2 { _ = try scope.resolve(Node<D>.self) }
      _ = try await scope.resolveAsync(Node<B>.self)
    }
    XCTAssertEqual(
      recorder.entries,
      [
        "built \(keys(A.self))", "built \(keys(B.self))", "built \(keys(C.self))",
        "built \(keys(D.self))", "built \(keys(C.self))", "built \(keys(D.self))",
        "disposed of \(keys(B.self))",
      ])
    try await container.withScope { _ = try await $0.resolveAsync(Node<B>.self) }
    XCTAssertEqual(
      recorder.entries.suffix(2), ["built \(keys(B.self))", "disposed of \(keys(B.self))"])
  }

  func testAnObservedInstanceIsTheScopesAlone() throws {
    let container = Container()
    container.add(MetricsBehavior(countsResolves: false))
    let disposed = Journal()
    try container.register(Motor.self, scope: .unchecked(.scoped)) { _ in Motor() }
      .onDispose { _ in disposed.write("motor") }
    let scopes = [container.makeScope(), container.makeScope()]
    let motors = try scopes.map { try $0.resolve(Motor.self) }
    XCTAssertFalse(motors[0] === motors[1])
    for (scope, motor) in zip(scopes, motors) {
      XCTAssertTrue(try scope.resolve(Motor.self) === motor)
      try scope.syncClose()
    }
    XCTAssertEqual(disposed.entries, ["motor", "motor"])
  }

  // MARK: - Failures

  func testAFailedConstructionIsToldOnceOfEachKeyTheInnermostFirst() throws {
    for scope in [.transient, .graph, .singleton, .scoped] as [AnyScope] {
      let container = Container()
      let recorder = Recorder()
      container.add(recorder)
      container.add(MetricsBehavior(countsResolves: false))
      try container.register(Node<A>.self) { _ in throw FixtureError("no") }.as(.unchecked(scope))
      try container.register(Node<B>.self) { Node(try $0.resolve(Node<A>.self)) }.as(
        .unchecked(scope))
      let request = container.makeScope()
      XCTAssertThrowsError(try request.resolve(Node<B>.self))
      XCTAssertEqual(
        recorder.entries, ["failed \(keys(A.self))", "failed \(keys(B.self))"], "\(scope)")
      try request.syncClose()
    }
  }

  func testACycleIsToldForEachKeyOnce() throws {
    for scope in [.graph, .singleton, .scoped] as [AnyScope] {
      let container = Container()
      let recorder = Recorder()
      container.add(recorder)
      try container.register(Node<A>.self) { Node(try $0.resolve(Node<B>.self)) }.as(
        .unchecked(scope))
      try container.register(Node<B>.self) { Node(try $0.resolve(Node<A>.self)) }.as(
        .unchecked(scope))
      let request = container.makeScope()
      XCTAssertThrowsError(try request.resolve(Node<A>.self)) {
        XCTAssertTrue($0.is(.circularDependencyDetected), "\($0)")
      }
      // The innermost resolve, which closes the cycle, fails too.
      XCTAssertEqual(
        recorder.entries,
        ["failed \(keys(A.self))", "failed \(keys(B.self))", "failed \(keys(A.self))"], "\(scope)")
      try request.syncClose()
    }
  }

  func testACapturedInstanceIsAFailureToldOnce() throws {
    let container = Container()
    let recorder = Recorder()
    container.add(recorder)
    try container.register(Node<A>.self, scope: .unchecked(.scoped)) { _ in Node() }
    try container.register(Node<B>.self, scope: .unchecked(.singleton)) { _ in
      Node(try Self.request.resolve(Node<A>.self))
    }
    let scope = container.makeScope()
    try Self.$request.withValue(scope) {
      _ = try scope.resolve(Node<A>.self)
      XCTAssertThrowsError(try container.resolve(Node<B>.self)) {
        XCTAssertTrue($0.is(.captiveDependency), "\($0)")
      }
    }
    XCTAssertEqual(
      recorder.entries,
      ["built \(keys(A.self))", "failed \(keys(A.self))", "failed \(keys(B.self))"])
    try scope.syncClose()
  }

  @TaskLocal private static var request = Container()

  // MARK: - Inputs

  func testAnInputIsNoConstructionButMayFail() throws {
    let container = Container()
    let (metrics, recorder) = (MetricsBehavior(countsResolves: false), Recorder())
    container.add(metrics)
    container.add(recorder)
    try container.registerInput(User.self)
    try container.register(Node<A>.self, scope: .unchecked(.scoped)) {
      _ = try $0.resolve(User.self)
      return Node()
    }
    try container.syncWithScope(providing: User(id: 1)) { _ = try $0.resolve(Node<A>.self) }
    XCTAssertEqual(recorder.entries, ["built \(keys(A.self))"])
    let scope = container.makeScope()
    XCTAssertThrowsError(try scope.resolve(Node<A>.self)) {
      XCTAssertTrue($0.is(.scopeInputMissing), "\($0)")
    }
    XCTAssertThrowsError(try scope.resolve(User.self))
    XCTAssertEqual(
      recorder.entries.dropFirst(),
      ["failed User", "failed \(keys(A.self))", "failed User"])
    XCTAssertEqual(metrics.snapshot().map(\.constructions).reduce(0, +), 1)
    try scope.syncClose()
  }

  func testADecoratedInputIsDecoratedAndAResolvedOneIsTold() throws {
    let container = Container()
    let recorder = Recorder([.construction, .resolution])
    container.add(recorder)
    try container.registerInput(User.self)
    try container.decorate(User.self) { user, _ in User(id: user.id + 1) }
    try container.syncWithScope(providing: User(id: 1)) {
      XCTAssertEqual(try $0.resolve(User.self).id, 2)
    }
    XCTAssertEqual(recorder.entries, ["resolved User"])
  }

  // MARK: - Decorators

  func testDecoratorsOfTheOwnerAndOfTheScopeWrapWhatIsObserved() throws {
    let container = Container()
    let recorder = Recorder()
    container.add(recorder)
    let disposed = Journal()
    try container.register(Motor.self, scope: .unchecked(.scoped)) { _ in Motor(power: 1) }
      .onDispose { disposed.write("\($0.power)") }
    try container.register(Int.self) { _ in 1 }
    try container.decorate(Int.self) { number, _ in number + 1 }
    let scope = container.makeScope()
    XCTAssertEqual(try scope.resolve(Motor.self).power, 1)
    XCTAssertEqual(try scope.resolve(Int.self), 2)
    let decorated = container.makeScope()
    try decorated.decorate(Motor.self) { motor, _ in Motor(power: motor.power * 10) }
    XCTAssertEqual(try decorated.resolve(Motor.self).power, 10)
    try container.decorate(Motor.self) { motor, _ in Motor(power: motor.power + 4) }
    let last = container.makeScope()
    XCTAssertEqual(try last.resolve(Motor.self).power, 5)
    for scope in [scope, decorated, last] { try scope.syncClose() }
    XCTAssertEqual(disposed.entries, ["1", "1", "1"])
    XCTAssertEqual(
      recorder.entries, ["built Motor", "built Int", "built Motor", "built Motor"])
  }

  // MARK: - Changes meanwhile

  func testABehaviorAddedMeanwhileHearsOfNoConstructionUnderWay() throws {
    let container = Container()
    let (first, late) = (Recorder(), Recorder(measuresTimes: true))
    container.add(first)
    try container.register(Node<A>.self, scope: .unchecked(.scoped)) { _ in Node() }
    try container.register(Node<B>.self, scope: .unchecked(.scoped)) { resolver in
      container.add(late)
      return Node(try resolver.resolve(Node<A>.self))
    }
    try container.syncWithScope { _ = try $0.resolve(Node<B>.self) }
    XCTAssertEqual(first.entries, ["built \(keys(A.self))", "built \(keys(B.self))"])
    XCTAssertEqual(late.entries, ["built \(keys(A.self)) in time"])
  }

  func testABehaviorRemovedMeanwhileHearsNothingMore() throws {
    let container = Container()
    let (stays, goes) = (Recorder(), Recorder())
    let removable = TemporaryObservers([goes], of: container)
    container.add(stays)
    try container.register(Node<A>.self, scope: .unchecked(.scoped)) { _ in Node() }
    try container.register(Node<B>.self) { resolver in
      let dependency = try resolver.resolve(Node<A>.self)
      removable.remove()
      return Node(dependency)
    }
    try container.syncWithScope { _ = try $0.resolve(Node<B>.self) }
    XCTAssertEqual(goes.entries, ["built \(keys(A.self))"])
    XCTAssertEqual(stays.entries, ["built \(keys(A.self))", "built \(keys(B.self))"])
  }

  func testBehaviorsComeAndGoUnderConstructions() throws {
    let container = Container()
    let metrics = MetricsBehavior(countsResolves: false)
    container.add(metrics)
    let disposed = MetricsBehavior(countsResolves: false)
    try container.register(Motor.self, scope: .unchecked(.scoped)) { _ in Motor() }
    try container.register(Node<A>.self) { Node(try $0.resolve(Motor.self)) }
    let rounds = StressSize.scaled(500)
    try onThreads(4) { thread in
      for _ in 0..<rounds {
        if thread == 0 {
          let removable = TemporaryObservers([disposed, Recorder()], of: container)
          try container.syncWithScope { _ = try $0.resolve(Node<A>.self) }
          removable.remove()
        } else {
          try container.syncWithScope { _ = try $0.resolve(Node<A>.self) }
        }
      }
    }
    let counts = metrics.snapshot().map(\.constructions)
    XCTAssertEqual(counts, [4 * rounds, 4 * rounds])
    XCTAssertTrue(disposed.snapshot().allSatisfy { rounds...(4 * rounds) ~= $0.constructions })
  }

  func testARegistrationOverriddenByItsFactoryIsToldToTheEnd() throws {
    let container = Container()
    let recorder = Recorder()
    container.add(recorder)
    try container.register(Int.self) { _ in
      try container.register(Int.self) { _ in 2 }
      Reclamation.reclaimAll()
      return 1
    }
    XCTAssertEqual(try container.resolve(Int.self), 1)
    XCTAssertEqual(try container.resolve(Int.self), 2)
    XCTAssertEqual(recorder.entries, ["built Int", "built Int"])
  }

  // MARK: - Behaviors that use the container

  func testALogThatResolvesIsNotToldOfItsOwnResolves() throws {
    let container = Container()
    let (journal, recorder) = (Journal(), Recorder())
    container.add(recorder)
    container.add(
      LoggingBehavior(events: [.construction, .failure]) { level, message in
        _ = try? container.resolve(String.self)
        journal.write("\(level) \(message().prefix(5))")
      })
    try container.register(String.self) { _ in "s" }
    try container.register(Motor.self, scope: .unchecked(.scoped)) { _ in Motor() }
    try container.syncWithScope { _ = try $0.resolve(Motor.self) }
    XCTAssertThrowsError(try container.resolve(Int.self))
    XCTAssertEqual(recorder.entries, ["built Motor", "failed Int"])
    XCTAssertEqual(journal.entries, ["debug Motor", "error Nothi"])
  }
}
