// SPDX-License-Identifier: MIT

import Corinth
import TestSupport
import XCTest

/// What `resolveAsync` resolves without giving up the caller's actor.
final class WithoutSuspensionTests: AsyncTestCase {
  private let tracker = LifetimeTracker()

  /// Counts what its other tasks have done while one of them resolves.
  private actor Desk {
    private var others = 0

    private func note() { others += 1 }

    /// How many others have run in the middle of a resolve.
    func resolve<Product>(
      _ product: Product.Type, name: Name? = nil, from container: Container
    ) async throws -> Int {
      let before = others
      let other = Task { self.note() }
      _ = try await container.resolveAsync(product, name: name)
      let during = others - before
      await other.value
      return during
    }
  }

  private func assertNoSuspension<Product>(
    of product: Product.Type, name: Name? = nil, from container: Container,
    line: UInt = #line
  ) async throws {
    let desk = Desk()
    for attempt in 0..<20 {
      let others = try await desk.resolve(product, name: name, from: container)
      XCTAssertEqual(others, 0, "attempt \(attempt)", line: line)
    }
  }

  func testAReadyInstance() async throws {
    try container.registerAsync(Tracked.self, scope: .singleton) { [tracker] _ in tracker.make() }
    try container.registerAsync(Tracked.self, name: "other", scope: .singleton) { [tracker] _ in
      await Task.yield()
      return tracker.make()
    }
    _ = try await container.resolveAsync(Tracked.self)
    _ = try await container.resolveAsync(Tracked.self, name: "other")
    try await assertNoSuspension(of: Tracked.self, from: container)
    try await assertNoSuspension(of: Tracked.self, name: "other", from: container)
    try await assertNoSuspension(of: Tracked.self, from: Container(parent: container))
    try await assertNoSuspension(of: Tracked.self, from: container.makeScope())
    XCTAssertEqual(tracker.created, 2)
  }

  func testASynchronousTransient() async throws {
    try container.register(Tracked.self) { [tracker] _ in tracker.make() }
    try container.register(Int.self) { resolver in try resolver.resolve(Tracked.self).serial }
    try await assertNoSuspension(of: Tracked.self, from: container)
    try await assertNoSuspension(of: Int.self, from: container)
    try await assertNoSuspension(of: Int.self, from: container.makeScope())
    await tracker.waitUntilNoneIsLeft()
    XCTAssertEqual(tracker.alive, 0)
  }

  func testAScopedInstanceThatIsThereOrIsToBeBuilt() async throws {
    try container.register(Tracked.self, scope: .scoped) { [tracker] _ in tracker.make() }
    try container.register(Int.self, scope: .scoped) { try $0.resolve(Tracked.self).serial }
    for _ in 0..<20 {
      let scope = container.makeScope()
      let others = try await Desk().resolve(Int.self, from: scope)
      XCTAssertEqual(others, 0)
      try await assertNoSuspension(of: Int.self, from: scope)
      try await assertNoSuspension(of: Tracked.self, from: scope)
      try await scope.close()
    }
    XCTAssertEqual(tracker.created, 20)
    await tracker.waitUntilNoneIsLeft()
    XCTAssertEqual(tracker.alive, 0)
  }

  func testASynchronousSingletonThatIsToBeBuilt() async throws {
    for _ in 0..<20 {
      let container = Container()
      try container.register(Int.self, scope: .singleton) { _ in 1 }
      let others = try await Desk().resolve(Int.self, from: container)
      XCTAssertEqual(others, 0)
    }
  }

  /// The end of a scope with nothing to await included.
  func testARequest() async throws {
    try container.register(Tracked.self, scope: .scoped) { [tracker] _ in tracker.make() }
    let desk = Scopes()
    for _ in 0..<20 {
      let others = try await desk.request(of: container)
      XCTAssertEqual(others, 0)
    }
    await tracker.waitUntilNoneIsLeft()
    XCTAssertEqual(tracker.alive, 0)
  }

  private actor Scopes {
    private var others = 0

    func request(of container: Container) async throws -> Int {
      let before = others
      let other = Task { self.others += 1 }
      try await container.withScope { scope in _ = try await scope.resolveAsync(Tracked.self) }
      let during = others - before
      await other.value
      return during
    }
  }
}
