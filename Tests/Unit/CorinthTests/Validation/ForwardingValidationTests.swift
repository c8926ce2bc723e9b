// SPDX-License-Identifier: MIT

import Corinth
import TestSupport
import XCTest

/// Forwards whose target is not clear.
final class ForwardingValidationTests: ContainerTestCase {
  private func assertFinding(
    _ golden: String, file: StaticString = #filePath, line: UInt = #line
  ) {
    let findings = findings({ try container.validate() }, file: file, line: line)
    XCTAssertEqual(findings.map(\.kind), [.forwarding], "\(findings)", file: file, line: line)
    let text = findings.map(\.description).joined(separator: "\n")
    assertGolden(golden, text, file: file, line: line)
  }

  func testTwoRegistrationsThatImplementOneType() throws {
    try container.wire(Quartz.self, using: Quartz.init, file: "Garage/Clocks.swift", line: 3)
      .implements(Component.self)
    try container.register(Axle.self, file: "Garage/Cars.swift", line: 9) { _ in Axle() }
      .implements(Component.self)
    assertFinding("validation-forwarded-twice")
    container.unregister(Quartz.self)
    XCTAssertNoThrow(try container.validate())
  }

  /// The registration was replaced without a word.
  func testARegistrationOfTheTypeThatAnotherOneImplements() throws {
    try container.register(Component.self, file: "Garage/Parts.swift", line: 1) { _ in Quartz() }
    try container.register(Axle.self, file: "Garage/Cars.swift", line: 9) { _ in Axle() }
      .implements(Component.self)
    assertFinding("validation-forwarded-and-registered")
  }

  func testAnOverrideOfWhatAnotherOneImplementsIsMeant() throws {
    try container.register(Axle.self) { _ in Axle() }.implements(Component.self)
    try container.register(Component.self, onDuplicate: .require) { _ in Quartz() }
    XCTAssertNoThrow(try container.validate())
  }

  func testImplementingAgainIsNoProblem() throws {
    for _ in 0..<3 {
      try container.wire(Quartz.self, using: Quartz.init).implements(Component.self)
    }
    XCTAssertNoThrow(try container.validate())
  }

  func testAForkMayImplementWhatItsBaseDoes() throws {
    try container.wire(Quartz.self, using: Quartz.init).implements(Component.self)
    let fork = container.fork()
    try fork.register(Axle.self) { _ in Axle() }.implements(Component.self)
    XCTAssertNoThrow(try fork.validate())
    XCTAssertTrue(try fork.resolve(Component.self) is Axle)
  }

  func testAChildMayImplementWhatItsParentDoes() throws {
    try container.wire(Quartz.self, using: Quartz.init).implements(Component.self)
    let child = Container(parent: container)
    try child.register(Axle.self) { _ in Axle() }.implements(Component.self)
    XCTAssertNoThrow(try child.validate())
  }

  func testAForwardWhoseTargetIsGone() throws {
    try container.wire(
      Quartz.self, name: "utc", using: Quartz.init, file: "Garage/Clocks.swift", line: 3)
    try container.forward(Component.self, to: Quartz.self, file: "Garage/Parts.swift", line: 1)
    assertFinding("validation-forwarded-to-nothing")
  }

  func testForwardsThatLeadToThemselves() throws {
    try container.forward(Component.self, to: Quartz.self, file: "Garage/Parts.swift", line: 1)
    try container.forward(Quartz.self, to: Component.self, file: "Garage/Parts.swift", line: 2)
    assertFinding("validation-forwarded-in-a-circle")
  }

  func testDependenciesAreFollowedThroughForwards() throws {
    try container.registerAsync(Quartz.self) { _ in Quartz() }.implements(Component.self)
    try container.register(Int.self) { (_: Resolver) in 7 }.dependsOn(Component.self)
    let found = findings { try container.validate() }
    XCTAssertEqual(found.map(\.kind), [.asynchronous])
    XCTAssertEqual(
      found.first?.path,
      [RegistrationKey(Int.self), RegistrationKey(Component.self), RegistrationKey(Quartz.self)])
  }

  func testAForwardOfTheParentMayLeadToNothingForItsSingletonsOnly() throws {
    try container.wire(Gearbox.self, using: Gearbox.init(quartz:)).as(.singleton)
    try container.forward(Quartz.self, to: Quartz.self, targetName: "utc")
    let child = Container(parent: container)
    try child.wire(Quartz.self, name: "utc", using: Quartz.init)
    XCTAssertNoThrow(try child.resolve(Quartz.self))
    XCTAssertThrowsError(try child.resolve(Gearbox.self))
    XCTAssertEqual(
      findings { try child.validate() }.map(\.path),
      [
        [
          RegistrationKey(Gearbox.self), RegistrationKey(Quartz.self),
          RegistrationKey(Quartz.self, name: "utc"),
        ]
      ])
  }

  // MARK: - Types

  private protocol Ticking: Sendable {}
  private class Sundial: Component, @unchecked Sendable {}
  private final class Wristwatch: Sundial, Ticking, @unchecked Sendable {}
  private struct Beat: Sendable {}

  func testAClassThatDoesNotConform() throws {
    try container.wire(Quartz.self, using: Quartz.init, file: "Garage/Clocks.swift", line: 3)
      .implements((any Ticking).self)
    let findings = findings { try container.validate() }
    XCTAssertEqual(findings.map(\.kind), [.forwarding], "\(findings)")
    let text = "\(findings[0])".replacing(/\(unknown context at \$[0-9a-f]+\)\./, with: "")
    assertGolden("validation-forwarded-to-another-class", text)
  }

  func testAClassThatIsForwardedOnIsNotJudged() throws {
    try container.register(Wristwatch.self) { _ in Wristwatch() }.implements(Sundial.self)
    try container.forward((any Ticking).self, to: Sundial.self)
    XCTAssertNoThrow(try container.validate())
    XCTAssertNoThrow(try container.resolve((any Ticking).self))
  }

  func testAnInstanceMayBeOfASubclass() throws {
    try container.register(Sundial.self) { _ in Wristwatch() }.implements(Wristwatch.self)
    try container.forward(Component.self, to: Sundial.self)
    XCTAssertNoThrow(try container.validate())
    XCTAssertNoThrow(try container.resolve(Wristwatch.self))
  }

  func testWhatOnlyACastCanJudgeIsNotJudged() throws {
    try container.register(Wristwatch?.self) { _ in Wristwatch() }.implements((any Ticking).self)
    try container.register(Beat.self) { _ in Beat() }.implements(Any.self)
    try container.register(Component.self) { _ in Wristwatch() }.implements(Wristwatch.self)
    XCTAssertNoThrow(try container.validate())
    XCTAssertNoThrow(try container.resolve((any Ticking).self))
  }
}
