// SPDX-License-Identifier: MIT

import Corinth
import TestSupport
import XCTest

/// A provider of an asynchronous transient could never be called.
final class AsyncProviderTests: AsyncTestCase {
  private let tracker = LifetimeTracker()

  private struct Pool {
    let connect: Provider<Tracked>
  }

  func testAWiredProviderBuildsAnAsynchronousTransientEachTime() async throws {
    try container.registerAsync(Tracked.self) { [tracker] _ in tracker.make() }
    try container.wire(Pool.self, using: Pool.init)
    let pool = try container.resolve(Pool.self)
    let (first, second) = (try await pool.connect.callAsync(), try await pool.connect.callAsync())
    XCTAssertEqual([first.serial, second.serial], [1, 2])
    XCTAssertThrowsError(try pool.connect()) {
      XCTAssertTrue($0.is(.asyncResolutionRequired), "\($0)")
    }
  }

  func testItFollowsTheScopeAndTheRegistration() async throws {
    try container.registerAsync(Tracked.self, name: "a") { [tracker] _ in tracker.make() }
      .as(.singleton)
    let provider = try container.provider(for: Tracked.self, name: "a")
    let first = try await provider.callAsync()
    XCTAssert(try provider() === first)
    try container.register(Tracked.self, name: "a") { [tracker] _ in tracker.make() }
    let second = try await provider.callAsync()
    XCTAssertEqual(second.serial, 2)
    container.unregister(Tracked.self, name: "a")
    await assertThrows {
      try await provider.callAsync()
    } _: {
      XCTAssertTrue($0.is(.noRegistrationFound), "\($0)")
    }
  }

  func testItResolvesInTheContainerThatItWasResolvedIn() async throws {
    try container.registerAsync(Tracked.self, scope: .scoped) { [tracker] _ in tracker.make() }
    let scope = container.makeScope()
    let provider = try scope.resolve(Provider<Tracked>.self)
    let first = try await provider.callAsync()
    XCTAssert(try scope.resolve(Tracked.self) === first)
    try await scope.close()
  }

  func testACallInAFactoryIsAPartOfItsConstruction() async throws {
    let container = container
    try container.registerAsync(Node<A>.self, scope: .unchecked(.singleton)) { resolver in
      let provider = try resolver.provider(for: Node<B>.self)
      return Node(try await provider.callAsync())
    }
    try container.registerAsync(Node<B>.self, scope: .unchecked(.singleton)) { resolver in
      let provider = try resolver.provider(for: Node<A>.self)
      return Node(try await provider.callAsync())
    }
    await assertThrows {
      _ = try await container.resolveAsync(Node<A>.self)
    } _: {
      XCTAssertTrue($0.is(.circularDependencyDetected), "\($0)")
    }
  }

  // MARK: - Validation

  /// What holds the provider may call it in a task: only the call says whether it does.
  func testOnlyASynchronousCallIsAFinding() async throws {
    try container.registerAsync(Tracked.self) { [tracker] _ in tracker.make() }.dependsOn()
    try container.wire(Pool.self, using: Pool.init)
    try container.validate()
    let report = try await container.validate(building: true)
    XCTAssertEqual(report.unknown, [])
    try container.register(Pool.self) { resolver in
      let pool = Pool(connect: try resolver.resolve())
      _ = try pool.connect()
      return pool
    }
    XCTAssertThrowsError(try container.syncValidate(building: true)) {
      let findings = $0.findings ?? []
      XCTAssertEqual(findings.map(\.kind), [.asynchronous], "\($0)")
      XCTAssertEqual(findings.first?.path, [.init(Pool.self), .init(Tracked.self)])
    }
  }
}
