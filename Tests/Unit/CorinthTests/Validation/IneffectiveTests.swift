// SPDX-License-Identifier: MIT

import Corinth
import TestSupport
import XCTest

/// What was said of registrations and has no effect.
final class IneffectiveTests: ContainerTestCase {
  private struct PerThread: CustomStorage {
    func get(for context: StorageContext) -> Quartz? { nil }
    func set(_ product: Quartz, for context: StorageContext) {}
    func release() {}
  }

  private func assertFinding(
    _ golden: String, file: StaticString = #filePath, line: UInt = #line
  ) {
    let findings = findings({ try container.validate() }, file: file, line: line)
    XCTAssertEqual(findings.map(\.kind), [.ineffective], "\(findings)", file: file, line: line)
    let text = findings.map(\.description).joined(separator: "\n")
    assertGolden(golden, text, file: file, line: line)
  }

  @discardableResult
  private func registerQuartz(scope: Scope<Quartz>? = nil) throws -> Registration<Quartz> {
    try container.register(
      Quartz.self, scope: scope, file: "Garage/Clocks.swift", line: 3
    ) { _ in Quartz() }
  }

  // MARK: - Inputs

  func testAnInputThatARegistrationReplaces() throws {
    try container.registerInput(Quartz.self, file: "Garage/Clocks.swift", line: 2)
    try registerQuartz()
    assertFinding("validation-input-replaced")
    try container.registerInput(Quartz.self)
    try container.validate()
  }

  func testAnInputThatAForkReplaces() throws {
    try container.registerInput(Quartz.self)
    let fork = container.fork()
    try fork.register(Quartz.self, onDuplicate: .require) { _ in Quartz() }
    try fork.validate()
    let other = container.fork()
    try other.register(Quartz.self) { _ in Quartz() }
    try other.validate()
  }

  // MARK: - Scopes

  func testAScopeThatAnotherOneOverrules() throws {
    try registerQuartz().as(.singleton).as(.scoped)
    assertFinding("validation-scope-overruled")
  }

  func testTheScopeOfTheRegistrationIsOverruledToo() throws {
    try registerQuartz(scope: .singleton).as(.weak).as(.graph)
    assertFinding("validation-scopes-overruled")
  }

  func testAnInstanceOverrulesAScope() throws {
    try container.register(
      Quartz.self, scope: .singleton, with: .as(PerThread()), file: "Garage/Clocks.swift", line: 3
    ) { _ in Quartz() }
    assertFinding("validation-scope-overruled-by-instance")
  }

  func testAScopeMayBeGivenInPlaceOfThatOfAValue() throws {
    try container.register(value: Quartz(), with: .as(PerThread()))
    try container.validate()
  }

  func testAScopeMayBeGivenInPlaceOfTheDefault() throws {
    let container = Container(defaultScope: .singleton)
    try container.register(Quartz.self) { _ in Quartz() }.as(.scoped)
    XCTAssertNoThrow(try container.validate())
  }

  func testTheSameScopeMayBeGivenTwice() throws {
    try registerQuartz(scope: .singleton).as(.singleton)
    XCTAssertNoThrow(try container.validate())
  }

  // MARK: - Decorators

  func testADecoratorThatMeetsNothing() throws {
    try container.decorate(Axle.self, file: "Garage/Logs.swift", line: 5) { axle, _ in axle }
    assertFinding("validation-decorator-of-nothing")
  }

  func testADecoratorOfWhatIsRegisteredUnderAnotherType() throws {
    try container.register(Component.self, file: "Garage/Parts.swift", line: 1) { _ in Quartz() }
    try container.decorate(Quartz.self, file: "Garage/Logs.swift", line: 5) { quartz, _ in quartz }
    assertFinding("validation-decorator-of-another-type")
  }

  func testADecoratorMeetsNamesArgumentsForwardsAndElements() throws {
    try container.register(Quartz.self, name: "utc") { _ in Quartz() }.implements(Component.self)
    try container.register(Axle.self) { (_, _: Int) in Axle() }
    try container.contribute(to: Gearbox.self) { _ in Gearbox() }
    try container.decorate(Quartz.self) { quartz, _ in quartz }
    try container.decorate(Component.self) { component, _ in component }
    try container.decorate(Axle.self) { axle, _ in axle }
    try container.decorate(Gearbox.self) { gearbox, _ in gearbox }
    XCTAssertNoThrow(try container.validate())
  }

  func testADecoratorMayMeetWhatAChildRegisters() throws {
    try container.decorate(Quartz.self) { quartz, _ in quartz }
    XCTAssertEqual(findings { try container.fork().validate() }.map(\.kind), [.ineffective])
    let child = Container(parent: container)
    XCTAssertEqual(findings { try child.validate() }.map(\.kind), [.ineffective])
    try child.register(Quartz.self) { _ in Quartz() }
    XCTAssertNoThrow(try child.validate())
    XCTAssertNoThrow(try container.validate())
    XCTAssertNoThrow(try container.fork().validate())
  }

  func testARemovedDecoratorIsNoFinding() throws {
    try container.decorate(Quartz.self) { quartz, _ in quartz }.remove()
    XCTAssertNoThrow(try container.validate())
  }

  // MARK: - Modifiers of a frozen container

  func testModifiersOfAFrozenContainer() throws {
    let registration = try registerQuartz()
    try container.freeze()
    registration.as(.singleton).onDispose { _ in }.onDispose { _ in }.eager()
    assertFinding("validation-modifiers-refused")
    XCTAssertEqual(findings { try container.fork().validate() }.map(\.kind), [.ineffective])
  }

  func testATypeThatIsServedTooLate() throws {
    let registration = try registerQuartz()
    try container.freeze()
    registration.implements(Component.self)
    XCTAssertEqual(findings { try container.validate() }.map(\.kind), [.ineffective])
  }

  func testAModifierThatComesAgainIsNoFinding() throws {
    let registration = try registerQuartz()
    try container.freeze()
    registration.as(.singleton).eager()
    container.thaw()
    registration.as(.singleton)
    let text = findings { try container.validate() }.map(\.description).joined()
    XCTAssertTrue(text.contains("not modified by eager()"), text)
    registration.eager()
    XCTAssertNoThrow(try container.validate())
  }

  func testARegistrationThatReplacesTheModifiedOneIsNoFinding() throws {
    let registration = try registerQuartz()
    try container.freeze()
    registration.as(.singleton)
    container.thaw()
    try registerQuartz().as(.singleton)
    XCTAssertNoThrow(try container.validate())
  }
}
