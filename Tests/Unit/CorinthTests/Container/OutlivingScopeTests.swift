// SPDX-License-Identifier: MIT

import TestSupport
import XCTest

@testable import Corinth

/// Scopes that nothing but they keep their container alive for.
final class OutlivingScopeTests: XCTestCase {
  private let tracker = LifetimeTracker()

  /// A container that the caller has the only reference to.
  private func makeContainer(parent: Container? = nil) throws -> Container {
    let container = Container(parent: parent)
    try container.register(Tracked.self, scope: .singleton) { [tracker] _ in tracker.make() }
    try container.register(Container.self) { try $0.container }
    try container.register([Tracked].self, scope: .scoped) { [try $0.resolve(Tracked.self)] }
    return container
  }

  private func assertNoneLeft(line: UInt = #line) {
    settleReclamation()
    XCTAssertEqual(tracker.alive, 0, line: line)
  }

  func testTheyResolveAsBefore() throws {
    var container: Container? = try makeContainer()
    let scopes = [0, 1].map { _ in container!.makeScope() }
    let shared = try scopes[0].resolve(Tracked.self)
    container = nil
    for scope in scopes {
      XCTAssertIdentical(try scope.resolve([Tracked].self)[0], shared)
      XCTAssertIdentical(try scope.resolve(Container.self), scope)
      XCTAssertIdentical(try scope.makeScope().resolve(Tracked.self), shared)
      XCTAssertThrowsError(try scope.resolve(Int.self)) {
        XCTAssertTrue($0.is(.noRegistrationFound), "\($0)")
      }
    }
    XCTAssertEqual(tracker.created, 1)
  }

  func testTheContainerGoesWithTheLastOfThem() throws {
    var container: Container? = try makeContainer()
    var scopes: [Container] = (0..<3).map { _ in container!.makeScope() }
    _ = try scopes[0].resolve(Tracked.self)
    try scopes[1].syncClose()
    container = nil
    for _ in 0..<3 {
      settleReclamation()
      XCTAssertEqual(tracker.alive, 1)
      scopes.removeFirst()
    }
    assertNoneLeft()
  }

  func testTheContainerGoesWithItsLastReferenceAfterThem() throws {
    var container: Container? = try makeContainer()
    _ = try container!.makeScope().resolve(Tracked.self)
    try container!.syncWithScope { _ = try $0.resolve([Tracked].self) }
    settleReclamation()
    XCTAssertEqual(tracker.alive, 1)
    container = nil
    assertNoneLeft()
  }

  func testTheyHaveOneParent() throws {
    var container: Container? = try makeContainer()
    var scopes: [Container] = (0..<2).map { _ in container!.makeScope() }
    XCTAssertIdentical(scopes[0].parent, container)
    container = nil
    var parent = scopes[0].parent
    XCTAssertNotNil(parent)
    XCTAssertIdentical(scopes[1].parent, parent)
    try parent?.register(Int.self) { _ in 1 }
    XCTAssertEqual(try scopes[1].resolve(Int.self), 1)
    _ = try parent?.resolve(Tracked.self)
    scopes = [try XCTUnwrap(parent).makeScope()]
    XCTAssertIdentical(scopes[0].parent, parent)
    parent = nil
    settleReclamation()
    XCTAssertEqual(tracker.alive, 1)
    XCTAssertNotNil(scopes[0].parent)
    scopes = []
    assertNoneLeft()
  }

  func testTheyKeepTheWholeFamilyOfTheirContainer() throws {
    var root: Container? = try makeContainer()
    var child: Container? = Container(parent: root, defaultScope: .singleton)
    var fork: Container? = child?.fork()
    var scopes: [Container] = [child!.makeScope(), fork!.makeScope()]
    _ = try scopes[0].resolve(Tracked.self)
    (root, child, fork) = (nil, nil, nil)
    XCTAssertNotNil(scopes[0].parent?.parent)
    XCTAssertEqual(scopes[0].parent?.defaultScope, .singleton)
    XCTAssertNotNil(scopes[1].parent?.base)
    XCTAssertIdentical(scopes[1].parent?.base, scopes[0].parent)
    _ = try scopes[1].resolve(Tracked.self)
    XCTAssertEqual(tracker.alive, 2)
    scopes = [scopes[1]]
    XCTAssertNotNil(scopes[0].parent?.base?.parent)
    scopes = []
    assertNoneLeft()
  }

  func testTheirParentMayBeShutDown() async throws {
    var container: Container? = try makeContainer()
    let scope = container!.makeScope()
    container = nil
    let shutdown = Task { [parent = scope.parent] in
      try await parent?.shutdown(draining: .seconds(3600))
    }
    while scope.parent.map({ !$0.registry.openScopes.isDraining }) ?? false { await Task.yield() }
    let refused = try XCTUnwrap(scope.parent).makeScope()
    XCTAssertThrowsError(try refused.resolve(Tracked.self))
    _ = try scope.resolve(Tracked.self)
    try await scope.close()
    try await shutdown.value
    XCTAssertThrowsError(try XCTUnwrap(scope.parent).resolve(Tracked.self))
    assertNoneLeft()
  }

  func testARefusedScopeKeepsItsContainer() async throws {
    var container: Container? = try makeContainer()
    let open = container!.makeScope()
    container?.registry.openScopes.drain(isScope: false)
    var refused: Container? = container!.makeScope()
    _ = try open.resolve(Tracked.self)
    container = nil
    XCTAssertThrowsError(try refused?.resolve(Tracked.self)) {
      XCTAssertTrue($0.is(.scopeRefused), "\($0)")
    }
    try await open.close()
    XCTAssertNotNil(refused?.parent)
    refused = nil
    XCTAssertEqual(tracker.alive, 1)
    withExtendedLifetime(open) {}
  }

  func testDeinitsOfInstancesFindTheContainerGoneInEitherOrder() throws {
    for isScopeLast in [false, true] {
      let log = EventLog()
      var container: Container? = try makeContainer()
      try container?.register(Int.self) { _ in 1 }
      try container?.register(Parting.self, scope: .singleton) { [tracker] resolver in
        Parting(tracker) {
          do {
            _ = try resolver.resolve(Int.self)
            log.add("resolved")
          } catch {
            log.add(error.is(.containerGone) ? "gone" : "\(error)")
          }
        }
      }
      var scope = container?.makeScope()
      _ = try scope?.resolve(Parting.self)
      if isScopeLast { container = nil } else { scope = nil }
      XCTAssertEqual(log.entries, [])
      (container, scope) = (nil, nil)
      settleReclamation()
      XCTAssertEqual(log.entries, ["gone"])
    }
    assertNoneLeft()
  }

  func testInstancesAreReportedAsDroppedWhenTheLastOfThemGoes() throws {
    let reports = AtomicCounter()
    Container.onUndisposed = { _ in reports.add() }
    defer { Container.onUndisposed = nil }
    var container: Container? = Container()
    try container?.register(Int.self, scope: .singleton) { _ in 1 }.onDispose { _ in }
    var scope = container?.makeScope()
    _ = try scope?.resolve(Int.self)
    try scope?.syncClose()
    container = nil
    XCTAssertEqual(reports.value, 0)
    scope = nil
    XCTAssertEqual(reports.value, 1)
  }

  func testResolversKnowTheContainerForAsLongAsOneIsThere() throws {
    var container: Container? = try makeContainer()
    var resolver: Resolver?
    let kept = Locked<Resolver?>(nil)
    try container?.register(Int.self, scope: .singleton) { found in
      kept.withLock { $0 = found }
      return 1
    }
    var scope = container?.makeScope()
    _ = try scope?.resolve(Int.self)
    resolver = kept.withLock { $0.take() }
    container = nil
    XCTAssertIdentical(try resolver?.container, scope?.parent)
    scope = nil
    XCTAssertThrowsError(try resolver?.container) {
      XCTAssertTrue($0.is(.containerGone), "\($0)")
    }
  }

  func testAContainerWithWeakOrUnownedReferencesStaysItself() throws {
    var container: Container? = try makeContainer()
    weak let observed = container
    var scope = container?.makeScope()
    container = nil
    XCTAssertNotNil(observed)
    XCTAssertIdentical(scope?.parent, observed)
    scope = nil
    XCTAssertNil(observed)

    container = try makeContainer()
    do {
      let own = try XCTUnwrap(container)
      try own.register(Int.self) { [unowned own] _ in own.contains(Tracked.self) ? 1 : 0 }
    }
    scope = container?.makeScope()
    container = nil
    XCTAssertEqual(try scope?.resolve(Int.self), 1)
  }

  private final class Holder {
    @Injected var tracked: Tracked
  }

  func testPropertiesOfSingletonsResolveInTheContainer() throws {
    var container: Container? = try makeContainer()
    try container?.register(Holder.self, scope: .unchecked(.singleton)) { _ in Holder() }
    let scope = container!.makeScope()
    let holder = try scope.withCurrent { try scope.resolve(Holder.self) }
    container = nil
    XCTAssertIdentical(holder.tracked, try scope.resolve(Tracked.self))
  }

  /// No level may take a stack frame.
  func testChainsOfAnyLengthGoAway() throws {
    try onSmallStack {
      let tracker = LifetimeTracker()
      var bottom = Container()
      try bottom.register(Tracked.self, scope: .singleton) { _ in tracker.make() }
      bottom = bottom.makeScope()
      for _ in 0..<1_000 { bottom = Container(parent: bottom).makeScope() }
      _ = try bottom.resolve(Tracked.self)
      XCTAssertEqual(tracker.alive, 1)
      bottom = Container()
      settleReclamation()
      XCTAssertEqual(tracker.alive, 0)
    }
  }
}
