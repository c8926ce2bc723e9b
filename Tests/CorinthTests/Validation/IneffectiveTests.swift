// SPDX-License-Identifier: MIT

import Corinth
import TestSupport
import XCTest

/// What was said of registrations and has no effect.
final class IneffectiveTests: ContainerTestCase {
  private struct PerThread: Instance {
    func get(for context: InstanceContext) -> Quartz? { nil }
    func set(_ product: Quartz, for context: InstanceContext) {}
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

  private func registerQuartz(scope: Scope<Quartz>? = nil) throws -> Registration<Quartz> {
    try container.register(
      Quartz.self, scope: scope, file: "Garage/Clocks.swift", line: 3
    ) { _ in Quartz() }
  }

  // MARK: - Scopes

  func testAScopeThatAnotherOneOverrules() throws {
    try registerQuartz().asSingleton().asScoped()
    assertFinding("validation-scope-overruled")
  }

  func testTheScopeOfTheRegistrationIsOverruledToo() throws {
    try registerQuartz(scope: .singleton).asWeak().asGraph()
    assertFinding("validation-scopes-overruled")
  }

  func testAnInstanceOverrulesAScope() throws {
    try container.register(
      Quartz.self, scope: .singleton, with: .as(PerThread()), file: "Garage/Clocks.swift", line: 3
    ) { _ in Quartz() }
    assertFinding("validation-scope-overruled-by-instance")
  }

  func testAScopeMayBeGivenInPlaceOfTheDefault() throws {
    let container = Container(defaultScope: .singleton)
    try container.register(Quartz.self) { _ in Quartz() }.asScoped()
    XCTAssertNoThrow(try container.validate())
  }

  func testTheSameScopeMayBeGivenTwice() throws {
    try registerQuartz(scope: .singleton).asSingleton()
    XCTAssertNoThrow(try container.validate())
  }
}
