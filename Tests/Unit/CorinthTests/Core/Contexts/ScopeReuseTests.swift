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

  // MARK: - Scopes of withScope

  /// Runs work in a scope, and says which object the scope was.
  private func nextScope(
    of container: Container? = nil, _ work: (Container) throws -> Void = { _ in }
  ) throws -> ObjectIdentifier {
    try (container ?? self.container).syncWithScope { scope in
      XCTAssertFalse(scope.isClosed)
      XCTAssertNotNil(scope.parent)
      try work(scope)
      return ObjectIdentifier(scope)
    }
  }

  func testTheNextWithScopeHasTheScopeOfTheLast() async throws {
    try XCTSkipUnless(ThreadSpares.areKept)
    try container.register(Token.self, scope: .scoped) { _ in Token() }
    var instances: [Token] = []
    let first = try nextScope { instances.append(try $0.resolve(Token.self)) }
    XCTAssertEqual(try nextScope { instances.append(try $0.resolve(Token.self)) }, first)
    XCTAssertFalse(instances[0] === instances[1])
    let asynchronous = try await container.withScope { ObjectIdentifier($0) }
    let next = try await container.withScope { ObjectIdentifier($0) }
    XCTAssertEqual(asynchronous, next)
  }

  func testAScopeThatFailedServesTheNextWithScope() throws {
    try XCTSkipUnless(ThreadSpares.areKept)
    let first = try nextScope()
    XCTAssertThrowsError(try nextScope { _ in throw CancellationError() })
    XCTAssertEqual(try nextScope(), first)
  }

  func testAScopeThatItsWorkHasKeptStaysClosed() throws {
    var kept: Container?
    let first = try nextScope { kept = $0 }
    XCTAssertNotEqual(try nextScope(), first)
    XCTAssertEqual(kept?.isClosed, true)
    XCTAssertThrowsError(try kept?.resolve(Int.self))
  }

  func testAScopeToWhichAWeakReferenceLeadsIsGoneAfterItsWork() throws {
    weak var reference: Container?
    _ = try nextScope { reference = $0 }
    XCTAssertNil(reference)
    _ = try nextScope { XCTAssertFalse(reference === $0) }
  }

  func testAScopeWithRegistrationsOrAProviderOrAForkIsNotUsedAgain() throws {
    try container.register(String.self) { _ in "" }
    var others: [Any] = []
    let uses: [(Container) throws -> Void] = [
      { try $0.register(Int.self) { _ in 1 } }, { others.append($0.resolver) },
      { others.append($0.fork()) }, { others.append(try $0.resolve(Provider<String>.self)) },
    ]
    for use in uses {
      _ = try nextScope(use)
      _ = try nextScope { XCTAssertNil(try $0.resolveIfRegistered(Int.self)) }
    }
    XCTAssertEqual(container.registry.openScopeCount, 0)
  }

  func testTheNextScopeOfADifferentContainerHasItsParentAndItsDefaultScope() throws {
    let other = Container(defaultScope: .singleton)
    for container in [container, other, container, other] {
      _ = try nextScope(of: container) {
        XCTAssertTrue($0.parent === container)
        XCTAssertEqual($0.defaultScope, container.defaultScope)
      }
    }
  }

  func testASpareScopeKeepsNoContainer() throws {
    weak var gone: Container?
    try {
      let other = Container()
      _ = try nextScope(of: other)
      _ = try nextScope(of: other)
      gone = other
    }()
    XCTAssertNil(gone)
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

private final class Token: Sendable {}
