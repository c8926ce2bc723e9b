// SPDX-License-Identifier: MIT

import TestSupport
import XCTest

@testable import Corinth

/// A thread uses the constructions of shared instances again, of which nothing has come but the
/// instance.
final class ConstructionReuseTests: XCTestCase {
  private let container = Container()
  private let seen = Locked<[ObjectIdentifier]>([])
  private let kept = Locked<[Resolver]>([])

  override func setUpWithError() throws {
    try super.setUpWithError()
    try XCTSkipUnless(ThreadSpares.areKept, "threads keep none in this build")
  }

  /// Registers a singleton that notes its construction.
  private func register(
    _ name: Name, as scope: AnyScope = .singleton,
    _ body: @escaping @Sendable (Resolver) throws -> Void = { _ in }
  ) throws {
    try container.register(String.self, name: name, scope: scope) { [seen] resolver in
      let construction = try XCTUnwrap(resolver.construction.map { ObjectIdentifier($0) })
      seen.withLock { $0.append(construction) }
      try body(resolver)
      return "\(name)"
    }
  }

  private func resolve(_ names: Name...) throws -> [ObjectIdentifier] {
    seen.withLock { $0 = [] }
    for name in names { _ = try container.resolve(String.self, name: name) }
    return seen.withLock { $0 }
  }

  func testTheNextSingletonHasTheSameConstruction() throws {
    try register("one")
    try register("two")
    let found = try resolve("one", "two")
    XCTAssertEqual(found.count, 2)
    XCTAssertEqual(Set(found).count, 1)
  }

  func testSingletonsInEachOtherHaveTheirOwn() throws {
    try register("inner")
    try register("outer") { _ = try $0.resolve(String.self, name: "inner") }
    let found = try resolve("outer")
    XCTAssertEqual(Set(found).count, 2)
  }

  func testOneWhoseResolverIsKeptIsNotUsedAgain() throws {
    try register("one") { [kept] resolver in kept.withLock { $0.append(resolver) } }
    try register("two")
    let found = try resolve("one", "two")
    XCTAssertEqual(Set(found).count, 2)
    let resolver = try XCTUnwrap(kept.withLock { $0.first })
    XCTAssertTrue(ResolutionContext.isOver(resolver.construction))
    XCTAssertEqual(try resolver.resolve(String.self, name: "two"), "\(Name("two"))")
  }

  /// It then begins resolutions of its own in what its context holds.
  func testAKeptResolverHoldsTheContainersCore() throws {
    weak var core: ContainerCore?
    let resolver = try {
      let container = Container()
      core = container.registry
      try container.register(Int.self, scope: .singleton) { [kept] resolver in
        kept.withLock { $0.append(resolver) }
        return 1
      }
      _ = try container.resolve(Int.self)
      return try XCTUnwrap(kept.withLock { $0.popLast() })
    }()
    let context = try XCTUnwrap(resolver.construction as? Construction)
    XCTAssertTrue(context.hasReferences)
    XCTAssertTrue(context.container === core)
  }

  func testAKeptConstructionHoldsNeitherContainerNorName() throws {
    weak var core: ContainerCore?
    try {
      let container = Container()
      core = container.registry
      try container.register(Int.self, name: "a name of more than fifteen bytes", scope: .singleton)
      {
        _ in 1
      }
      _ = try container.resolve(Int.self, name: "a name of more than fifteen bytes")
    }()
    XCTAssertNil(core)
  }

  func testAStateThatAFailureHasEmptiedIsClaimedAgain() throws {
    let attempts = AtomicCounter()
    try register("one") { _ in if attempts.add() < 4 { throw FixtureError("refused") } }
    for _ in 0..<3 { XCTAssertThrowsError(try resolve("one")) }
    XCTAssertNoThrow(try resolve("one"))
    XCTAssertEqual(attempts.value, 4)
  }
}
