// SPDX-License-Identifier: MIT

import Corinth
import TestSupport
import XCTest

/// Faults of the construction protocol that a review found, each of which was a deadlock or a leak.
final class ConstructionTests: XCTestCase {
  /// An object whose deinit runs a closure.
  private final class Farewell: Sendable {
    private let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    deinit { body() }
  }

  private struct FarewellShape: Shape {
    let farewell: Farewell
    let area = 1
  }

  /// Runs `body` on another thread, where a deadlock would be one.
  private func assertEnds(_ body: @escaping @Sendable () throws -> Void) {
    XCTAssertNoThrow(try JoinableThread(body).join().get())
  }

  private func assertEndsInACycle(_ container: Container) {
    assertEnds {
      XCTAssertThrowsError(try container.resolve(Motor.self)) {
        guard case .circularDependencyDetected = $0 as? ResolutionError else {
          return XCTFail("\($0)")
        }
      }
    }
  }

  /// The dead box of a weak instance was retired between the claim and the factory. That destroyed
  /// what else was pending, and a deinit among it that resolved the same key waited for its own
  /// thread.
  func testAnObjectDestroyedByAWeakResolveMayResolveTheSameKey() throws {
    let container = Container()
    let resolved = AtomicCounter()
    try container.register(Motor.self) { _ in Motor() }.as(.unchecked(.weak))
    try container.register(Int.self, scope: .singleton) { _ in 1 }
    try container.register(Farewell.self, scope: .singleton) { [unowned container] _ in
      Farewell { if (try? container.resolve(Motor.self)) != nil { resolved.add() } }
    }
    _ = try container.resolve(Motor.self)
    _ = try container.resolve(Farewell.self)
    _ = try container.resolve(Int.self)
    try container.withResolved(Int.self) { _ in
      // Inside of a section: the object stays pending.
      _ = container.unregister(Farewell.self)
    }
    XCTAssertEqual(resolved.value, 0)
    assertEnds { _ = try container.resolve(Motor.self) }
    XCTAssertEqual(resolved.value, 1)
  }

  /// A product that a weak registration refused was destroyed after its construction had been left
  /// and before it was over: a deinit that resolved the key waited for its own thread.
  func testTheDeinitOfARefusedProductMayResolveItsKey() throws {
    let container = Container()
    let failures = AtomicCounter()
    try container.register((any Shape).self) { [unowned container] _ in
      FarewellShape(
        farewell: Farewell {
          do { _ = try container.resolve((any Shape).self) } catch { failures.add() }
        })
    }.as(.unchecked(.weak))
    assertEnds {
      XCTAssertThrowsError(try container.resolve((any Shape).self)) {
        XCTAssert(($0 as? ResolutionError)?.underlyingError is InstanceError, "\($0)")
      }
    }
    XCTAssertEqual(failures.value, 1, "the deinit finds itself in a cycle")
  }

  /// A transient that is called through a provider, inside of a singleton's factory, received a
  /// resolver that did not know of the singleton: a hop from there waited for ever.
  func testAHopFromATransientCalledThroughAProviderFindsTheCycle() throws {
    let container = Container()
    try container.register(String.self) { resolver in
      let hop = JoinableThread { try resolver.resolve(Motor.self).power }
      return "\(try hop.join().get())"
    }
    try container.register(Motor.self) { resolver in
      Motor(power: try resolver.provider(for: String.self)().count)
    }.as(.unchecked(.singleton))
    assertEndsInACycle(container)
  }

  /// The same with the resolver of an outer construction, used inside of an inner one.
  func testAHopFromATransientOfAnOuterResolverFindsTheInnerCycle() throws {
    let container = Container()
    try container.register(String.self) { resolver in
      let hop = JoinableThread { try resolver.resolve(Motor.self, name: "inner").power }
      return "\(try hop.join().get())"
    }
    try container.register(Motor.self) { outer in
      try outer.container.register(Motor.self, name: "inner") { _ in
        Motor(power: try outer.resolve(String.self).count)
      }.as(.unchecked(.singleton))
      return try outer.resolve(Motor.self, name: "inner")
    }.as(.unchecked(.singleton))
    assertEndsInACycle(container)
  }

  /// What a factory replaced was destroyed inside of it, where a deinit that resolved the factory's
  /// own key was told of a cycle.
  func testAnObjectReplacedByAFactoryIsDestroyedAfterTheConstruction() throws {
    let container = Container()
    let resolved = AtomicCounter()
    try container.register(Farewell.self) { [unowned container] _ in
      Farewell { if (try? container.resolve(Motor.self)) != nil { resolved.add() } }
    }.as(.singleton)
    _ = try container.resolve(Farewell.self)
    try container.register(Motor.self) { resolver in
      try resolver.container.register(Farewell.self) { _ in Farewell {} }
      XCTAssertEqual(resolved.value, 0)
      return Motor()
    }.as(.unchecked(.singleton))
    assertEnds { _ = try container.resolve(Motor.self) }
    XCTAssertEqual(resolved.value, 1)
  }

  /// An instance that kept the provider its factory was given kept its container, which kept it.
  func testAContainerGoesAwayThoughAnInstanceKeepsAProviderOfIt() throws {
    final class Keeper: Tracked, @unchecked Sendable {
      // SAFETY: both are constant and Sendable.
      let provider: Provider<Keeper>
      let resolver: Resolver
      init(_ tracker: LifetimeTracker, _ provider: Provider<Keeper>, _ resolver: Resolver) {
        self.provider = provider
        self.resolver = resolver
        super.init(tracker)
      }
    }
    let tracker = LifetimeTracker()
    weak var gone: Container?
    do {
      let container = Container()
      try container.register(Keeper.self) { resolver in
        Keeper(tracker, try resolver.provider(for: Keeper.self), resolver)
      }.as(.singleton)
      let keeper = try container.resolve(Keeper.self)
      XCTAssert(try keeper.provider() === keeper)
      gone = container
    }
    XCTAssertNil(gone)
    XCTAssertEqual(tracker.created, 1)
    XCTAssertEqual(tracker.left, 0)
  }

  /// A provider that is all that is left of a container must go on working.
  func testAProviderOfAContainerKeepsItAlive() throws {
    func makeProvider() throws -> Provider<Motor> {
      let container = Container()
      try container.register(Motor.self, scope: .unchecked(.singleton)) { _ in Motor(power: 7) }
      return try container.provider(for: Motor.self)
    }
    let provider = try makeProvider()
    XCTAssertEqual(try provider().power, 7)
  }

  /// A service may run inside of a factory: what it replaces there was only destroyed at the end.
  func testWhatALongFactoryReplacesIsDestroyedMeanwhile() throws {
    let container = Container()
    let tracker = LifetimeTracker()
    try container.register(Tracked.self) { _ in tracker.make() }.as(.weak)
    try container.register(Int.self) { resolver in
      var most = 0
      for _ in 0..<5_000 {
        try resolver.container.register(Tracked.self, name: "kept", scope: .singleton) { _ in
          tracker.make()
        }
        _ = try resolver.resolve(Tracked.self, name: "kept")
        _ = try resolver.resolve(Tracked.self)
        most = max(most, tracker.alive)
      }
      return most
    }.as(.singleton)
    XCTAssertLessThan(try container.resolve(Int.self), 1_000)
  }

  /// Each request's instance was built through the resolver that the one before it had kept:
  /// junctions of constructions that were over grew into a chain that each resolve searched.
  func testInstancesBuiltThroughKeptResolversDoNotPileUp() throws {
    try skipUnderThreadSanitizer()
    struct Request: Sendable { let resolver: Resolver }
    let container = Container()
    try container.register(Request.self) { Request(resolver: $0) }
    var last = try container.resolve(Request.self)
    for index in 0..<20_000 {
      let previous = last.resolver
      try container.register(Int.self, name: "step") { resolver in
        _ = try previous.resolve(Request.self)
        return index
      }.as(.singleton)
      try container.register(Request.self, name: "next") { resolver in
        _ = try previous.resolve(Int.self, name: "step")
        return Request(resolver: try previous.resolve(Request.self).resolver)
      }.as(.singleton)
      last = try container.resolve(Request.self, name: "next")
    }
    XCTAssertEqual(try container.resolve(Int.self, name: "step"), 19_999)
  }
}
