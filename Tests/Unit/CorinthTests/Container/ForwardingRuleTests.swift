// SPDX-License-Identifier: MIT

import Corinth
import TestSupport
import XCTest

private protocol Storage: AnyObject, Sendable { var serial: Int { get } }
private final class Disk: Tracked, Storage, @unchecked Sendable {}
private protocol Unrelated: AnyObject {}

/// What an alias leads to when registrations change, or are wrong.
final class ForwardingRuleTests: ContainerTestCase {
  private let tracker = LifetimeTracker()

  @discardableResult
  private func registerDisk(
    name: Name? = nil, scope: AnyScope = .transient, onDuplicate: DuplicatePolicy? = nil
  ) throws -> Registration<Disk> {
    try container.register(Disk.self, name: name, scope: scope, onDuplicate: onDuplicate) {
      [tracker] _ in Disk(tracker)
    }
  }

  private func assertCycle(line: UInt = #line, _ resolve: () throws -> Any?) {
    XCTAssertThrowsError(try resolve(), line: line) { error in
      guard case ResolutionError.circularDependencyDetected = error else {
        return XCTFail("\(error)", line: line)
      }
    }
  }

  func testAnOverrideOfTheTargetIsFollowed() throws {
    try registerDisk(scope: .singleton).implements((any Storage).self)
    let provider = try container.provider(for: (any Storage).self)
    XCTAssertEqual(try provider().serial, 1)
    try registerDisk(scope: .singleton)
    XCTAssertEqual(try provider().serial, 2)
    XCTAssertTrue(try container.resolve((any Storage).self) === container.resolve(Disk.self))
  }

  func testAnAliasIsOverriddenLikeAnyRegistration() throws {
    let registration = try registerDisk(scope: .singleton)
    registration.implements((any Storage).self)
    try container.register((any Storage).self) { [tracker] _ in Disk(tracker) }
    XCTAssertFalse(try container.resolve((any Storage).self) === container.resolve(Disk.self))
    try container.forward((any Storage).self, to: Disk.self)
    XCTAssertTrue(try container.resolve((any Storage).self) === container.resolve(Disk.self))
  }

  func testAnAliasThatIsNotOverridableStays() throws {
    try registerDisk(name: "a", scope: .singleton)
    try registerDisk(name: "b", scope: .singleton)
    try container.forward((any Storage).self, to: Disk.self, targetName: "a", onDuplicate: .refuse)
    XCTAssertThrowsError(
      try container.forward((any Storage).self, to: Disk.self, targetName: "b")
    ) {
      guard case RegistrationError.alreadyRegistered = $0 else { return XCTFail("\($0)") }
    }
    XCTAssertThrowsError(
      try container.register((any Storage).self) { [tracker] _ in Disk(tracker) })
    XCTAssertTrue(
      try container.resolve((any Storage).self) === container.resolve(Disk.self, name: "a"))
  }

  func testImplementsIsAsOverridableAsTheRegistration() throws {
    try registerDisk(onDuplicate: .refuse).implements((any Storage).self)
    XCTAssertThrowsError(
      try container.register((any Storage).self) { [tracker] _ in Disk(tracker) })
    XCTAssertTrue(container.unregister((any Storage).self))
    try container.register((any Storage).self) { [tracker] _ in Disk(tracker) }
  }

  func testModifyingTheTargetAfterwardsIsFollowed() throws {
    try registerDisk().implements((any Storage).self).as(.singleton)
    XCTAssertTrue(
      try container.resolve((any Storage).self) === container.resolve((any Storage).self))
  }

  func testTheTargetMayComeLater() throws {
    try container.forward((any Storage).self, to: Disk.self)
    XCTAssertTrue(container.contains((any Storage).self))
    XCTAssertThrowsError(try container.resolve((any Storage).self)) { error in
      guard case ResolutionError.noRegistrationFound(let context) = error else {
        return XCTFail("\(error)")
      }
      XCTAssertEqual(context.path.map(\.description), ["any Storage", "Disk"])
    }
    XCTAssertThrowsError(try container.resolveIfRegistered((any Storage).self))
    try registerDisk()
    XCTAssertEqual(try container.resolve((any Storage).self).serial, 1)
  }

  func testUnregisteringTheTargetLeavesTheAliasWithoutOne() throws {
    try registerDisk(scope: .singleton).implements((any Storage).self)
    _ = try container.resolve((any Storage).self)
    container.unregister(Disk.self)
    XCTAssertThrowsError(try container.resolve((any Storage).self))
    XCTAssertEqual(tracker.left, 0)
    XCTAssertTrue(container.unregister((any Storage).self))
    XCTAssertNil(try container.resolveIfRegistered((any Storage).self))
  }

  func testAChildsTargetIsServedToWhoAsksTheChild() throws {
    try registerDisk(scope: .singleton).implements((any Storage).self)
    let child = Container(parent: container)
    let tracker = tracker
    try child.register(Disk.self, scope: .singleton) { _ in Disk(tracker) }
    XCTAssertTrue(try child.resolve((any Storage).self) === child.resolve(Disk.self))
    XCTAssertTrue(try container.resolve((any Storage).self) === container.resolve(Disk.self))
    XCTAssertFalse(
      try container.resolve((any Storage).self) === child.resolve((any Storage).self))
  }

  // MARK: - Errors

  func testAliasesThatGoRoundAreErrors() throws {
    try container.forward(Disk.self, to: Tracked.self)
    try container.forward(Tracked.self, to: (any Storage).self)
    try container.forward((any Storage).self, to: Disk.self)
    assertCycle { try container.resolve(Disk.self) }
    assertCycle { try container.resolveIfRegistered(Tracked.self) }
    try container.forward(Disk.self, name: "self", to: Disk.self, targetName: "self")
    assertCycle { try container.resolve(Disk.self, name: "self") }
  }

  func testAliasesWithArgumentsThatGoRoundAreErrors() throws {
    try container.forward(Disk.self, to: Tracked.self, arguments: Int.self)
    try container.forward(Tracked.self, to: Disk.self, arguments: Int.self)
    let container = container
    try onSmallStack {
      XCTAssertThrowsError(try container.resolve(Disk.self, arguments: 1)) { error in
        guard case ResolutionError.circularDependencyDetected = error else {
          return XCTFail("\(error)")
        }
      }
    }
  }

  func testAliasesThatGoRoundAreErrorsAsynchronously() async throws {
    try container.forward(Disk.self, to: Tracked.self)
    try container.forward(Tracked.self, to: Disk.self)
    do {
      _ = try await container.resolveAsync(Disk.self)
      XCTFail("no error")
    } catch {
      XCTAssertTrue(error.is(.circularDependencyDetected), "\(error)")
    }
  }

  func testAnInstanceOfAnotherTypeIsAnError() throws {
    try registerDisk(scope: .singleton).implements((any Unrelated).self)
    XCTAssertThrowsError(try container.resolve((any Unrelated).self)) { error in
      let underlying = (error as? ResolutionError)?.underlyingError
      guard case InstanceError.doesNotImplement? = underlying else { return XCTFail("\(error)") }
    }
    XCTAssertEqual(try container.resolve(Disk.self).serial, 1)
  }

  private struct Value: Sendable {}

  func testAValueThatDoesNotConformIsRefused() throws {
    let registration = try container.register(Value.self, file: "App/Values.swift", line: 1) { _ in
      Value()
    }
    XCTAssertThrowsError(
      try container.forward((any Unrelated).self, to: Value.self, file: "App/Values.swift", line: 2)
    ) {
      XCTAssertTrue($0.is(RegistrationError.doesNotImplement), "\($0)")
      let text = "\($0)".replacing(/\(unknown context at \$[0-9a-f]+\)\./, with: "")
      assertGolden("forward-refused", text)
    }
    registration.implements((any Unrelated).self)
    assertInvalid(.doesNotImplement) { try container.resolve(Value.self) }
    XCTAssertNil(try container.resolveIfRegistered((any Unrelated).self))
  }

  func testAClassIsNotForwardedToAnotherOne() throws {
    XCTAssertThrowsError(try container.forward(Tracked.self, to: Motor.self)) {
      XCTAssertTrue($0.is(RegistrationError.doesNotImplement), "\($0)")
    }
  }
}
