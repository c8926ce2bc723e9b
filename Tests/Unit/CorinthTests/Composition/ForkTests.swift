// SPDX-License-Identifier: MIT

import Corinth
import TestSupport
import XCTest

/// Forks: what they share with their base, and what they do not.
final class ForkTests: XCTestCase {
  private final class Mailer: Sendable {
    let label: String
    init(_ label: String = "base") { self.label = label }
  }

  private final class Service: Sendable {
    let mailer: Mailer
    init(_ mailer: Mailer) { self.mailer = mailer }
  }

  private static func application() throws -> Container {
    let container = Container()
    try container.register(Mailer.self) { _ in Mailer() }.as(.singleton)
    try container.register(Service.self) { Service(try $0.resolve()) }.as(.singleton)
    return container
  }

  func testAForkHasInstancesOfItsOwn() throws {
    let base = try Self.application()
    let service = try base.resolve(Service.self)
    let fork = base.fork()
    XCTAssertFalse(try fork.resolve(Service.self) === service)
    XCTAssertTrue(try fork.resolve(Service.self) === (try fork.resolve(Service.self)))
    XCTAssertTrue(
      try fork.resolve(Service.self).mailer === (try fork.resolve(Mailer.self)))
    XCTAssertTrue(try base.resolve(Service.self) === service)
  }

  func testWhatAForkRegistersReachesItsSingletons() throws {
    let base = try Self.application()
    _ = try base.resolve(Service.self)
    let fork = try base.fork { try $0.register(Mailer.self) { _ in Mailer("fork") } }
    XCTAssertEqual(try fork.resolve(Service.self).mailer.label, "fork")
    XCTAssertEqual(try base.resolve(Service.self).mailer.label, "base")
  }

  func testAForkOfAChildReachesTheParentsSingletons() throws {
    let root = try Self.application()
    let child = Container(parent: root)
    let fork = try child.fork { try $0.register(Mailer.self) { _ in Mailer("fork") } }
    XCTAssertEqual(try fork.resolve(Service.self).mailer.label, "fork")
    XCTAssertEqual(try child.resolve(Service.self).mailer.label, "base")
  }

  func testAForkOfAForkSeesItsRegistrations() throws {
    let base = try Self.application()
    let first = try base.fork { try $0.register(Mailer.self) { _ in Mailer("first") } }
    let second = first.fork()
    XCTAssertEqual(try second.resolve(Service.self).mailer.label, "first")
    XCTAssertFalse(try second.resolve(Service.self) === (try first.resolve(Service.self)))
  }

  func testAForkResolvesAllKindsOfRegistrations() async throws {
    let base = Container()
    try base.register(Int.self, name: "x") { _ in 1 }
    try base.register(Int.self) { (_, argument: String) in argument.count }
    try base.registerAsync(String.self) { _ in "async" }.as(.singleton)
    try base.register(Motor.self, scope: .unchecked(.scoped)) { _ in Motor() }
    try base.forward((any Engine).self, to: Motor.self)
    let fork = base.fork()
    XCTAssertEqual(try fork.resolve(Int.self, name: "x"), 1)
    XCTAssertEqual(try fork.resolve(Int.self, arguments: "four"), 4)
    let text = try await fork.resolveAsync(String.self)
    XCTAssertEqual(text, "async")
    XCTAssertTrue(fork.contains(Int.self, name: "x"))
    XCTAssertNil(try fork.resolveIfRegistered(Double.self))
    XCTAssertEqual(try fork.resolveIfRegistered(Int.self, name: "x"), 1)
    XCTAssertEqual(try fork.provider(for: Int.self, name: "x")(), 1)
    try await fork.withScope { scope in
      let motor = try scope.resolve(Motor.self)
      XCTAssertTrue(try scope.resolve((any Engine).self) === motor)
    }
  }

  func testValuesAreShared() throws {
    let base = Container()
    let mailer = Mailer()
    try base.register(value: mailer)
    XCTAssertTrue(try base.fork().resolve(Mailer.self) === mailer)
  }

  /// Each fork ran the disposers of the values that it shares.
  func testValuesAreDisposedOfByTheirOwnContainerOnly() async throws {
    let disposals = AtomicCounter()
    let reports = EventLog()
    Container.onUndisposed = { reports.add("\($0)") }
    defer { Container.onUndisposed = nil }
    let base = Container()
    try base.register(value: Mailer()).onDispose { _ in disposals.add() }
    try base.register(value: 7).onDispose { _ async in disposals.add() }
    let fork = base.fork()
    _ = try fork.resolve(Mailer.self)
    _ = try fork.resolve(Int.self)
    try fork.register(Mailer.self, onDuplicate: .require) { _ in Mailer() }
    // The disposer that is asynchronous is not the fork's.
    try await fork.close()
    try await base.validate(building: true)
    try await base.withOverrides { _ in
    } run: {
      _ = try $0.resolve(Int.self)
    }
    try await Container(parent: base).fork().shutdown()
    XCTAssertEqual(disposals.value, 0)
    XCTAssertEqual(reports.entries, [])
    try await base.shutdown()
    XCTAssertEqual(disposals.value, 2)
  }

  func testAValueThatAForkRunsActionsWithIsDisposedOfWithTheFork() async throws {
    let log = EventLog()
    let base = Container()
    try base.register(value: 7).afterInit { _, _ in log.add("started") }
      .onDispose { _ in log.add("stopped") }
    let fork = base.fork()
    _ = try fork.resolve(Int.self)
    try await fork.shutdown()
    try await base.shutdown()
    XCTAssertEqual(log.entries, ["started", "stopped"])
  }

  func testAScopedValueIsDisposedOfWithEachScopeOfAForkToo() async throws {
    let disposals = AtomicCounter()
    let base = Container()
    try base.register(value: 7).as(.scoped).onDispose { _ in disposals.add() }
    _ = try await base.fork().withScope { try $0.resolve(Int.self) }
    XCTAssertEqual(disposals.value, 1)
  }

  func testAForkDisposesOfTheValuesThatAreRegisteredThere() async throws {
    let disposals = AtomicCounter()
    let base = Container()
    try base.register(value: 7).onDispose { _ in XCTFail("the base is open") }
    let fork = base.fork()
    try fork.register(value: 8).onDispose { _ in disposals.add() }
    try await fork.shutdown()
    XCTAssertEqual(disposals.value, 1)
    base.removeAll()
  }

  func testACollectionHasTheElementsOfBothInOrder() throws {
    let parent = Container()
    try parent.contribute(to: Int.self) { _ in 1 }
    let base = Container(parent: parent)
    try base.register(Int.self, name: "2") { _ in 2 }
    try base.register(Int.self) { _ in 3 }
    let fork = base.fork()
    try base.register(Int.self, name: "later") { _ in 0 }
    try fork.contribute(to: Int.self) { _ in 4 }
    XCTAssertEqual(try fork.resolveAll(Int.self), [1, 2, 3, 4])
    try fork.register(Int.self, name: "2") { _ in 5 }
    XCTAssertEqual(try fork.resolveAll(Int.self), [1, 5, 3, 4])
    fork.unregister(Int.self)
    XCTAssertEqual(try fork.resolve([Int].self), [1, 5, 4])
  }

  // MARK: - Changes

  func testLaterChangesOfTheBaseDoNotReachAFork() throws {
    let base = try Self.application()
    let fork = base.fork()
    try base.register(Mailer.self) { _ in Mailer("later") }
    try base.register(Int.self) { _ in 1 }
    XCTAssertEqual(try fork.resolve(Service.self).mailer.label, "base")
    XCTAssertFalse(fork.contains(Int.self))
    base.unregister(Service.self)
    base.removeAll()
    XCTAssertEqual(try fork.resolve(Service.self).mailer.label, "base")
    XCTAssertEqual(try base.fork().resolveIfRegistered(Int.self), nil)
  }

  func testALaterModifierDoesNotReachAFork() throws {
    let base = Container()
    let registration = try base.register(Mailer.self) { _ in Mailer() }
    let fork = base.fork()
    registration.as(.singleton)
    XCTAssertFalse(try fork.resolve(Mailer.self) === (try fork.resolve(Mailer.self)))
    XCTAssertTrue(try base.resolve(Mailer.self) === (try base.resolve(Mailer.self)))
  }

  func testChangesOfAForkDoNotReachItsBase() throws {
    let base = try Self.application()
    let fork = base.fork()
    XCTAssertTrue(fork.unregister(Mailer.self))
    XCTAssertFalse(fork.unregister(Mailer.self))
    XCTAssertFalse(fork.contains(Mailer.self))
    XCTAssertThrowsError(try fork.resolve(Service.self)) { error in
      XCTAssertEqual(error as? ResolutionError, .noRegistrationFound)
    }
    try fork.register(Mailer.self) { _ in Mailer("again") }
    XCTAssertEqual(try fork.resolve(Service.self).mailer.label, "again")
    fork.removeAll()
    XCTAssertFalse(fork.contains(Service.self))
    XCTAssertEqual(try base.resolve(Service.self).mailer.label, "base")
  }

  /// Whether the key has been resolved in the fork before makes no difference.
  func testAForkMayRegisterWhatItsBaseRefusesToHaveTwice() throws {
    let base = Container(duplicates: .refuse)
    try base.register(Int.self) { _ in 1 }
    try base.register(String.self, onDuplicate: .refuse) { _ in "base" }
    for isResolvedBefore in [false, true] {
      let fork = base.fork()
      if isResolvedBefore { _ = try (fork.resolve(Int.self), fork.resolve(String.self)) }
      try fork.register(Int.self) { _ in 2 }
      try fork.register(String.self, onDuplicate: .require) { _ in "fork" }
      XCTAssertEqual(try fork.resolve(Int.self), 2)
      XCTAssertEqual(try fork.resolve(String.self), "fork")
      XCTAssertThrowsError(try fork.register(Int.self) { _ in 3 }) { error in
        XCTAssertEqual(error as? RegistrationError, .alreadyRegistered)
      }
    }
  }

  func testAnErrorInTheClosureNamesWhatIsSimilarWhenTheForkIsGone() throws {
    let base = Container()
    try base.register(Int.self, name: "port") { _ in 1 }
    XCTAssertThrowsError(
      try base.fork { try $0.register(Int.self, name: "prot", onDuplicate: .require) { _ in 2 } }
    ) { error in
      XCTAssertTrue("\(error)".contains("\"port\""), "\(error)")
    }
  }

  func testAForkCanReplaceWhatItHasNotResolvedYet() async throws {
    let base = try Self.application()
    let fork = base.fork()
    try await fork.replace(Mailer.self) { _ in Mailer("new") }
    XCTAssertEqual(try fork.resolve(Service.self).mailer.label, "new")
  }

  func testEagerSingletonsOfTheBaseAreWarmedUpInAFork() throws {
    let base = Container()
    let count = AtomicCounter()
    try base.register(Mailer.self) { _ in
      count.add()
      return Mailer()
    }.as(.singleton).eager()
    let fork = base.fork()
    try fork.syncWarmUp()
    XCTAssertEqual(count.value, 1)
    _ = try fork.resolve(Mailer.self)
    XCTAssertEqual(count.value, 1)
  }

  // MARK: - Decorators, behaviors, graphs

  func testDecoratorsAreInherited() throws {
    let base = try Self.application()
    try base.decorate(Mailer.self) { mailer, _ in Mailer("d(\(mailer.label))") }
    let fork = base.fork()
    XCTAssertEqual(try fork.resolve(Service.self).mailer.label, "d(base)")
    try fork.decorate(Mailer.self) { mailer, _ in Mailer("f(\(mailer.label))") }
    XCTAssertEqual(try fork.resolve(Mailer.self).label, "f(d(base))")
    XCTAssertEqual(try base.resolve(Mailer.self).label, "d(base)")
  }

  func testMetricsOfTheBaseCountTheFork() throws {
    let base = try Self.application()
    let metrics = MetricsBehavior()
    base.add(metrics)
    _ = try base.fork().resolve(Service.self)
    XCTAssertEqual(metrics.snapshot().map(\.resolves).reduce(0, +), 2)
  }

  func testGraphInstancesAreSharedWithinAResolutionOfAFork() throws {
    let base = Container()
    try base.register(Mailer.self) { _ in Mailer() }.as(.graph)
    try base.register(Service.self) { Service(try $0.resolve()) }
    try base.register([Service].self) { [try $0.resolve(), try $0.resolve()] }
    let services = try base.fork().resolve([Service].self)
    XCTAssertTrue(services[0].mailer === services[1].mailer)
    XCTAssertFalse(services[0] === services[1])
  }

  // MARK: - Ends

  func testEachOfTheTwoIsShutDownOnItsOwn() async throws {
    let base = Container()
    let journal = Journal()
    try base.register(Mailer.self) { _ in Mailer() }.as(.singleton)
      .onDispose { _ in journal.write("disposed") }
    let fork = base.fork()
    _ = try (base.resolve(Mailer.self), fork.resolve(Mailer.self))
    try await fork.shutdown()
    XCTAssertEqual(journal.entries, ["disposed"])
    XCTAssertNoThrow(try base.resolve(Mailer.self))
    try await base.shutdown()
    XCTAssertEqual(journal.entries, ["disposed", "disposed"])
    XCTAssertThrowsError(try fork.resolve(Mailer.self)) { error in
      XCTAssertEqual(error as? ResolutionError, .containerClosed)
    }
  }

  func testAForkKeepsItsBaseAndBothAreReleased() async throws {
    let tracker = LifetimeTracker()
    do {
      var base: Container? = Container()
      try base?.register(Tracked.self) { _ in tracker.make() }.as(.singleton)
      let fork = try XCTUnwrap(base?.fork().fork())
      _ = try base?.resolve(Tracked.self)
      base = nil
      XCTAssertEqual(try fork.resolve(Tracked.self).serial, 2)
    }
    await tracker.waitUntilNoneIsLeft()
    XCTAssertEqual(tracker.created, 2)
    XCTAssertEqual(tracker.alive, 0)
  }

  func testALongLineOfForksIsReleasedOnASmallStack() throws {
    try onSmallStack {
      var container = try Self.application()
      for _ in 0..<20_000 { container = container.fork() }
    }
  }

  func testAForkOfARequestScopeIsOne() throws {
    let base = Container()
    try base.register(Mailer.self, scope: .scoped) { _ in Mailer() }
    try base.syncWithScope { scope in
      let fork = scope.fork()
      XCTAssertTrue(try fork.resolve(Mailer.self) === (try fork.resolve(Mailer.self)))
      XCTAssertFalse(try fork.resolve(Mailer.self) === (try scope.resolve(Mailer.self)))
      try fork.syncClose()
    }
  }

  // MARK: - Threads

  /// A fork is never without the decorators of its base, not even while it is made.
  func testAForkThatIsMadeUnderRegistrationsDecoratesValues() throws {
    let base = Container()
    try base.decorate(String.self) { text, _ in "(\(text))" }
    try base.register(value: "a", as: String.self)
    let rounds = StressSize.scaled(3_000)
    try onThreads(4) { thread in
      for _ in 0..<rounds {
        if thread == 0 {
          try base.register(value: "a", as: String.self)
        } else {
          XCTAssertEqual(try base.fork().resolve(String.self), "(a)")
        }
      }
    }
  }

  /// Each fork has the registrations of one moment, however often the base changes.
  func testForksAreConsistentWhileTheBaseChanges() throws {
    let base = Container()
    try base.register(Int.self) { _ in 0 }
    try base.register(Mailer.self) { Mailer("\(try $0.resolve(Int.self))") }.as(.singleton)
    let rounds = StressSize.scaled(1_000)
    try onThreads(4) { thread in
      for round in 0..<rounds {
        if thread == 0 {
          try base.register(Int.self) { _ in round }
          continue
        }
        let fork = base.fork()
        let number = try fork.resolve(Int.self)
        for _ in 0..<3 { XCTAssertEqual(try fork.resolve(Int.self), number) }
        XCTAssertEqual(try fork.resolve(Mailer.self).label, "\(number)")
      }
    }
  }

  func testAKeyIsAdoptedOnceForAllThreads() throws {
    for _ in 0..<StressSize.scaled(100) {
      let count = AtomicCounter()
      let base = Container()
      try base.register(Mailer.self) { _ in
        count.add()
        return Mailer()
      }.as(.singleton)
      let fork = base.fork()
      let found = try onThreads(8) { _ in try fork.resolve(Mailer.self) }
      XCTAssertTrue(found.allSatisfy { $0 === found[0] })
      XCTAssertEqual(count.value, 1)
    }
  }
}
