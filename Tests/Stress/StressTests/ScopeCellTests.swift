// SPDX-License-Identifier: MIT

import TestSupport
import XCTest

@testable import Corinth

/// The cells of request scopes, and each event for which the ordinary steps are taken: note 24.
final class ScopeCellTests: StressTestCase {
  private let tracker = LifetimeTracker()
  private let container = Container()
  private let log = EventLog()

  private final class Other: Sendable {
    let first: Tracked
    init(_ first: Tracked) { self.first = first }
  }

  /// The words of a scope's cells that have owners.
  private func words(of scope: Container) -> [PlaceWord] {
    guard let cells = scope.registry.table.cells else { return [] }
    return cells.owned.map { $0.load() }
  }

  private func waitUntil(_ scope: Container, _ isReached: (PlaceWord) -> Bool) {
    while !words(of: scope).contains(where: isReached) { sched_yield() }
  }

  // MARK: - On

  func testScopedInstancesAreBuiltInCells() throws {
    try container.register(Tracked.self, scope: .scoped) { [tracker] _ in tracker.make() }
    try container.register(Other.self, scope: .scoped) { Other(try $0.resolve(Tracked.self)) }
    try container.register([Int].self, scope: .scoped) { _ in [1, 2] }
    let scope = container.makeScope()
    let other = try scope.resolve(Other.self)
    XCTAssertTrue(try scope.resolve(Tracked.self) === other.first)
    XCTAssertEqual(try scope.resolve([Int].self), [1, 2])
    XCTAssertTrue(words(of: scope).allSatisfy(\.isBuilt))
    XCTAssertEqual(words(of: scope).count, 3)
    try scope.syncClose()
    XCTAssertTrue(words(of: scope).isEmpty)
  }

  func testAllFormsOfResolvingFindTheInstanceInItsCell() async throws {
    try container.register(Tracked.self, scope: .scoped) { [tracker] _ in tracker.make() }
    let scope = container.makeScope()
    let instance = try scope.resolve(Tracked.self)
    XCTAssertTrue(try scope.resolveIfRegistered(Tracked.self) === instance)
    XCTAssertTrue(try scope.provider(for: Tracked.self)() === instance)
    XCTAssertTrue(try scope.withResolved(Tracked.self) { $0 === instance })
    let built = words(of: scope)
    XCTAssertTrue(built.allSatisfy(\.isBuilt))
    let awaited = try await scope.resolveAsync(Tracked.self)
    XCTAssertTrue(awaited === instance)
    XCTAssertTrue(try Container(parent: scope).resolve(Tracked.self) === instance)
    XCTAssertTrue(try scope.resolveAll(Tracked.self)[0] === instance)
    XCTAssertTrue(words(of: scope).allSatisfy { $0.isBuilt && !$0.holdsInstance })
    XCTAssertTrue(try scope.resolve(Tracked.self) === instance)
    XCTAssertEqual(tracker.created, 1)
    try await scope.close()
  }

  func testAnInstanceOfAnAsynchronousResolveIsBuiltInACell() async throws {
    try container.register(Tracked.self, scope: .scoped) { [tracker] _ in tracker.make() }
    let scope = container.makeScope()
    let instance = try await scope.resolveAsync(Tracked.self)
    XCTAssertTrue(words(of: scope).allSatisfy(\.isBuilt))
    XCTAssertTrue(try scope.resolve(Tracked.self) === instance)
    try await scope.close()
  }

  private func assertIsWhole(scopeOf count: Int, line: UInt = #line) throws {
    let tracker = tracker
    for number in 0..<count {
      try container.register(Tracked.self, name: Name(number), scope: .scoped) { _ in
        tracker.make()
      }.onDispose { [log] in log.add("\($0.serial)") }
    }
    for round in 0..<2 {
      let scope = container.makeScope()
      let instances = try (0..<count).map { try scope.resolve(Tracked.self, name: Name($0)) }
      for number in (0..<count).reversed() {
        XCTAssertTrue(
          try scope.resolve(Tracked.self, name: Name(number)) === instances[number], line: line)
      }
      XCTAssertEqual(words(of: scope).filter(\.isBuilt).count, count, line: line)
      XCTAssertEqual(tracker.created, (round + 1) * count, line: line)
      try scope.syncClose()
      XCTAssertTrue(words(of: scope).isEmpty, line: line)
    }
    let serials = Array(1...count).reversed() + Array(count + 1...2 * count).reversed()
    XCTAssertEqual(log.entries, serials.map { "\($0)" }, line: line)
    XCTAssertEqual(tracker.left, 0, line: line)
  }

  func testAScopeThatFillsABlockOfCellsIsClosed() throws {
    try assertIsWhole(scopeOf: 16)
  }

  func testAScopeOfManyRegistrationsHasCellsForAll() throws {
    try assertIsWhole(scopeOf: 50)
  }

  func testAScopeOfVeryManyRegistrationsHasTablesOfCells() throws {
    try assertIsWhole(scopeOf: 700)
  }

  func testInstancesInFurtherBlocksGoWithAScopeThatIsDropped() throws {
    let tracker = tracker
    for number in 0..<40 {
      try container.register(Tracked.self, name: Name(number), scope: .scoped) { _ in
        tracker.make()
      }
    }
    do {
      let scope = container.makeScope()
      for number in 0..<40 { _ = try scope.resolve(Tracked.self, name: Name(number)) }
    }
    XCTAssertEqual(tracker.created, 40)
    XCTAssertEqual(tracker.left, 0)
  }

  // MARK: - Others join

  func testAThreadThatFindsTheInstanceUnderWayWaitsForIt() throws {
    let (begun, mayEnd) = (Gate(), Gate())
    try container.register(Tracked.self, scope: .scoped) { [tracker] _ in
      begun.open()
      mayEnd.wait()
      return tracker.make()
    }
    let scope = container.makeScope()
    let builder = JoinableThread { try scope.resolve(Tracked.self).serial }
    begun.wait()
    XCTAssertTrue(words(of: scope).allSatisfy(\.isBuilding))
    let waiter = JoinableThread { try scope.resolve(Tracked.self).serial }
    waitUntil(scope, \.isContended)
    mayEnd.open()
    XCTAssertEqual(try builder.join().get(), 1)
    XCTAssertEqual(try waiter.join().get(), 1)
    XCTAssertEqual(tracker.created, 1)
    XCTAssertTrue(words(of: scope).allSatisfy(\.isBuilt))
    try scope.syncClose()
    XCTAssertEqual(tracker.left, 0)
  }

  func testAThreadThatHasJoinedBuildsAfterAFailure() throws {
    let (begun, mayEnd, attempts) = (Gate(), Gate(), AtomicCounter())
    try container.register(Tracked.self, scope: .scoped) { [tracker] _ in
      if attempts.add() == 1 {
        begun.open()
        mayEnd.wait()
        throw Refused()
      }
      return tracker.make()
    }
    let scope = container.makeScope()
    let builder = JoinableThread { try scope.resolve(Tracked.self).serial }
    begun.wait()
    let waiter = JoinableThread { try scope.resolve(Tracked.self).serial }
    waitUntil(scope, \.isContended)
    mayEnd.open()
    XCTAssertThrowsError(try builder.join().get())
    XCTAssertEqual(try waiter.join().get(), 1)
    try scope.syncClose()
    XCTAssertEqual(tracker.left, 0)
  }

  func testAFailureLeavesTheCellEmpty() throws {
    let attempts = AtomicCounter()
    try container.register(Tracked.self, scope: .scoped) { [tracker] _ in
      if attempts.add() < 3 { throw Refused() }
      return tracker.make()
    }
    let scope = container.makeScope()
    for _ in 0..<2 {
      XCTAssertThrowsError(try scope.resolve(Tracked.self))
      XCTAssertTrue(words(of: scope).allSatisfy(\.isEmpty))
    }
    XCTAssertTrue(try scope.resolve(Tracked.self) === scope.resolve(Tracked.self))
    try scope.syncClose()
    XCTAssertEqual(tracker.left, 0)
  }

  func testACycleIsFound() throws {
    try container.register(Tracked.self, scope: .scoped) { try $0.resolve(Other.self).first }
    try container.register(Other.self, scope: .scoped) { Other(try $0.resolve(Tracked.self)) }
    let scope = container.makeScope()
    for _ in 0..<2 {
      XCTAssertThrowsError(try scope.resolve(Tracked.self)) { error in
        guard case ResolutionError.circularDependencyDetected = error else {
          return XCTFail("\(error)")
        }
      }
    }
    try container.register(Tracked.self, scope: .scoped) { [tracker] _ in tracker.make() }
    XCTAssertTrue(try scope.resolve(Other.self).first === scope.resolve(Tracked.self))
    try scope.syncClose()
  }

  private final class Parent: @unchecked Sendable {
    var child: Child?
  }
  private final class Child: @unchecked Sendable {
    let parent: Parent
    init(_ parent: Parent) { self.parent = parent }
  }

  func testAnInstanceThatHasGotAnotherOneEarlyIsPublishedWithIt() throws {
    try container.register(Parent.self, scope: .scoped) { _ in Parent() }
      .afterInit { $1.child = try $0.resolve(Child.self) }
    try container.register(Child.self, scope: .scoped) { Child(try $0.resolve(Parent.self)) }
    for isChildFirst in [false, true] {
      let scope = container.makeScope()
      if isChildFirst { _ = try scope.resolve(Child.self) }
      let parent = try scope.resolve(Parent.self)
      XCTAssertTrue(try scope.resolve(Child.self) === parent.child)
      XCTAssertTrue(parent.child?.parent === parent)
      parent.child = nil
      try scope.syncClose()
    }
  }

  // MARK: - Closing

  func testAScopeClosesWhileAnInstanceIsBuiltInACell() throws {
    let (begun, mayEnd) = (Gate(), Gate())
    try container.register(Tracked.self, scope: .scoped) { [tracker] _ in
      begun.open()
      mayEnd.wait()
      return tracker.make()
    }
    let scope = container.makeScope()
    let builder = JoinableThread { try scope.resolve(Tracked.self).serial }
    begun.wait()
    try scope.syncClose()
    XCTAssertThrowsError(try scope.resolve(Tracked.self))
    mayEnd.open()
    XCTAssertEqual(try builder.join().get(), 1, "the resolve gets its instance")
    XCTAssertEqual(tracker.left, 0, "nobody keeps it")
  }

  func testACloserWaitsForAnInstanceThatItIsToDisposeOf() throws {
    let (begun, mayEnd) = (Gate(), Gate())
    try container.register(Tracked.self, scope: .scoped) { [tracker] _ in
      begun.open()
      mayEnd.wait()
      return tracker.make()
    }.onDispose { [log] _ in log.add("disposed") }
    let scope = container.makeScope()
    let builder = JoinableThread { try scope.resolve(Tracked.self).serial }
    begun.wait()
    let closer = JoinableThread { try scope.syncClose() }
    waitUntil(scope, \.isContended)
    XCTAssertEqual(log.entries, [])
    mayEnd.open()
    XCTAssertEqual(try builder.join().get(), 1)
    try closer.join().get()
    XCTAssertEqual(log.entries, ["disposed"])
    XCTAssertEqual(tracker.left, 0)
  }

  func testAFactoryClosesItsOwnScope() throws {
    try container.register(Tracked.self, scope: .scoped) { [tracker] resolver in
      try resolver.container.syncClose()
      return tracker.make()
    }
    let scope = container.makeScope()
    XCTAssertEqual(try scope.resolve(Tracked.self).serial, 1)
    XCTAssertThrowsError(try scope.resolve(Tracked.self))
    XCTAssertEqual(tracker.left, 0)
  }

  /// A factory overrides its own registration, and the end of its construction destroys what else
  /// it has overridden. A deinit of that closes the scope, which has the last reference to the
  /// registration. Its mark was read after that: a model of note 24 has found it, and
  /// AddressSanitizer sees it here.
  func testADeinitAtTheEndOfAConstructionClosesItsScope() throws {
    final class Closer: Sendable {
      let scope: Container
      init(_ scope: Container) { self.scope = scope }
      deinit { XCTAssertNoThrow(try scope.syncClose()) }
    }
    let (container, tracker) = (container, tracker)
    let scope = container.makeScope()
    do {
      let closer = Closer(scope)
      try container.register(Int.self, scope: .singleton) { _ in
        withExtendedLifetime(closer) { 1 }
      }
    }
    // With an instance, it is not left to wait for others.
    XCTAssertEqual(try container.resolve(Int.self), 1)
    try container.register(Tracked.self, scope: .scoped) { _ in
      try container.register(Tracked.self, scope: .scoped) { _ in tracker.make() }
      try container.register(Int.self) { _ in 2 }
      return tracker.make()
    }
    _ = try scope.resolve(Tracked.self)
    XCTAssertTrue(scope.isClosed)
    XCTAssertEqual(tracker.created, 1)
    assertNoneLeft(tracker)
  }

  func testInstancesAreDisposedOfInTheReverseOrderOfTheirCompletion() throws {
    let log = log
    try container.register(Tracked.self, scope: .scoped) { [tracker] _ in tracker.make() }
      .onDispose { _ in log.add("tracked") }
    try container.register(Other.self, scope: .scoped) { Other(try $0.resolve(Tracked.self)) }
      .onDispose { _ in log.add("other") }
    try container.register(Int.self, scope: .scoped) { _ in 1 }.onDispose { _ in log.add("int") }
    let scope = container.makeScope()
    _ = try (scope.resolve(Other.self), scope.resolve(Int.self))
    try scope.syncClose()
    XCTAssertEqual(log.entries, ["int", "other", "tracked"])
  }

  func testAnAsynchronousDisposerRequiresAnAsynchronousClose() async throws {
    let log = log
    try container.register(Int.self, scope: .scoped) { _ in 1 }
      .onDispose { (_: Int) async in log.add("int") }
    let scope = container.makeScope()
    _ = try scope.resolve(Int.self)
    XCTAssertThrowsError(try scope.syncClose()) { error in
      guard case CloseError.asyncCloseRequired(let keys) = error else { return XCTFail("\(error)") }
      XCTAssertEqual(keys.map(\.description), ["Int"])
    }
    XCTAssertEqual(try scope.resolve(Int.self), 1, "it is still open")
    try await scope.close()
    XCTAssertEqual(log.entries, ["int"])
  }

  func testADisposerThatComesAfterTheInstanceRuns() throws {
    let log = log
    let registration = try container.register(Tracked.self, scope: .scoped) { [tracker] _ in
      tracker.make()
    }
    let scope = container.makeScope()
    _ = try scope.resolve(Tracked.self)
    registration.onDispose { _ in log.add("disposed") }
    try scope.syncClose()
    XCTAssertEqual(log.entries, ["disposed"])
  }

  func testTheRegistrationOfAnInstanceLivesAsLongAsTheScope() throws {
    let captured = LifetimeTracker()
    do {
      let held = captured.make()
      try container.register(Tracked.self, scope: .scoped) { [tracker] _ in
        withExtendedLifetime(held) { tracker.make() }
      }
    }
    let scope = container.makeScope()
    let first = try scope.resolve(Tracked.self)
    try container.register(Tracked.self, scope: .scoped) { [tracker] _ in tracker.make() }
    XCTAssertFalse(try scope.resolve(Tracked.self) === first, "that of the new registration")
    try scope.syncClose()
    settleReclamation()
    XCTAssertEqual(captured.alive, 0)
  }

  func testADroppedScopeReportsWhatItHasBuilt() throws {
    Container.onUndisposed = { [log] in log.add("\($0.instances.map(\.key))") }
    defer { Container.onUndisposed = nil }
    try container.register(Tracked.self, scope: .scoped) { [tracker] _ in tracker.make() }
      .onDispose { _ in }
    do {
      let scope = container.makeScope()
      _ = try scope.resolve(Tracked.self)
    }
    XCTAssertEqual(log.entries, ["[Tracked]"])
    XCTAssertEqual(tracker.left, 0)
  }

  func testAnInstanceThatIsCompleteAfterItsScopeWasDroppedIsReported() throws {
    Container.onUndisposed = { [log] in log.add("\($0.instances.map(\.key))") }
    defer { Container.onUndisposed = nil }
    let (begun, mayEnd) = (Gate(), Gate())
    try container.register(Tracked.self, scope: .scoped) { [tracker] _ in
      begun.open()
      mayEnd.wait()
      return tracker.make()
    }.onDispose { _ in }
    var scope: Container? = container.makeScope()
    // It does not keep the container alive.
    let resolver = try XCTUnwrap(scope?.resolver)
    let builder = JoinableThread { try resolver.resolve(Tracked.self).serial }
    begun.wait()
    scope = nil
    XCTAssertEqual(log.entries, [])
    mayEnd.open()
    XCTAssertEqual(try builder.join().get(), 1)
    XCTAssertEqual(log.entries, ["[Tracked]"])
  }

  // MARK: - Around it

  func testAScopeWithinAScopeHasCellsOfItsOwn() throws {
    try container.register(Tracked.self, scope: .scoped) { [tracker] _ in tracker.make() }
    let outer = container.makeScope()
    let inner = outer.makeScope()
    let (left, right) = (try outer.resolve(Tracked.self), try inner.resolve(Tracked.self))
    XCTAssertFalse(left === right)
    try inner.syncClose()
    XCTAssertTrue(try outer.resolve(Tracked.self) === left)
    try outer.syncClose()
  }

  func testAChildOfAScopeHasItBuiltWithTheDependenciesOfTheScope() throws {
    try container.register(Int.self) { _ in 1 }
    try container.register([Int].self, scope: .scoped) { [try $0.resolve(Int.self)] }
    let scope = container.makeScope()
    let child = Container(parent: scope)
    try child.register(Int.self) { _ in 2 }
    XCTAssertEqual(try child.resolve([Int].self), [1])
    XCTAssertEqual(try scope.resolve([Int].self), [1])
    try scope.syncClose()
  }

  func testASingletonDoesNotCaptureAnInstanceInACell() throws {
    try container.register(Tracked.self, scope: .scoped) { [tracker] _ in tracker.make() }
    let scope = container.makeScope()
    _ = try scope.resolve(Tracked.self)
    try container.register(Other.self, scope: .singleton) { _ in
      Other(try scope.resolve(Tracked.self))
    }
    XCTAssertThrowsError(try container.resolve(Other.self)) { error in
      guard case ResolutionError.captiveDependency = error else { return XCTFail("\(error)") }
    }
    try scope.syncClose()
  }

  func testAResolverThatIsKeptBeginsAResolutionOfItsOwn() throws {
    final class Kept: @unchecked Sendable { var resolver: Resolver? }
    let kept = Kept()
    try container.register(Tracked.self, scope: .scoped) { [tracker] resolver in
      kept.resolver = resolver
      return tracker.make()
    }
    try container.register(Other.self, scope: .scoped) { Other(try $0.resolve(Tracked.self)) }
    for _ in 0..<3 {
      let scope = container.makeScope()
      let other = try scope.resolve(Other.self)
      XCTAssertTrue(try kept.resolver?.resolve(Tracked.self) === other.first)
      try scope.syncClose()
      XCTAssertThrowsError(try kept.resolver?.resolve(Tracked.self))
    }
    kept.resolver = nil
    XCTAssertEqual(tracker.left, 0)
  }

  func testADecoratorIsPutAroundWhatTheScopeBuilds() throws {
    try container.register(Int.self, scope: .scoped) { _ in 1 }
    let before = container.makeScope()
    XCTAssertEqual(try before.resolve(Int.self), 1)
    try container.decorate(Int.self) { number, _ in number + 1 }
    XCTAssertEqual(try before.resolve(Int.self), 1, "it was built before")
    let after = container.makeScope()
    XCTAssertEqual(try after.resolve(Int.self), 2)
    XCTAssertEqual(try after.resolve(Int.self), 2)
    try before.syncClose()
    try after.syncClose()
  }
}
