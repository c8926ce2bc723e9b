// SPDX-License-Identifier: MIT

import Corinth
import TestSupport
import XCTest

final class ScopedTests: ContainerTestCase {
  private let tracker = LifetimeTracker()

  override func setUpWithError() throws {
    try container.register(Tracked.self, scope: .scoped) { [tracker] _ in tracker.make() }
  }

  private func assertScopeRequired(line: UInt = #line, _ resolve: () throws -> Any?) {
    XCTAssertThrowsError(try resolve(), line: line) { error in
      guard case ResolutionError.scopeRequired = error else {
        return XCTFail("\(error)", line: line)
      }
    }
  }

  // MARK: - One for each scope

  func testOneInstanceForEachScope() throws {
    let (first, second) = (container.makeScope(), container.makeScope())
    let instance = try first.resolve(Tracked.self)
    XCTAssertTrue(try first.resolve(Tracked.self) === instance)
    XCTAssertTrue(try first.resolveIfRegistered(Tracked.self) === instance)
    XCTAssertTrue(try first.provider(for: Tracked.self)() === instance)
    let lent = try first.withResolved(Tracked.self) { $0 === instance }
    XCTAssertTrue(lent)
    XCTAssertFalse(try second.resolve(Tracked.self) === instance)
    XCTAssertEqual(tracker.created, 2)
  }

  func testChildrenOfAScopeShareItsInstances() throws {
    let scope = container.makeScope()
    let instance = try Container(parent: Container(parent: scope)).resolve(Tracked.self)
    XCTAssertTrue(try scope.resolve(Tracked.self) === instance)
  }

  func testAScopeWithinAScopeHasItsOwn() throws {
    let outer = container.makeScope()
    let inner = outer.makeScope()
    let (left, right) = (try outer.resolve(Tracked.self), try inner.resolve(Tracked.self))
    XCTAssertFalse(left === right)
    try inner.syncClose()
    XCTAssertTrue(try outer.resolve(Tracked.self) === left)
    try outer.syncClose()
  }

  func testAllThatAScopeBuildsShareIt() throws {
    try container.register([Tracked].self) {
      [try $0.resolve(Tracked.self), try $0.resolve(Tracked.self)]
    }
    try container.register([[Tracked]].self, scope: .scoped) {
      [try $0.resolve([Tracked].self), [try $0.resolve(Tracked.self)]]
    }
    try container.register([Tracked].self, name: "graph", scope: .graph) {
      [try $0.resolve(Tracked.self)]
    }
    try container.syncWithScope { scope in
      let own = try scope.resolve(Tracked.self)
      XCTAssertTrue(try scope.resolve([[Tracked]].self).joined().allSatisfy { $0 === own })
      XCTAssertTrue(
        try scope.resolve([Tracked].self, name: "graph").allSatisfy { $0 === own })
    }
    XCTAssertEqual(tracker.created, 1)
    XCTAssertEqual(tracker.left, 0)
  }

  func testRegisteredInTheScopeItself() throws {
    let scope = container.makeScope()
    let tracker = tracker
    try scope.register(Tracked.self, name: "own", scope: .scoped) { _ in tracker.make() }
    let instance = try scope.resolve(Tracked.self, name: "own")
    XCTAssertTrue(try scope.resolve(Tracked.self, name: "own") === instance)
    XCTAssertFalse(container.contains(Tracked.self, name: "own"))
  }

  func testASingletonRegisteredInAScopeIsTheScopes() throws {
    let disposed = AtomicCounter()
    let scope = container.makeScope()
    let tracker = tracker
    try scope.register([Tracked].self, scope: .singleton) {
      [try $0.resolve(Tracked.self), tracker.make()]
    }.onDispose { _ in disposed.add() }
    let instances = try scope.resolve([Tracked].self)
    XCTAssertTrue(try scope.makeScope().resolve([Tracked].self)[1] === instances[1])
    XCTAssertTrue(try scope.resolve(Tracked.self) === instances[0], "it may capture its scope's")
    try scope.syncClose()
    XCTAssertEqual(disposed.value, 1)
  }

  func testAFactoryThatFailsLeavesNothing() throws {
    let attempts = AtomicCounter()
    try container.register(Int.self, scope: .scoped) { _ in
      if attempts.add() == 1 { throw FixtureError("first") }
      return attempts.value
    }
    let scope = container.makeScope()
    XCTAssertThrowsError(try scope.resolve(Int.self))
    XCTAssertEqual(try scope.resolve(Int.self), 2)
    XCTAssertEqual(try scope.resolve(Int.self), 2)
  }

  func testAnOverrideBeginsAnew() throws {
    let scope = container.makeScope()
    let before = try scope.resolve(Tracked.self)
    try setUpWithError()
    XCTAssertFalse(try scope.resolve(Tracked.self) === before)
    container.unregister(Tracked.self)
    XCTAssertThrowsError(try scope.resolve(Tracked.self))
  }

  // MARK: - Outside of scopes

  func testAskedOutsideOfAScope() throws {
    assertScopeRequired { try container.resolve(Tracked.self) }
    assertScopeRequired { try container.resolveIfRegistered(Tracked.self) }
    assertScopeRequired { try container.withResolved(Tracked.self) { $0 } }
    assertScopeRequired { try Container(parent: container).resolve(Tracked.self) }
    let provider = try container.provider(for: Tracked.self)
    assertScopeRequired { try provider() }
    try container.register([Tracked].self) { [try $0.resolve(Tracked.self)] }
    assertScopeRequired { try container.resolve([Tracked].self) }
    XCTAssertEqual(tracker.created, 0)
  }

  // MARK: - Captive dependencies

  private func assertCaptive(
    path: [any Any.Type], captor: any Any.Type, line: UInt = #line, _ resolve: () throws -> Any?
  ) {
    XCTAssertThrowsError(try resolve(), line: line) { error in
      guard case ResolutionError.captiveDependency(let context) = error else {
        return XCTFail("\(error)", line: line)
      }
      XCTAssertEqual(
        context.path.map { ObjectIdentifier($0.product) }, path.map { ObjectIdentifier($0) },
        line: line)
      XCTAssertEqual(
        context.captor.map { ObjectIdentifier($0.product) }, ObjectIdentifier(captor),
        line: line)
    }
    XCTAssertEqual(tracker.created, 0, line: line)
  }

  private let captors: [(Registration<[Tracked]>) throws -> Void] = [
    { $0.as(.singleton) }, { $0.as(.cached(for: .seconds(3600))) }, { $0.as(KeptProduct()) },
  ]

  func testWhatOutlivesTheScopeIsRefused() throws {
    for keep in captors {
      try keep(container.register([Tracked].self) { [try $0.resolve(Tracked.self)] })
      let scope = container.makeScope()
      assertCaptive(path: [[Tracked].self, Tracked.self], captor: [Tracked].self) {
        try scope.resolve([Tracked].self)
      }
    }
  }

  func testAWeakInstanceThatOutlivesTheScopeIsRefused() throws {
    try container.register(Holder.self, scope: .weak) { Holder(try $0.resolve(Tracked.self)) }
    assertCaptive(path: [Holder.self, Tracked.self], captor: Holder.self) {
      try container.makeScope().resolve(Holder.self)
    }
  }

  func testAScopedInstanceIsRefusedThroughOthers() throws {
    try container.register(Holder.self) { Holder(try $0.resolve(Tracked.self)) }
    try container.register([Holder].self, scope: .graph) { [try $0.resolve(Holder.self)] }
    for keep in captors {
      try keep(
        container.register([Tracked].self) { try $0.resolve([Holder].self).map(\.dependency) })
      assertCaptive(
        path: [[Tracked].self, [Holder].self, Holder.self, Tracked.self],
        captor: [Tracked].self
      ) { try container.makeScope().resolve([Tracked].self) }
    }
  }

  func testAScopedInstanceIsRefusedFromAnotherThread() throws {
    for keep in captors {
      try keep(
        container.register([Tracked].self) { resolver in
          try onThreads(1) { _ in try resolver.resolve(Tracked.self) }
        })
      assertCaptive(path: [[Tracked].self, Tracked.self], captor: [Tracked].self) {
        try container.makeScope().resolve([Tracked].self)
      }
    }
  }

  /// The scope's own instance comes between: what asks for it, far out, is not what the check may
  /// stop at.
  func testACaptiveIsRefusedWithinAScopedInstance() throws {
    try container.register([Tracked].self, scope: .singleton) { [try $0.resolve(Tracked.self)] }
    try container.register(Holder.self, scope: .scoped) {
      Holder(try $0.resolve([Tracked].self)[0])
    }
    assertCaptive(path: [Holder.self, [Tracked].self, Tracked.self], captor: [Tracked].self) {
      try container.makeScope().resolve(Holder.self)
    }
  }

  /// The holder has the scope's dependencies, and is not an instance that the scope keeps.
  private func assertCaptive(withinHolderOf scope: Container, line: UInt = #line) throws {
    try container.register([Tracked].self, scope: .singleton) { _ in
      [try scope.resolve(Holder.self).dependency]
    }
    assertCaptive(
      path: [[Tracked].self, Holder.self, Tracked.self], captor: [Tracked].self, line: line
    ) {
      try container.resolve([Tracked].self)
    }
    XCTAssertEqual(try scope.resolve(Holder.self).dependency.serial, 1, line: line)
    container.removeAll()
  }

  func testACaptiveIsRefusedWithinAGraphInstanceThatTheScopeBuilds() throws {
    let scope = container.makeScope()
    try container.register(Holder.self, scope: .graph) { Holder(try $0.resolve(Tracked.self)) }
    try assertCaptive(withinHolderOf: scope)
  }

  func testACaptiveIsRefusedWithinASingletonOfTheScope() throws {
    let scope = container.makeScope()
    try scope.register(Holder.self, scope: .singleton) { Holder(try $0.resolve(Tracked.self)) }
    try assertCaptive(withinHolderOf: scope)
  }

  func testASingletonOfAnOuterScopeMustNotKeepAnInnerOnes() throws {
    let outer = container.makeScope()
    let inner = outer.makeScope()
    try outer.register([Tracked].self, scope: .singleton) { _ in
      [try inner.resolve(Tracked.self)]
    }
    assertCaptive(path: [[Tracked].self, Tracked.self], captor: [Tracked].self) {
      try inner.resolve([Tracked].self)
    }
    outer.removeAll()
  }

  func testWhatDoesNotOutliveTheScopeMayHaveIt() throws {
    let scope = container.makeScope()
    for (index, keep) in captors.enumerated() {
      try keep(scope.register([Tracked].self) { [try $0.resolve(Tracked.self)] })
      XCTAssertEqual(try scope.resolve([Tracked].self).map(\.serial), [1], "\(index)")
    }
  }

  func testASingletonIsBuiltAfterARefusal() throws {
    let isGood = AtomicCounter()
    try container.register([Tracked].self, scope: .singleton) { [tracker] in
      isGood.value == 0 ? [try $0.resolve(Tracked.self)] : [tracker.make()]
    }
    assertCaptive(path: [[Tracked].self, Tracked.self], captor: [Tracked].self) {
      try container.makeScope().resolve([Tracked].self)
    }
    isGood.add()
    XCTAssertEqual(try container.makeScope().resolve([Tracked].self).count, 1)
  }

  private final class Holder: Sendable {
    let dependency: Tracked
    init(_ dependency: Tracked) { self.dependency = dependency }
  }
}
