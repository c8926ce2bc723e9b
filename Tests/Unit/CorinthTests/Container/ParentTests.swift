// SPDX-License-Identifier: MIT

import Corinth
import TestSupport
import XCTest

private final class Ledger: Sendable {
  let resolver: Resolver
  init(_ resolver: Resolver) { self.resolver = resolver }
}

final class ParentTests: ContainerTestCase {
  private lazy var child = Container(parent: container)

  override func tearDown() {
    child = Container()
    super.tearDown()
  }

  // MARK: - Lookup

  func testAChildKnowsItsParent() {
    XCTAssertTrue(child.parent === container)
    XCTAssertNil(container.parent)
    XCTAssertTrue(child.makeScope().parent === child)
  }

  func testAChildFindsWhatItsAncestorsHave() throws {
    try container.register(Int.self) { _ in 1 }
    try container.register(Int.self, name: "two") { _ in 2 }
    try container.register(Int.self, name: "sum") { (_, left: Int, right: Int) in left + right }
    for container in [child, Container(parent: child), child.makeScope()] {
      XCTAssertEqual(try container.resolve(Int.self), 1)
      XCTAssertEqual(try container.resolve(), 1)
      XCTAssertEqual(try container.resolve(Int.self, name: "two"), 2)
      XCTAssertEqual(try container.resolve(Int.self, name: Name?.none), 1)
      XCTAssertEqual(try container.resolve(Int.self, name: "sum", arguments: 3, 4), 7)
      XCTAssertEqual(try container.resolveIfRegistered(Int.self, name: "two"), 2)
      XCTAssertEqual(try container.provider(for: Int.self, name: "two")(), 2)
      XCTAssertEqual(try container.withResolved(Int.self) { $0 }, 1)
      XCTAssertEqual(try container.withResolved(Int.self, name: "two") { $0 }, 2)
      let inferred: Int? = try container.resolve()
      XCTAssertEqual(inferred, 1)
      XCTAssertTrue(container.contains(Int.self))
      XCTAssertTrue(container.contains(Int.self, name: "two"))
      XCTAssertTrue(container.contains(Int.self, name: "sum", arguments: Int.self, Int.self))
    }
  }

  func testWhatNoAncestorHasIsMissing() throws {
    try Container(parent: container).register(Int.self) { _ in 1 }
    XCTAssertFalse(child.contains(Int.self))
    XCTAssertNil(try child.resolveIfRegistered(Int.self))
    XCTAssertThrowsError(try child.resolve(Int.self))
    XCTAssertThrowsError(try child.provider(for: Int.self))
    XCTAssertThrowsError(try child.withResolved(Int.self) { $0 })
  }

  func testASingletonOfTheParentIsSharedByAllChildren() throws {
    let tracker = LifetimeTracker()
    try container.register(Tracked.self, scope: .singleton) { _ in tracker.make() }
    let shared = try child.resolve(Tracked.self)
    XCTAssertTrue(try container.resolve(Tracked.self) === shared)
    XCTAssertTrue(try Container(parent: container).resolve(Tracked.self) === shared)
    XCTAssertTrue(try Container(parent: child).resolve(Tracked.self) === shared)
  }

  func testSixtyFourLevelsResolve() throws {
    try container.register(Int.self) { _ in 1 }
    try container.register(String.self, scope: .singleton) { "\(try $0.resolve(Int.self))" }
    try container.register([Int].self, scope: .graph) { [try $0.resolve(Int.self)] }
    var bottom = container
    for _ in 0..<64 { bottom = Container(parent: bottom) }
    try bottom.register(Int.self) { _ in 64 }
    XCTAssertEqual(try bottom.resolve(String.self), "1")
    XCTAssertEqual(try bottom.resolve([Int].self), [64])
    XCTAssertEqual(try XCTUnwrap(bottom.parent).resolve([Int].self), [1])
    XCTAssertFalse(bottom.contains(Double.self))
  }

  /// No level may take a stack frame: neither when resolved through, nor when let go.
  func testChainsOfAnyLengthResolveAndGoAway() throws {
    try onSmallStack {
      let container = Container()
      try container.register(Int.self) { _ in 1 }
      try container.register(Double.self, scope: .scoped) { _ in 1 }
      var bottom = container.makeScope()
      for _ in 0..<1_000 { bottom = Container(parent: bottom) }
      XCTAssertEqual(try bottom.resolve(Int.self), 1)
      XCTAssertEqual(try bottom.resolve(Double.self), 1)
      XCTAssertThrowsError(try bottom.resolve(String.self)) { _ = "\($0)" }
    }
  }

  // MARK: - Overriding

  func testAChildOverridesItsParentAndLeavesItAsItIs() throws {
    try container.register(Int.self) { _ in 1 }
    try container.register(Int.self, name: "singleton", scope: .singleton) { _ in 1 }
    XCTAssertEqual(try child.resolve(Int.self, name: "singleton"), 1)
    try child.register(Int.self) { _ in 2 }
    try child.register(Int.self, name: "singleton", scope: .singleton) { _ in 2 }
    for name: Name? in [nil, "singleton"] {
      XCTAssertEqual(try child.resolve(Int.self, name: name), 2)
      XCTAssertEqual(try Container(parent: child).resolve(Int.self, name: name), 2)
      XCTAssertEqual(try container.resolve(Int.self, name: name), 1)
      XCTAssertEqual(try Container(parent: container).resolve(Int.self, name: name), 1)
    }
  }

  func testAChildOverridesWhatCannotBeOverriddenInItsParent() throws {
    try container.register(Int.self, onDuplicate: .refuse) { _ in 1 }
    try child.register(Int.self) { _ in 2 }
    XCTAssertEqual(try child.resolve(Int.self), 2)
    XCTAssertEqual(try container.resolve(Int.self), 1)
  }

  func testUnregisteringInAChildShowsTheParentsAgain() throws {
    try container.register(Int.self) { _ in 1 }
    try child.register(Int.self) { _ in 2 }
    let provider = try child.provider(for: Int.self)
    XCTAssertEqual(try provider(), 2)
    XCTAssertTrue(child.unregister(Int.self))
    XCTAssertFalse(child.unregister(Int.self), "the parent's is not the child's to remove")
    XCTAssertEqual(try child.resolve(Int.self), 1)
    XCTAssertEqual(try child.resolveIfRegistered(Int.self), 1)
    XCTAssertEqual(try child.withResolved(Int.self) { $0 }, 1)
    XCTAssertEqual(try provider(), 1)
    XCTAssertTrue(child.contains(Int.self))
    try child.register(Int.self) { _ in 3 }
    XCTAssertEqual(try provider(), 3)
    child.removeAll()
    XCTAssertEqual(try child.resolve(Int.self), 1)
    XCTAssertTrue(container.unregister(Int.self))
    XCTAssertThrowsError(try child.resolve(Int.self))
    XCTAssertThrowsError(try provider())
  }

  func testUnregisteringWithArgumentsInAChildShowsTheParentsAgain() throws {
    try container.register(Int.self) { (_, value: Int) in value }
    try child.register(Int.self) { (_, value: Int) in -value }
    XCTAssertEqual(try child.resolve(Int.self, arguments: 5), -5)
    XCTAssertTrue(child.unregister(Int.self, arguments: Int.self))
    XCTAssertEqual(try child.resolve(Int.self, arguments: 5), 5)
  }

  func testAProviderMadeBeforeTheChildOverridesFollows() throws {
    try container.register(Int.self, scope: .singleton) { _ in 1 }
    let provider = try child.provider(for: Int.self)
    XCTAssertEqual(try provider(), 1)
    try child.register(Int.self) { _ in 2 }
    XCTAssertEqual(try provider(), 2)
    child.unregister(Int.self)
    XCTAssertEqual(try provider(), 1)
  }

  func testReleasingInAChildLeavesTheParentsInstances() throws {
    let tracker = LifetimeTracker()
    try container.register(Tracked.self, scope: .singleton) { _ in tracker.make() }
    let kept = try child.resolve(Tracked.self)
    XCTAssertFalse(child.release(Tracked.self))
    child.releaseAll()
    XCTAssertTrue(try child.resolve(Tracked.self) === kept)
  }

  func testTheDefaultScopeIsInheritedUnlessGiven() throws {
    let parent = Container(defaultScope: .singleton)
    XCTAssertEqual(Container(parent: parent).defaultScope, .singleton)
    XCTAssertEqual(Container(parent: parent).makeScope().defaultScope, .singleton)
    XCTAssertEqual(Container(parent: parent, defaultScope: .weak).defaultScope, .weak)
  }

  // MARK: - Lifetimes

  func testAChildKeepsItsParentAlive() throws {
    var parent: Container? = Container()
    try parent?.register(Int.self) { _ in 1 }
    let bottom = try XCTUnwrap(parent.map { Container(parent: Container(parent: $0)) })
    parent = nil
    XCTAssertEqual(try bottom.resolve(Int.self), 1)
  }

  func testAParentOutlivesItsChildren() throws {
    let tracker = LifetimeTracker()
    try container.register(Int.self, scope: .singleton) { _ in 1 }
    for _ in 0..<100 {
      let child = Container(parent: container)
      try child.register(Tracked.self, scope: .singleton) { _ in tracker.make() }
      _ = try child.resolve(Tracked.self)
      _ = try child.resolve(Int.self)
    }
    XCTAssertEqual(tracker.created, 100)
    XCTAssertEqual(tracker.left, 0)
    XCTAssertEqual(try container.resolve(Int.self), 1)
  }

  func testAProviderOfAChildKeepsTheChild() throws {
    try container.register(Int.self) { _ in 1 }
    var provider: Provider<Int>?
    do {
      let short = Container(parent: container)
      try short.register(String.self) { _ in "child" }
      try short.register([Int].self) { [try $0.resolve(Int.self)] }
      provider = try short.provider(for: Int.self)
    }
    XCTAssertEqual(try provider?(), 1)
  }

  /// What it resolved would not be what it did before: the child's overrides are gone.
  func testAResolverKeptBeyondItsChildFindsNothing() throws {
    try container.register(Int.self) { _ in 1 }
    try container.register(Ledger.self) { Ledger($0) }
    let ledger = try kept { child in
      try child.register(Int.self) { _ in 2 }
      let ledger = try child.resolve(Ledger.self)
      XCTAssertEqual(try ledger.resolver.resolve(Int.self), 2)
      return ledger
    }
    assertGone { try ledger.resolver.resolve(Int.self) }
    assertGone { try ledger.resolver.container }
  }

  func testAProviderKeptBeyondItsChildFindsNothing() throws {
    try container.register(Int.self) { _ in 1 }
    try container.register(Provider<Int>.self) { try $0.provider(for: Int.self) }
    for overrides in [true, false] {
      let provider = try kept { child in
        if overrides { try child.register(Int.self) { _ in 2 } }
        let provider = try child.resolve(Provider<Int>.self)
        XCTAssertEqual(try provider(), overrides ? 2 : 1)
        return provider
      }
      assertGone { try provider() }
    }
  }

  private func kept<Value>(_ make: (Container) throws -> Value) rethrows -> Value {
    try make(Container(parent: container))
  }

  private func assertGone(line: UInt = #line, _ resolve: () throws -> Any) {
    XCTAssertThrowsError(try resolve(), line: line) { error in
      guard case ResolutionError.containerGone = error else {
        return XCTFail("\(error)", line: line)
      }
    }
  }
}
