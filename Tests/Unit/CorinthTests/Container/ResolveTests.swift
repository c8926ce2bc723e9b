// SPDX-License-Identifier: MIT

import Corinth
import TestSupport
import XCTest

final class ResolveTests: ContainerTestCase {
  func testTheProductIsInferredFromTheContext() throws {
    try container.register((any Engine).self) { _ in Motor(power: 4) }
    let engine: any Engine = try container.resolve()
    XCTAssertEqual(engine.power, 4)
  }

  func testAnInferredOptionalIsWhatIsRegisteredAsItOrElseWhatItWraps() throws {
    try container.register(Int.self) { _ in 1 }
    var number: Int? = try container.resolve()
    XCTAssertEqual(number, 1)
    try container.register(Int?.self) { _ in nil }
    number = try container.resolve()
    XCTAssertNil(number)
    XCTAssertEqual(try container.resolve(Int.self), 1)
  }

  /// `try?` infers an optional product, and hid that nothing is registered as the optional itself.
  func testTryWithAQuestionMarkFindsWhatIsRegistered() throws {
    try container.register(Motor.self) { _ in Motor(power: 3) }
    try container.register(Motor.self, name: "large") { _ in Motor(power: 9) }
    let motor: Motor? = try? container.resolve()
    XCTAssertEqual(motor?.power, 3)
    let large: Motor? = try? container.resolve(name: "large")
    XCTAssertEqual(large?.power, 9)
    let missing: String? = try? container.resolve()
    XCTAssertNil(missing)
    var unwrapped: Motor!
    unwrapped = try container.resolve()
    XCTAssertEqual(unwrapped.power, 3)
    try container.register(Int.self) { resolver in
      let motor: Motor? = try? resolver.resolve()
      let large: Motor? = try? resolver.resolve(name: "large")
      return (motor?.power ?? 0) + (large?.power ?? 0)
    }
    XCTAssertEqual(try container.resolve(Int.self), 12)
  }

  func testAMissingInferredOptionalThrowsForTheWrappedType() throws {
    XCTAssertThrowsError(try { let _: Int? = try self.container.resolve() }()) {
      XCTAssertEqual(($0 as? ResolutionError).map { "\($0.key)" }, "Int")
    }
  }

  func testAProtocolAndItsImplementationAreDifferentKeys() throws {
    try container.register(Motor.self) { _ in Motor() }
    XCTAssertThrowsError(try container.resolve((any Engine).self))
    XCTAssertThrowsError(try container.resolve(Turbine.self))
  }

  func testASubclassMayBeBuiltForItsSuperclass() throws {
    try container.register(Motor.self) { _ in Turbine(power: 2) }.as(.unchecked(.singleton))
    XCTAssertTrue(try container.resolve(Motor.self) is Turbine)
  }

  func testDependenciesAreResolvedThroughTheResolver() throws {
    try container.register(Int.self) { _ in 20 }
    try container.register(String.self) { resolver in
      let number: Int = try resolver.resolve()
      return "\(number + (try resolver.resolve(Int.self)))"
    }
    XCTAssertEqual(try container.resolve(String.self), "40")
  }

  func testResolverAndContainerOfferTheSameResolves() throws {
    let name: Name = "stored"
    try container.register(Int.self) { _ in 1 }
    try container.register(Int.self, name: name) { _ in 2 }
    try container.register(Int.self, name: "sum") { (_, left: Int, right: Int) in left + right }
    try container.register([Int].self) { resolver in
      let none: Name? = nil
      return [
        try resolver.resolve(), try resolver.resolve(Int.self, name: name),
        try resolver.resolve(Int.self, name: none),
        try resolver.resolve(Int.self, name: "sum", arguments: 3, 4),
        try resolver.resolveIfRegistered(Int.self, name: "nothing") ?? 5,
        try resolver.resolveIfRegistered(Int.self) ?? 5,
        try resolver.withResolved(Int.self) { $0 + 10 },
        try resolver.withResolved(Int.self, name: name) { $0 + 10 },
        try resolver.provider(for: Int.self, name: name)(),
      ]
    }
    XCTAssertEqual(try container.resolve([Int].self), [1, 2, 1, 7, 5, 1, 11, 12, 2])
  }

  func testAFactoryMayRegisterAndResolveWhatItRegistered() throws {
    try container.register(String.self) { resolver in
      try resolver.container.register(Int.self) { _ in 7 }
      return "\(try resolver.resolve(Int.self))"
    }.as(.singleton)
    XCTAssertEqual(try container.resolve(String.self), "7")
    XCTAssertEqual(try container.resolve(Int.self), 7)
  }

  func testATransientFactoryMayOverrideItself() throws {
    try container.register(Int.self) { resolver in
      try resolver.container.register(Int.self) { _ in 2 }
      return 1
    }
    XCTAssertEqual(try container.resolve(Int.self), 1)
    XCTAssertEqual(try container.resolve(Int.self), 2)
  }

  func testASingletonFactoryMayOverrideItself() throws {
    try container.register(Int.self) { resolver in
      try resolver.container.register(Int.self) { _ in 2 }.as(.singleton)
      return 1
    }.as(.singleton)
    XCTAssertEqual(try container.resolve(Int.self), 1)
    XCTAssertEqual(try container.resolve(Int.self), 2)
  }

  func testAFactoryMayRemoveEverythingIncludingItself() throws {
    for scope in [AnyScope.transient, .singleton, .weak] {
      try container.register(Motor.self, scope: scope) { resolver in
        try resolver.container.removeAll()
        return Motor(power: 9)
      }
      XCTAssertEqual(try container.resolve(Motor.self).power, 9)
      XCTAssertFalse(container.contains(Motor.self))
    }
  }

  func testAContainerMayBeRegisteredInItself() throws {
    try container.register(Container.self) { try $0.container }
    try container.register(Int.self) { resolver in
      try resolver.resolve(Container.self).resolve(Int.self, name: "inner")
    }
    try container.register(Int.self, name: "inner") { _ in 3 }
    XCTAssertTrue(try container.resolve(Container.self) === container)
    XCTAssertEqual(try container.resolve(Int.self), 3)
    try container.register(Container.self) { try $0.container }.as(.singleton)
    XCTAssertTrue(try container.resolve(Container.self) === container)
    try container.register(Container.self) { try $0.container }.as(.weak)
    XCTAssertTrue(try container.resolve(Container.self) === container)
  }

  func testAFactoryMayResolveFromAnotherContainer() throws {
    let other = Container()
    try other.register(Int.self) { _ in 8 }
    try container.register(Int.self) { _ in try other.resolve(Int.self) + 1 }.as(.singleton)
    XCTAssertEqual(try container.resolve(Int.self), 9)
  }
}
