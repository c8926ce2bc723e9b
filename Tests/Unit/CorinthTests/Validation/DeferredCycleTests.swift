// SPDX-License-Identifier: MIT

import Corinth
import TestSupport
import XCTest

/// Cycles that a `Lazy` or a `Provider` closes: they are listed, and are no findings.
final class DeferredCycleTests: ContainerTestCase {
  private final class Left: Sendable {
    init(right _: Lazy<Right>) {}
  }
  private final class Right: Sendable {
    init(middle _: Middle) {}
  }
  private final class Middle: Sendable {
    init(left _: Provider<Left>) {}
  }
  private final class Own: Sendable {
    init(own _: Lazy<Own>) {}
  }
  private final class Outside: Sendable {
    init(left _: Lazy<Left>) {}
  }

  private func keys(of report: ValidationReport) -> [[RegistrationKey]] {
    report.deferredCycles.map { $0.map(\.key) }
  }

  func testACycleIsListedWithItsLines() throws {
    let line = #line + 1
    try container.wire(Left.self, scope: .singleton, using: Left.init)
    try container.wire(Right.self, scope: .singleton, using: Right.init)
    try container.wire(Middle.self, using: Middle.init)
    try container.wire(Outside.self, using: Outside.init)
    let report = try container.validate()
    XCTAssertEqual(
      keys(of: report),
      [[RegistrationKey(Left.self), RegistrationKey(Right.self), RegistrationKey(Middle.self)]])
    XCTAssertEqual(
      report.deferredCycles[0].map { Int($0.location.line) }, [line, line + 1, line + 2])
  }

  func testALazyOfItsHolderIsACycleOfOne() throws {
    try container.wire(Own.self, scope: .singleton, using: Own.init)
    XCTAssertEqual(keys(of: try container.validate()), [[RegistrationKey(Own.self)]])
  }

  func testWithoutACycleNothingIsListed() throws {
    try container.register(Left.self) { _ in preconditionFailure("no factory runs") }
    try container.wire(Outside.self, using: Outside.init)
    XCTAssertEqual(keys(of: try container.validate()), [])
  }
}
