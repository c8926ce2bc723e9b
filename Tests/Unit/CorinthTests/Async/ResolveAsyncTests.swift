// SPDX-License-Identifier: MIT

import Corinth
import TestSupport
import XCTest

final class ResolveAsyncTests: AsyncTestCase {
  private let tracker = LifetimeTracker()

  private func registerPause(_ name: Name? = nil, scope: AnyScope = .transient) throws {
    try container.registerAsync(Tracked.self, name: name, scope: scope) { [tracker] _ in
      await Task.yield()
      return tracker.make()
    }
  }

  // MARK: - Keys

  func testTheTypeIsInferredWhenLeftOut() async throws {
    try container.registerAsync(Int.self) { _ in 7 }
    let number: Int = try await container.resolveAsync()
    let perhaps: Int? = try await container.resolveAsync()
    XCTAssertEqual(number, 7)
    XCTAssertEqual(perhaps, 7)
  }

  func testNamesTellRegistrationsApart() async throws {
    try container.registerAsync(Int.self) { _ in 0 }
    try container.registerAsync(Int.self, name: "one") { _ in 1 }
    try container.registerAsync(Int.self, name: Name(2)) { _ in 2 }
    let numbers = [
      try await container.resolveAsync(Int.self),
      try await container.resolveAsync(Int.self, name: "one"),
      try await container.resolveAsync(Int.self, name: Name(2)),
    ]
    XCTAssertEqual(numbers, [0, 1, 2])
    await assertThrows { [container] in
      try await container.resolveAsync(Int.self, name: "three")
    } _: { error in
      guard case ResolutionError.noRegistrationFound = error else { return XCTFail("\(error)") }
    }
  }

  func testOneToThreeArguments() async throws {
    try container.registerAsync(String.self) { (_, one: Int) in "\(one)" }
    try container.registerAsync(String.self) { (_, one: Int, two: Bool) in "\(one) \(two)" }
    try container.registerAsync(String.self, name: "three") {
      (_, one: Int, two: Bool, three: [Double]) in
      await Task.yield()
      return "\(one) \(two) \(three)"
    }
    let texts = [
      try await container.resolveAsync(String.self, arguments: 1),
      try await container.resolveAsync(String.self, arguments: 1, true),
      try await container.resolveAsync(String.self, name: "three", arguments: 1, true, [0.5]),
    ]
    XCTAssertEqual(texts, ["1", "1 true", "1 true [0.5]"])
  }

  func testWhatIsNotRegisteredIsNilOnRequest() async throws {
    try container.registerAsync(String.self) { _ in "found" }
    try container.registerAsync(Double.self) { Double(try await $0.resolveAsync(Int.self)) }
    let found = try await container.resolveAsyncIfRegistered(String.self)
    let missing = try await container.resolveAsyncIfRegistered(Int.self)
    let named = try await container.resolveAsyncIfRegistered(String.self, name: "other")
    XCTAssertEqual(found, "found")
    XCTAssertNil(missing)
    XCTAssertNil(named)
    await assertThrows { [container] in try await container.resolveAsyncIfRegistered(Double.self) }
  }

  func testTheFactorysResolverResolvesInEveryWay() async throws {
    try container.registerAsync(Int.self) { _ in 1 }
    try container.registerAsync(Int.self, name: "two") { _ in 2 }
    try container.registerAsync(Int.self) { (_, number: Int) in number }
    try container.register(Int.self, name: "four") { _ in 4 }
    try container.registerAsync([Int?].self) { resolver in
      [
        try await resolver.resolveAsync(Int.self),
        try await resolver.resolveAsync(Int.self, name: "two"),
        try await resolver.resolveAsync(Int.self, arguments: 3),
        try await resolver.resolveAsync(Int.self, name: "four"),
        try await resolver.resolveAsyncIfRegistered(Int.self, name: "none"),
      ]
    }
    let numbers = try await container.resolveAsync([Int?].self)
    XCTAssertEqual(numbers, [1, 2, 3, 4, nil])
  }

  // MARK: - Overriding

  func testAnAsynchronousRegistrationOverridesASynchronousOne() async throws {
    try container.register(String.self) { _ in "synchronous" }.as(.singleton)
    XCTAssertEqual(try container.resolve(String.self), "synchronous")
    try container.registerAsync(String.self) { _ in "asynchronous" }.as(.singleton)
    let found = try await container.resolveAsync(String.self)
    XCTAssertEqual(found, "asynchronous")
  }

  func testASynchronousRegistrationOverridesAnAsynchronousOne() async throws {
    try container.registerAsync(String.self, name: "a") { _ in "asynchronous" }.as(.singleton)
    _ = try await container.resolveAsync(String.self, name: "a")
    try container.register(String.self, name: "a") { _ in "synchronous" }.as(.singleton)
    XCTAssertEqual(try container.resolve(String.self, name: "a"), "synchronous")
    let found = try await container.resolveAsync(String.self, name: "a")
    XCTAssertEqual(found, "synchronous")
  }

  func testOneThatIsNotOverridableRefusesTheOtherKind() throws {
    try container.registerAsync(Int.self, onDuplicate: .refuse) { _ in 1 }
    XCTAssertThrowsError(try container.register(Int.self) { _ in 2 })
    try container.register(String.self, onDuplicate: .refuse) { _ in "" }
    XCTAssertThrowsError(try container.registerAsync(String.self) { _ in "" })
    XCTAssertThrowsError(
      try container.registerAsync(String.self, onDuplicate: .refuse) { _ in "" })
  }

  // MARK: - Both kinds of resolving

  func testSynchronousRegistrationsOfEveryScopeResolve() async throws {
    for scope in [
      AnyScope.transient, .singleton, .weak, .graph, .scoped, .cached(for: .seconds(60)),
    ] {
      let tracker = LifetimeTracker()
      let home = Container().makeScope()
      try home.register(Tracked.self, scope: scope) { _ in tracker.make() }
      try home.register(Tracked.self, scope: scope) { (_, _: Int) in tracker.make() }
      let first = try await home.resolveAsync(Tracked.self)
      let second = try await home.resolveAsync(Tracked.self)
      let third = try await home.resolveAsync(Tracked.self, arguments: 3)
      let fourth = try await home.resolveAsync(Tracked.self, arguments: 3)
      let isShared = scope != .transient && scope != .graph
      XCTAssertEqual(first === second, isShared, "\(scope)")
      XCTAssertEqual(third === fourth, isShared, "\(scope)")
      XCTAssertFalse(first === third, "\(scope)")
      XCTAssertEqual(try home.resolve(Tracked.self) === first, isShared, "\(scope)")
    }
  }

  func testResolvingAnAsynchronousRegistrationSynchronouslyIsRefused() async throws {
    for scope in [
      AnyScope.transient, .singleton, .weak, .graph, .scoped, .cached(for: .seconds(60)),
    ] {
      let home = Container().makeScope()
      try home.registerAsync(
        Motor.self, name: "main", scope: scope, file: "App/Main.swift", line: 10
      ) { _ in Motor() }
      XCTAssertThrowsError(try home.resolve(Motor.self, name: "main"), "\(scope)") { error in
        guard case ResolutionError.asyncResolutionRequired = error else {
          return XCTFail("\(scope): \(error)")
        }
        let lifetime =
          switch scope {
          case .transient: "-transient"
          case .singleton: "-singleton"
          case .graph: "-graph"
          default: ""
          }
        assertGolden("async-resolution-required\(lifetime)", "\(error)")
      }
    }
  }

  func testADependencyThatIsAsynchronousIsRefusedWithThePath() throws {
    try container.registerAsync(Int.self, file: "App/Main.swift", line: 10) { _ in 7 }
    try container.register(String.self, file: "App/Main.swift", line: 11) {
      "\(try $0.resolve(Int.self))"
    }
    XCTAssertThrowsError(try container.resolve(String.self)) { error in
      assertGolden("async-resolution-required-path", "\(error)")
    }
  }

  func testAnInstanceThatIsThereIsResolvedSynchronously() async throws {
    for scope in [AnyScope.singleton, .weak, .scoped, .cached(for: .seconds(60))] {
      let home = Container().makeScope()
      try home.registerAsync(Tracked.self, scope: scope) { [tracker] _ in tracker.make() }
      try home.registerAsync(Tracked.self, scope: scope) { [tracker] (_, _: Int) in tracker.make() }
      let built = try await home.resolveAsync(Tracked.self)
      XCTAssert(try home.resolve(Tracked.self) === built, "\(scope)")
      let other = try await home.resolveAsync(Tracked.self, arguments: 1)
      XCTAssert(try home.resolve(Tracked.self, arguments: 1) === other, "\(scope)")
      XCTAssertThrowsError(try home.resolve(Tracked.self, arguments: 2), "\(scope)")
    }
  }

  func testAGraphInstanceThatIsThereIsResolvedSynchronously() async throws {
    try registerPause(scope: .graph)
    try container.registerAsync(Bool.self) { resolver in
      let built = try await resolver.resolveAsync(Tracked.self)
      return try resolver.resolve(Tracked.self) === built
    }
    let isSame = try await container.resolveAsync(Bool.self)
    XCTAssert(isSame)
  }

  func testAReleasedInstanceIsNotThere() async throws {
    try registerPause(scope: .singleton)
    _ = try await container.resolveAsync(Tracked.self)
    XCTAssert(container.release(Tracked.self))
    XCTAssertThrowsError(try container.resolve(Tracked.self))
    let serial = try await container.resolveAsync(Tracked.self).serial
    XCTAssertEqual(serial, 2)
  }

  // MARK: - Failure

  func testTheFactorysErrorIsKept() async throws {
    for scope in [AnyScope.transient, .singleton, .weak, .graph] {
      let attempts = AtomicCounter()
      let container = Container()
      try container.registerAsync(Tracked.self, scope: scope) { [tracker] _ in
        await Task.yield()
        if attempts.add() == 1 { throw FixtureError("no disk") }
        return tracker.make()
      }
      await assertThrows {
        try await container.resolveAsync(Tracked.self)
      } _: { error in
        XCTAssertEqual(
          (error as? ResolutionError)?.underlyingError as? FixtureError, FixtureError("no disk"))
      }
      _ = try await container.resolveAsync(Tracked.self)
      XCTAssertEqual(attempts.value, 2, "\(scope)")
    }
  }
}
