// SPDX-License-Identifier: MIT

import Corinth
import TestSupport
import XCTest

private final class Owner {
  @Injected var text: String
  @Injected(.everyAccess) var each: String
  @InjectedWeakly var motor: Motor?
  let tracked: Tracked

  init(_ container: Container, _ tracked: Tracked) {
    _text = Injected(from: .container(container))
    _each = Injected(.everyAccess, from: .container(container))
    _motor = InjectedWeakly(from: .container(container))
    self.tracked = tracked
  }
}

private final class Keeper: Sendable {
  let resolver: Resolver
  let sawOwner: Bool

  init(_ resolver: Resolver) {
    self.resolver = resolver
    sawOwner = resolver.enclosingObject is Owner
  }
}

final class EnclosingObjectTests: ContainerTestCase {
  private let tracker = LifetimeTracker()

  func testItReachesTheFactoriesOfTheResolve() throws {
    try container.register(String.self) { resolver in
      "\(resolver.enclosingObject is Owner) \(try resolver.resolve(Bool.self))"
    }
    try container.register(Bool.self) { $0.enclosingObject is Owner }
    let owner = Owner(container, tracker.make())
    XCTAssertEqual(owner.text, "true true")
    XCTAssertEqual(owner.each, "true true")
    XCTAssertEqual(try container.resolve(String.self), "false false")
  }

  func testItReachesFactoriesOfSharedInstances() throws {
    try container.register(Motor.self) { Motor(power: $0.enclosingObject is Owner ? 1 : 0) }
      .as(.unchecked(.singleton))
    XCTAssertEqual(Owner(container, tracker.make()).motor?.power, 1)
  }

  func testNothingKeepsItBeyondTheResolve() throws {
    try container.register(Keeper.self) { Keeper($0) }.as(.singleton)
    try container.register(String.self) { resolver in
      "\(try resolver.resolve(Keeper.self).sawOwner)"
    }
    do {
      let owner = Owner(container, tracker.make())
      XCTAssertEqual(owner.text, "true")
      XCTAssertNil(try container.resolve(Keeper.self).resolver.enclosingObject)
    }
    settleReclamation()
    XCTAssertEqual(tracker.alive, 0)
  }

  func testParametersHaveTheOneThatTheyAreGiven() throws {
    try container.register(String.self) { "\($0.enclosingObject is Owner)" }
    let container = container
    func read(@Injected text: String) -> String { text }
    let owner = Owner(container, tracker.make())
    XCTAssertEqual(read($text: .enclosing(owner, from: .container(container))), "true")
    XCTAssertEqual(read($text: .container(container)), "false")
  }
}
