// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import XCTest

@testable import Corinth

/// The first resolve of a container's own singleton, whose factory changes what it is resolved
/// from.
final class FirstInstanceTests: ContainerTestCase {
  private let tracker = LifetimeTracker()

  /// Registers a singleton whose factory runs `body` in between.
  private func register(
    _ name: Name? = nil, in container: Container,
    _ body: @escaping @Sendable (Resolver) throws -> Void
  ) throws {
    try container.register(Tracked.self, name: name, scope: .singleton) { [tracker] resolver in
      let instance = tracker.make()
      try body(resolver)
      return instance
    }
  }

  /// Destroys what has been replaced. A thread does not inside of a construction.
  @Sendable private static func settle() throws { try onThreads(1) { _ in settleReclamation() } }

  private func serial(of name: Name? = nil, in container: Container) throws -> Int {
    try container.resolve(Tracked.self, name: name).serial
  }

  // MARK: - The registration

  func testAFactoryThatUnregistersItselfServesItsCallerOnly() throws {
    try register(in: container) { resolver in
      try resolver.container.unregister(Tracked.self)
      try Self.settle()
    }
    XCTAssertEqual(try serial(in: container), 1)
    XCTAssertThrowsError(try serial(in: container))
    settleReclamation()
    XCTAssertEqual(tracker.alive, 0)
  }

  func testAFactoryThatReleasesItselfServesItsCallerOnly() throws {
    try register(in: container) { resolver in
      try resolver.container.release(Tracked.self)
      try Self.settle()
    }
    XCTAssertEqual(try serial(in: container), 1)
    XCTAssertEqual(try serial(in: container), 2)
    settleReclamation()
    XCTAssertEqual(tracker.alive, 0)
  }

  func testAnInstanceThatIsReleasedWhileItIsBuiltIsReportedOnce() throws {
    let reports = AtomicCounter()
    Container.onUndisposed = { _ in reports.add() }
    defer { Container.onUndisposed = nil }
    let releases = AtomicCounter()
    try container.register(Tracked.self, scope: .singleton) { [tracker] resolver in
      if releases.add() == 1 { try resolver.container.release(Tracked.self) }
      return tracker.make()
    }.onDispose { _ in }
    XCTAssertEqual(try serial(in: container), 1)
    XCTAssertEqual(reports.value, 1)
    XCTAssertEqual(try serial(in: container), 2)
    XCTAssertEqual(reports.value, 1)
    container.release(Tracked.self)
    XCTAssertEqual(reports.value, 2)
  }

  func testNestedInstancesAreDisposedOfInReverseOrder() async throws {
    let (tracker, disposed) = (tracker, EventLog())
    let names: [Name] = ["outer", "a name of more than fifteen bytes", Name(Role.admin)]
    for (index, name) in names.enumerated() {
      try container.register(Tracked.self, name: name, scope: .singleton) { resolver in
        for inner in names.dropFirst(index + 1) {
          _ = try resolver.resolve(Tracked.self, name: inner)
        }
        return tracker.make()
      }.onDispose { _ in disposed.add("\(name)") }
    }
    XCTAssertEqual(try serial(of: "outer", in: container), 3)
    try await container.shutdown()
    XCTAssertEqual(disposed.entries, names.map { "\($0)" })
  }

  func testAFactoryThatRegistersItsKeyBelowServesItsCaller() throws {
    let container = container
    let child = Container(parent: container)
    let fork = Locked<Container?>(nil)
    try register(in: container) { [tracker] resolver in
      try child.register(Tracked.self, scope: .singleton) { _ in tracker.make() }
      let made = try resolver.container.fork()
      try made.register(Tracked.self, scope: .singleton) { _ in tracker.make() }
      fork.withLock { $0 = made }
    }
    XCTAssertEqual(try serial(in: child), 1, "found before the child had its own")
    XCTAssertEqual(try serial(in: container), 1)
    XCTAssertEqual(try serial(in: child), 2)
    XCTAssertEqual(try serial(in: XCTUnwrap(fork.withLock { $0 })), 3)
    XCTAssertEqual(try serial(in: child), 2)
  }

  func testAFactoryMayLetGoOfItsContainer() throws {
    let held = Locked<Container?>(Container())
    weak var core: ContainerCore?
    try {
      let container = try XCTUnwrap(held.withLock { $0 })
      core = container.registry
      try register("a name of more than fifteen bytes", in: container) { _ in
        held.withLock { $0 = nil }
        try Self.settle()
      }
    }()
    let instance = try held.withLock { $0 }?.resolve(
      Tracked.self, name: "a name of more than fifteen bytes")
    XCTAssertEqual(instance?.serial, 1)
    settleReclamation()
    XCTAssertNil(core)
  }

  // MARK: - Forks

  func testAForkBuildsAnInstanceOfItsOwn() throws {
    try register(in: container) { _ in }
    let early = container.fork()
    XCTAssertEqual(try serial(in: early), 1)
    XCTAssertEqual(try serial(in: container), 2)
    XCTAssertEqual(try serial(in: early), 1)
    XCTAssertEqual(try serial(in: container.fork().fork()), 3)
    XCTAssertEqual(try serial(in: container), 2)
  }

  func testFrozenContainersBuildTheirSingletons() throws {
    try register(in: container) { _ in }
    try container.freeze()
    XCTAssertEqual(try serial(in: container), 1)
    XCTAssertEqual(try serial(in: Container(parent: container)), 1)
  }

  // MARK: - Failures

  func testAFactoryThatThrowsWhenItIsReplacedFailsOnceOnly() throws {
    try register(in: container) { [tracker] resolver in
      try resolver.container.register(Tracked.self, scope: .singleton) { _ in tracker.make() }
      try Self.settle()
      throw FixtureError("replaced")
    }
    XCTAssertThrowsError(try serial(in: container)) {
      XCTAssertEqual(
        ($0 as? ResolutionError)?.underlyingError as? FixtureError, FixtureError("replaced"))
    }
    XCTAssertEqual(try serial(in: container), 2)
    XCTAssertEqual(try serial(in: container), 2)
  }

  /// A construction has no key of its own: that of its slot stays when the registration goes.
  func testThePathOfACycleNamesRegistrationsThatAreGone() throws {
    let names: [Name] = [
      Name(Role.guest(visits: 1)), "a name of more than fifteen bytes", Name(7),
    ]
    for (index, name) in names.enumerated() {
      let next = names[(index + 1) % names.count]
      try register(name, in: container) { resolver in
        let container = try resolver.container
        // The last one finds the first again: that stays until then.
        if index > 0 { container.unregister(Tracked.self, name: name) }
        try Self.settle()
        _ = try resolver.resolve(Tracked.self, name: next)
      }
    }
    XCTAssertThrowsError(try serial(of: names[0], in: container)) { error in
      guard case ResolutionError.circularDependencyDetected(let context) = error else {
        return XCTFail("\(error)")
      }
      XCTAssertEqual(context.path.map(\.name), names + [names[0]])
    }
  }

  func testAnErrorNamesTheWayToARegistrationThatIsGone() throws {
    try register("outer", in: container) { _ = try $0.resolve(Tracked.self, name: "inner") }
    try register("inner", in: container) { resolver in
      try resolver.container.removeAll()
      try Self.settle()
      _ = try resolver.resolve(Int.self)
    }
    XCTAssertThrowsError(try serial(of: "outer", in: container)) { error in
      let path = (error as? ResolutionError)?.context.path
      XCTAssertEqual(path?.map(\.name), ["outer", "inner", nil], "\(error)")
    }
  }

  func testAChainThatIsTooDeepNamesItsRegistrations() throws {
    for index in 0..<20_000 {
      try register(Name(index), in: container) {
        _ = try $0.resolve(Tracked.self, name: Name(index + 1))
      }
    }
    let container = container
    try onSmallStack {
      XCTAssertThrowsError(try container.resolve(Tracked.self, name: Name(0))) { error in
        guard case ResolutionError.resolutionTooDeep(let context) = error else {
          return XCTFail("\(error)")
        }
        XCTAssertEqual(context.path.first?.name, Name(0))
      }
    }
    settleReclamation()
    XCTAssertEqual(tracker.alive, 0)
  }

  // MARK: - The last reference

  /// What a factory has captured, whose deinit says whether the construction has ended that its
  /// resolver belongs to.
  private func resolveWhileReplaced(
    _ part: @escaping @Sendable (Resolver) -> Void
  ) throws -> Int {
    let kept = Locked<Resolver?>(nil)
    try {
      let capture = Parting(tracker) {
        if let resolver = kept.withLock({ $0.take() }) { part(resolver) }
      }
      try container.register(Int.self, scope: .singleton) { [weak container] resolver in
        kept.withLock { $0 = resolver }
        try container?.register(Int.self, scope: .singleton) { _ in -1 }
        try Self.settle()
        XCTAssertNotNil(kept.withLock { $0 }, "the construction has the registration")
        return capture.serial
      }
    }()
    let resolved = try container.resolve(Int.self)
    XCTAssertNil(kept.withLock { $0 }, "the deinit has run")
    return resolved
  }

  func testTheRegistrationIsGivenUpWhenItsConstructionHasEnded() throws {
    let hasEnded = Locked<Bool?>(nil)
    let resolved = try resolveWhileReplaced { resolver in
      hasEnded.withLock { $0 = ResolutionContext.isOver(resolver.construction) }
    }
    XCTAssertEqual(resolved, 1)
    XCTAssertEqual(hasEnded.withLock { $0 }, true)
  }

  func testTheDeinitOfACaptureMayResolveTheKeyHereAndOnAnotherThread() throws {
    let found = Locked<[Int?]>([])
    let container = container
    let resolved = try resolveWhileReplaced { resolver in
      let others = JoinableThread { try resolver.resolve(Int.self) }.join()
      found.withLock {
        $0 = [try? resolver.resolve(Int.self), try? container.resolve(Int.self), try? others.get()]
      }
    }
    XCTAssertEqual(resolved, 1)
    XCTAssertEqual(found.withLock { $0 }, [-1, -1, -1])
  }
}
