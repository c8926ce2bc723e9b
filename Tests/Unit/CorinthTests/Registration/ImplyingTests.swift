// SPDX-License-Identifier: MIT

import Corinth
import TestSupport
import XCTest

final class ImplyingTests: ContainerTestCase {
  func testTheImpliedTypeServesTheSameInstances() throws {
    try container.register(Motor.self) { _ in Motor() }.as(.unchecked(.singleton))
      .implying(Motor?.self).implying((any Engine).self)
    let motor = try container.resolve(Motor.self)
    XCTAssertIdentical(try container.resolve(Motor?.self), motor)
    XCTAssertIdentical(try container.resolve((any Engine).self), motor)
    XCTAssertTrue(container.contains(Motor?.self))
  }

  func testEachWayToResolveFindsTheImpliedType() async throws {
    try container.register(Int.self, name: "a") { _ in 1 }.implying(Int?.self)
    XCTAssertEqual(try container.resolve(Int?.self, name: "a"), 1)
    XCTAssertEqual(try container.resolveIfRegistered(Int?.self, name: "a"), .some(1))
    XCTAssertEqual(try container.withResolved(Int?.self, name: "a") { $0 }, 1)
    XCTAssertEqual(try container.provider(for: Int?.self, name: "a")(), 1)
    let number = try await container.resolveAsync(Int?.self, name: "a")
    XCTAssertEqual(number, 1)
    XCTAssertThrowsError(try container.resolve(Int?.self))
  }

  func testArgumentsAreHandedOn() throws {
    try container.register(Motor.self) { (_, power: Int) in Motor(power: power) }
      .implying(Motor?.self)
    XCTAssertEqual(try container.resolve(Motor?.self, arguments: 4)?.power, 4)
    XCTAssertEqual(try container.resolveIfRegistered(Motor?.self, arguments: 5)??.power, 5)
    XCTAssertThrowsError(try container.resolve(Motor?.self))
  }

  func testAsynchronousRegistrationsImplyToo() async throws {
    try container.registerAsync(Int.self) { _ in 1 }.implying(Int?.self)
    let number = try await container.resolveAsync(Int?.self)
    XCTAssertEqual(number, 1)
  }

  func testAnExplicitRegistrationWinsWhicheverComesFirst() throws {
    try container.register(Int?.self) { _ in 2 }
    try container.register(Int.self) { _ in 1 }.implying(Int?.self)
    XCTAssertEqual(try container.resolve(Int?.self), 2)
    container.unregister(Int?.self)
    XCTAssertEqual(try container.resolve(Int?.self), 1)
    try container.register(Int?.self, overridable: false) { _ in 3 }
    XCTAssertEqual(try container.resolve(Int?.self), 3)
  }

  func testItEndsWithTheRegistrationThatImpliesIt() throws {
    try container.register(Int.self) { _ in 1 }.implying(Int?.self)
    XCTAssertEqual(try container.resolve(Int?.self), 1)
    try container.register(Int.self) { _ in 2 }
    XCTAssertThrowsError(try container.resolve(Int?.self))
    XCTAssertTrue(try container.resolveIfRegistered(Int?.self) == .none)
    XCTAssertFalse(container.contains(Int?.self))
    try container.register(Int.self) { _ in 3 }.implying(Int?.self)
    XCTAssertEqual(try container.resolve(Int?.self), 3)
    container.unregister(Int.self)
    XCTAssertThrowsError(try container.resolve(Int?.self))
  }

  func testItIsFoundInItsContainerOnly() throws {
    try container.register(Int.self) { _ in 1 }.implying(Int?.self)
    let child = Container(parent: container)
    XCTAssertEqual(try child.resolve(Int.self), 1)
    XCTAssertThrowsError(try child.resolve(Int?.self))
    try container.register(Int?.self) { _ in 2 }
    try child.register(Int.self) { _ in 3 }.implying(Int?.self)
    XCTAssertEqual(try child.resolve(Int?.self), 2, "that of the parent is explicit")
  }

  func testAnInstanceOfAnotherTypeIsAnError() throws {
    try container.register(Int.self) { _ in 1 }.implying(String.self)
    XCTAssertThrowsError(try container.resolve(String.self)) { error in
      let inner = (error as? ResolutionError)?.underlyingError
      guard case InstanceError.doesNotImplement? = inner else { return XCTFail("\(error)") }
    }
  }

  func testFactoriesThatAreReplacedAreReleased() throws {
    let tracker = LifetimeTracker()
    for _ in 0..<3 {
      let capture = tracker.make()
      try container.register(Int.self) { _ in capture.serial }.implying(Int?.self)
      XCTAssertEqual(try container.resolve(Int?.self), capture.serial)
    }
    settleReclamation()
    XCTAssertEqual(tracker.alive, 1)
  }

  func testEightThreadsResolveTheImpliedTypeWhileItComesAndGoes() throws {
    let container = container
    try container.register(Int.self) { _ in 1 }.implying(Int?.self)
    try onThreads(8) { index in
      for round in 0..<200 {
        if index == 0 {
          try container.register(Int.self) { _ in round }.implying(Int?.self)
        } else if let found = try container.resolveIfRegistered(Int?.self) {
          XCTAssertNotNil(found)
        }
      }
    }
    XCTAssertEqual(try container.resolve(Int?.self), 199)
  }
}
