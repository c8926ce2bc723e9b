// SPDX-License-Identifier: MIT

import Corinth
import TestSupport
import XCTest

extension Name {
  static let request: Name = "request"
  static let transaction: Name = "transaction"
}

final class NamedScopeTests: AsyncTestCase {
  private let tracker = LifetimeTracker()

  override func setUpWithError() throws {
    try container.register(Tracked.self, scope: .scoped(in: .request)) { [tracker] _ in
      tracker.make()
    }
  }

  private final class Holder: Sendable {
    let dependency: Tracked
    init(_ dependency: Tracked) { self.dependency = dependency }
  }

  // MARK: - Sharing

  func testScopesWithinANamedOneShareItsInstance() throws {
    let request = container.makeScope(named: .request)
    let (left, right) = (request.makeScope(), request.makeScope(named: .transaction))
    let instance = try left.resolve(Tracked.self)
    for scope in [request, left, right, Container(parent: right), right.makeScope()] {
      XCTAssertTrue(try scope.resolve(Tracked.self) === instance)
      XCTAssertTrue(try scope.resolveIfRegistered(Tracked.self) === instance)
      XCTAssertTrue(try scope.provider(for: Tracked.self)() === instance)
    }
    XCTAssertFalse(
      try container.makeScope(named: .request).resolve(Tracked.self) === instance)
    XCTAssertEqual(tracker.created, 2)
  }

  func testTheNearestScopeOfANameWins() throws {
    let outer = container.makeScope(named: .request)
    let inner = outer.makeScope().makeScope(named: .request)
    let instance = try inner.makeScope().resolve(Tracked.self)
    XCTAssertTrue(try inner.resolve(Tracked.self) === instance)
    XCTAssertFalse(try outer.resolve(Tracked.self) === instance)
  }

  func testNamesAreEqualIfTheirTextsAre() throws {
    let request = container.makeScope(named: Name(["re", "quest"].joined()))
    XCTAssertTrue(
      try request.makeScope().resolve(Tracked.self) === request.resolve(Tracked.self))
  }

  func testANameIsHeldAsLongAsItsRegistrationAndItsScopes() throws {
    final class Unit: Hashable, Sendable {
      static func == (left: Unit, right: Unit) -> Bool { left === right }
      func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
    }
    func use(_ unit: Unit) throws {
      let container = Container()
      try container.register(Int.self, scope: .scoped(in: Name(unit))) { _ in 1 }
      for _ in 0..<2 {
        try container.syncWithScope(named: Name(unit)) { XCTAssertEqual(try $0.resolve(), 1) }
      }
    }
    weak var former: Unit?
    try {
      let unit = Unit()
      former = unit
      try use(unit)
    }()
    settleReclamation()
    XCTAssertNil(former)
  }

  func testAnyNameMayBeThatOfAScope() throws {
    enum Unit: Hashable { case batch }
    let long = Name(String(repeating: "request ", count: 10))
    let names = [
      (Name(7), "Name(7)"), (Name(Unit.batch), "Name(batch)"), (long, long.description),
      ("\"quoted\"", #""\"quoted\"""#),
    ]
    for (name, text) in names {
      let scope = container.makeScope(named: name)
      XCTAssertTrue("\(scope)".hasPrefix("Request scope \(text) with 0"), "\(scope)")
      try container.register([Int].self, scope: .scoped(in: name)) { _ in [] }
      XCTAssertEqual("\(Scope<[Int]>.scoped(in: name))", "scoped(in: \(text))")
      XCTAssertNoThrow(try scope.makeScope().resolve([Int].self))
      XCTAssertThrowsError(try container.makeScope(named: .request).resolve([Int].self)) {
        XCTAssertTrue("\($0)".contains("`container.withScope(named: \(text)) {"), "\($0)")
      }
    }
  }

  func testDependenciesAreThoseOfTheNamedScope() throws {
    let tracker = tracker
    try container.register([Tracked].self, scope: .scoped) { _ in [tracker.make()] }
    try container.register([[Tracked]].self, scope: .scoped(in: .request)) {
      [try $0.resolve([Tracked].self)]
    }
    let request = container.makeScope(named: .request)
    let inner = request.makeScope()
    let own = try inner.resolve([Tracked].self)[0]
    let dependency = try inner.resolve([[Tracked]].self)[0][0]
    XCTAssertFalse(own === dependency)
    XCTAssertTrue(try request.resolve([Tracked].self)[0] === dependency)
  }

  func testAnInnerInstanceMayHoldThatOfTheNamedScope() throws {
    try container.register(Holder.self, scope: .scoped) { Holder(try $0.resolve(Tracked.self)) }
    let request = container.makeScope(named: .request)
    let (left, right) = (request.makeScope(), request.makeScope())
    let instance = try left.resolve(Holder.self).dependency
    XCTAssertTrue(try right.resolve(Holder.self).dependency === instance)
    XCTAssertFalse(try left.resolve(Holder.self) === right.resolve(Holder.self))
  }

  // Each inner scope left an instance in the outer one, where no resolve found it.
  func testRegisteredBelowTheNamedScopeItIsRefused() async throws {
    let tracker = LifetimeTracker()
    let request = container.makeScope(named: .request)
    for inner in [request.makeScope(), Container(parent: request)] {
      try inner.register(Tracked.self, scope: .scoped(in: .request)) { _ in tracker.make() }
      for asked in [inner, inner.makeScope(), Container(parent: inner)] {
        for resolve in [
          { try asked.resolve(Tracked.self) }, { try asked.provider(for: Tracked.self)() },
        ] {
          XCTAssertThrowsError(try resolve()) {
            XCTAssertTrue($0.is(.scopeRequired), "\($0)")
            XCTAssertTrue("\($0)".contains("below the nearest request scope of that name"), "\($0)")
          }
        }
        do {
          _ = try await asked.resolveAsync(Tracked.self)
          XCTFail("no error")
        } catch { XCTAssertTrue(error.is(.scopeRequired), "\(error)") }
      }
    }
    XCTAssertEqual(tracker.created, 0)
  }

  func testAContainerOfASessionMayRegisterForOneWithin() async throws {
    let outer = container.makeScope(named: .request)
    for inner in [outer.makeScope(), Container(parent: outer)] {
      try inner.register([Int].self, scope: .scoped(in: .request)) { _ in [1] }
      let nested = inner.makeScope(named: .request)
      XCTAssertEqual(try nested.resolve([Int].self), [1])
      XCTAssertEqual(try nested.makeScope().resolve([Int].self), [1])
      try inner.register([[Int]].self, scope: .scoped(in: .request)) {
        [try $0.resolve([Int].self)]
      }.dependsOn([Int].self)
      XCTAssertThrowsError(try inner.resolve([Int].self))
      XCTAssertEqual(findings { try inner.validate() }.map(\.kind), [])
      let found = await findings { try await inner.validate(building: true) }
      XCTAssertEqual(found.map(\.kind), [])
    }
  }

  func testRegisteredInTheNamedScopeItHasTheDependenciesOfThat() throws {
    let request = container.makeScope(named: .request)
    try request.register(Int.self) { _ in 2 }
    try request.register([Int].self, scope: .scoped(in: .request)) { [try $0.resolve(Int.self)] }
    XCTAssertEqual(try Container(parent: request).makeScope().resolve([Int].self), [2])
  }

  func testValidationFindsWhatASingletonBelowCannotHave() throws {
    let request = container.makeScope(named: .request)
    let child = Container(parent: request)
    try child.register([Int].self, scope: .scoped(in: .request)) { _ in [1] }
    try child.wire([[Int]].self, scope: .singleton, using: { (one: [Int]) in [one] })
    let found = findings { try child.validate() }
    XCTAssertEqual(found.map(\.kind), [.captive])
    XCTAssertEqual(
      found.first?.path, [RegistrationKey([[Int]].self), RegistrationKey([Int].self)])
    XCTAssertTrue("\(found)".contains("below the nearest request scope"), "\(found)")
    XCTAssertThrowsError(try child.resolve([[Int]].self))
    XCTAssertThrowsError(try child.makeScope(named: .request).resolve([[Int]].self))
  }

  func testArgumentsHaveInstancesOfTheirOwn() throws {
    let tracker = tracker
    try container.register([Tracked].self, scope: .scoped(in: .request)) { (_, count: Int) in
      (0..<count).map { _ in tracker.make() }
    }
    let request = container.makeScope(named: .request)
    let one = try request.makeScope().resolve([Tracked].self, arguments: 1)
    XCTAssertTrue(try request.makeScope().resolve([Tracked].self, arguments: 1)[0] === one[0])
    XCTAssertEqual(try request.resolve([Tracked].self, arguments: 2).count, 2)
  }

  func testAnyTypeMayBeShared() throws {
    final class Unsafe {}
    try container.register(Unsafe.self, scope: .unchecked(.scoped(in: .request))) { _ in Unsafe() }
    let request = container.makeScope(named: .request)
    XCTAssertTrue(try request.makeScope().resolve(Unsafe.self) === request.resolve(Unsafe.self))
  }

  // MARK: - Threads and tasks

  func testThreadsInScopesOfTheirOwnBuildOnce() throws {
    for _ in 0..<20 {
      let before = tracker.created
      let request = container.makeScope(named: .request)
      let instances = try onThreads(8) { _ in
        try request.syncWithScope { try $0.resolve(Tracked.self) }
      }
      XCTAssertTrue(instances.allSatisfy { $0 === instances[0] })
      XCTAssertEqual(tracker.created, before + 1)
    }
  }

  func testTasksInScopesOfTheirOwnBuildOnce() async throws {
    let tracker = tracker
    try container.registerAsync(Holder.self, scope: .scoped(in: .request)) { resolver in
      await Task.yield()
      return Holder(try resolver.resolve(Tracked.self))
    }
    try await container.withScope(named: .request) { request in
      let holders = try await withThrowingTaskGroup(of: Holder.self) { tasks in
        for _ in 0..<8 {
          tasks.addTask {
            try await request.withScope { try await $0.resolveAsync(Holder.self) }
          }
        }
        return try await tasks.reduce(into: []) { $0.append($1) }
      }
      XCTAssertTrue(holders.allSatisfy { $0 === holders[0] })
      XCTAssertEqual(tracker.created, 1)
    }
  }

  // MARK: - The end

  func testItEndsWithTheNamedScope() throws {
    let log = EventLog()
    let tracker = tracker
    try container.register(Tracked.self, scope: .scoped(in: .request)) { _ in tracker.make() }
      .onDispose { _ in log.add("shared") }
    try container.register(Holder.self, scope: .scoped(in: .request)) {
      Holder(try $0.resolve(Tracked.self))
    }.onDispose { _ in log.add("holder") }
    try container.register([Holder].self, scope: .scoped) { [try $0.resolve(Holder.self)] }
      .onDispose { _ in log.add("inner") }
    let request = container.makeScope(named: .request)
    let inner = request.makeScope()
    _ = try inner.resolve([Holder].self)
    try inner.syncClose()
    XCTAssertEqual(log.entries, ["inner"])
    XCTAssertEqual(tracker.alive, 1)
    _ = try request.resolve(Holder.self)
    try request.syncClose()
    XCTAssertEqual(log.entries, ["inner", "holder", "shared"])
    settleReclamation()
    XCTAssertEqual(tracker.alive, 0)
    XCTAssertThrowsError(try request.resolve(Tracked.self)) {
      XCTAssertTrue($0.is(.containerClosed), "\($0)")
    }
  }

  func testAnInstanceOfADroppedNamedScopeIsReported() throws {
    let log = EventLog()
    try container.register([Int].self, scope: .scoped(in: .request)) { _ in [] }
      .onDispose { _ in log.add("disposed") }
    Container.onUndisposed = { log.add("\($0.instances.map(\.key))") }
    defer { Container.onUndisposed = nil }
    var request: Container? = container.makeScope(named: .request)
    try request?.syncWithScope { _ = try $0.resolve([Int].self) }
    XCTAssertEqual(log.entries, [])
    request = nil
    XCTAssertEqual(log.entries, ["\([RegistrationKey([Int].self)])"])
  }

  func testANameDoesNotStayWithTheMemoryOfAScope() throws {
    for _ in 0..<10 {
      try container.syncWithScope(named: .request) { _ = try $0.resolve(Tracked.self) }
      try container.syncWithScope(named: .request) { _ in }
      try container.syncWithScope { scope in
        XCTAssertThrowsError(try scope.resolve(Tracked.self)) {
          XCTAssertTrue($0.is(.scopeRequired), "\($0)")
        }
      }
    }
    XCTAssertEqual(tracker.created, 10)
  }

  // MARK: - Ways to make them

  func testEachWayToMakeAScopeTakesAName() async throws {
    struct Job: Sendable {}
    try container.registerInput(Job.self)
    let scopes = try container.resolve(ScopeFactory.self)
    @Sendable func check(_ scope: Container) throws {
      XCTAssertTrue(try scope.makeScope().resolve(Tracked.self) === scope.resolve(Tracked.self))
    }
    try check(container.makeScope(named: .request))
    try check(container.makeScope(named: .request, providing: Job()))
    try check(scopes.makeScope(named: .request))
    try check(scopes.makeScope(named: .request, providing: Job()))
    try await container.withScope(named: .request) { try check($0) }
    try await container.withScope(named: .request, timeLimit: .seconds(5)) { try check($0) }
    try await container.withScope(named: .request, providing: Job()) { try check($0) }
    try await scopes.withScope(named: .request, providing: Job()) { try check($0) }
    try await scopes.withScope(named: .request) { try check($0) }
    try onThreads(1) { [container] _ in
      try container.syncWithScope(named: .request) { try check($0) }
      try container.syncWithScope(named: .request, providing: Job()) { try check($0) }
      try scopes.syncWithScope(named: .request) { try check($0) }
    }
  }

  func testAForkStandsForTheScopesAroundItsBase() throws {
    let request = container.makeScope(named: .request)
    let fork = request.makeScope(named: .transaction).fork()
    let instance = try fork.resolve(Tracked.self)
    XCTAssertTrue(try fork.makeScope().resolve(Tracked.self) === instance)
    XCTAssertFalse(try request.resolve(Tracked.self) === instance)
    XCTAssertTrue(try fork.fork().resolve(Tracked.self) !== instance)
    XCTAssertThrowsError(try container.fork().resolve(Tracked.self)) {
      XCTAssertTrue($0.is(.scopeRequired), "\($0)")
    }
    XCTAssertNoThrow(
      try container.fork().syncWithScope(named: .request) { try $0.resolve(Tracked.self) })
  }

  // MARK: - What is around instances

  func testDecoratorsOfTheNamedScopeWrapIt() throws {
    try container.register(Int.self, scope: .scoped(in: .request)) { _ in 1 }
    let request = container.makeScope(named: .request)
    try request.decorate(Int.self) { inner, _ in inner + 10 }
    let inner = request.makeScope()
    try inner.decorate(Int.self) { inner, _ in inner + 100 }
    XCTAssertEqual(try inner.resolve(Int.self), 11)
    XCTAssertEqual(try request.resolve(Int.self), 11)
  }

  func testForwardsAndCollectionsHaveTheSharedInstance() throws {
    try container.forward(AnyObject.self, to: Tracked.self)
    let request = container.makeScope(named: .request)
    let instance = try request.makeScope().resolve(Tracked.self)
    let inner = request.makeScope()
    XCTAssertTrue(try inner.resolve(AnyObject.self) === instance)
    XCTAssertEqual(
      try inner.resolveAll(Tracked.self).map(ObjectIdentifier.init), [ObjectIdentifier(instance)])
  }

  func testParametersOfEachKindHaveTheSharedInstance() throws {
    struct Parameters {
      let one: Tracked
      let maybe: Tracked?
      let lazy: Lazy<Tracked>
      let provider: Provider<Tracked>
    }
    try container.wire(Parameters.self, using: Parameters.init(one:maybe:lazy:provider:))
    let request = container.makeScope(named: .request)
    let instance = try request.resolve(Tracked.self)
    let inner = request.makeScope()
    let found = try inner.resolve(Parameters.self)
    XCTAssertTrue(found.one === instance)
    XCTAssertTrue(found.maybe === instance)
    XCTAssertTrue(try found.lazy.value === instance)
    XCTAssertTrue(try found.provider() === instance)
  }

  func testListingsShowTheName() throws {
    let scopes = container.registrations.map(\.scope)
    XCTAssertEqual(scopes, [.scoped(in: .request)])
    XCTAssertNotEqual(scopes, [.scoped])
    XCTAssertNotEqual(scopes, [.scoped(in: .transaction)])
    XCTAssertEqual("\(scopes)", "[scoped(in: \"request\")]")
    XCTAssertEqual("\(Scope<Tracked>.scoped(in: .request))", "scoped(in: \"request\")")
    XCTAssertTrue(
      "\(container.makeScope(named: .request))".hasPrefix("Request scope \"request\" with 0"))
  }

  func testAModifierMayGiveTheScope() throws {
    try container.register([Int].self) { _ in [] }.as(.scoped(in: .request))
    XCTAssertEqual(
      container.registrations.first { $0.key == RegistrationKey([Int].self) }?.scope,
      .scoped(in: .request))
  }
}
