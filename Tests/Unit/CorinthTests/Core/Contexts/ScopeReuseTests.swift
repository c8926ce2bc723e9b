// SPDX-License-Identifier: MIT

import TestSupport
import XCTest

@testable import Corinth

/// The cores of scopes and children that have ended serve the thread's next ones, but not while
/// something still refers to them.
final class ScopeReuseTests: XCTestCase {
  @PerTest private var container = Container()

  private func coreOfNextScope() throws -> ObjectIdentifier {
    let scope = container.makeScope()
    try scope.syncClose()
    return ObjectIdentifier(scope.registry)
  }

  func testTheNextScopeHasTheCoreOfTheLast() throws {
    try XCTSkipUnless(ThreadSpares.areKept)
    let first = try coreOfNextScope()
    XCTAssertEqual(try coreOfNextScope(), first)
  }

  /// Makes a child with a registration, which goes at the end of the call.
  private func coreOfNextChild(_ use: (Container) throws -> Void = { _ in }) throws
    -> ObjectIdentifier
  {
    let child = Container(parent: container)
    XCTAssertTrue(child.registrations.isEmpty)
    XCTAssertNil(try child.resolveIfRegistered(Int.self))
    try child.register(Int.self, name: "kept", scope: .singleton) { _ in 1 }
    try child.register(Int.self) { _ in 2 }
    XCTAssertEqual(try child.resolve(Int.self), 2)
    XCTAssertEqual(try child.resolve(Int.self, name: "kept"), 1)
    try use(child)
    return ObjectIdentifier(child.registry)
  }

  func testTheNextChildHasTheCoreOfTheLastAndNoneOfItsRegistrations() throws {
    try XCTSkipUnless(ThreadSpares.areKept)
    let first = try coreOfNextChild()
    XCTAssertEqual(try coreOfNextChild(), first)
    let second = try coreOfNextChild { child in
      for name in 0..<100 { try child.register(Int.self, name: Name(name)) { _ in name } }
    }
    XCTAssertEqual(second, first)
    XCTAssertEqual(try coreOfNextChild { try $0.syncClose() }, first)
    XCTAssertEqual(try coreOfNextChild(), first)
  }

  func testTheCoreOfAChildInUseIsNotUsedAgain() throws {
    try container.register(String.self) { _ in "parent" }
    var resolvers: [Resolver] = []
    let first = try coreOfNextChild { resolvers.append($0.resolver) }
    XCTAssertNotEqual(try coreOfNextChild(), first)
    XCTAssertThrowsError(try resolvers[0].resolve(String.self))
  }

  func testTheCoreOfAnEndedChildHoldsItsParents() throws {
    weak var core: ContainerCore?
    var resolver: Resolver?
    do {
      let parent = Container()
      core = parent.registry
      resolver = Container(parent: parent).resolver
    }
    XCTAssertNotNil(core)
    XCTAssertThrowsError(try resolver?.resolve(String.self))
    resolver = nil
    XCTAssertNil(core)
  }

  func testAChildAfterOneThatWasMoreThanItsRegistrationsIsNew() throws {
    let uses: [(Container) throws -> Void] = [
      { try $0.freeze() }, { $0.add(MetricsBehavior()) }, { _ = $0.makeScope() },
      { _ = $0.fork() }, { _ = Container(parent: $0) },
    ]
    for use in uses {
      _ = try coreOfNextChild(use)
      _ = try coreOfNextChild { XCTAssertFalse($0.registry.isFrozen) }
      XCTAssertEqual(container.registry.openScopeCount, 0)
    }
  }

  /// Behaviors of any container in the process once ended all reuse.
  func testBehaviorsElsewhereEndNoReuse() throws {
    try XCTSkipUnless(ThreadSpares.areKept)
    let other = Container()
    other.add(MetricsBehavior())
    let first = try coreOfNextScope()
    XCTAssertEqual(try coreOfNextScope(), first)
  }

  /// A recording compares the containers that it was made in with those that are asked later.
  func testACoreWithAnUncountedReferenceIsNotUsedAgain() throws {
    let reference = try container.syncWithScope { UncountedReference($0.registry) }
    try container.syncWithScope { _ in XCTAssertNil(reference.object) }
  }

  func testARecordedRunThatOutlivesItsScopeDoesNotTakeTheNextForIt() throws {
    let container = container
    let recording = container.recordDependencies()
    defer { recording.stop() }
    let observation = Locked<Observation?>(nil)
    try container.register(Int.self) { _ in
      observation.withLock { $0 = Observation.current }
      return 1
    }
    try container.register(String.self) { _ in "" }
    try container.syncWithScope { _ = try $0.resolve(Int.self) }
    try container.syncWithScope { scope in
      _ = try observation.withLock { $0 }.around { try scope.resolve(String.self) }
    }
    let record = try XCTUnwrap(
      container.registry.registrations { $0.key.product == Int.self }.first)
    let found = container.registry.recorded.dependencies(of: record.serial)
    XCTAssertEqual(found.map(\.timing), [.elsewhere])
  }
}
