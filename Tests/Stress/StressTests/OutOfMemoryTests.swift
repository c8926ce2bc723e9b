// SPDX-License-Identifier: MIT

import CTestSupport
import Foundation
import XCTest

@testable import Corinth

/// When the core runs out of memory, the process ends with a message: no registration is lost
/// silently.
final class OutOfMemoryTests: StressTestCase {
  func testAContainerThatCannotBeMade() {
    assertTrap("a registry") {
      corinth_test_memory_fail_after(0)
      _ = Container()
    }
  }

  func testRegistrationsThatCannotBeKept() {
    for allocations in 0..<8 {
      assertTrap {
        let container = Container()
        corinth_test_memory_fail_after(allocations)
        for key in 0... {
          try container.register(Int.self, name: Name(key)) { _ in key }
        }
      }
    }
  }

  func testAnOverrideThatCannotBeRetired() {
    assertTrap("a retired object") {
      let container = Container()
      try container.register(Int.self) { _ in 1 }
      // Otherwise it is destroyed at once.
      let section = Section.enter()
      defer { section.leave() }
      corinth_test_memory_fail_after(0)
      try container.register(Int.self) { _ in 2 }
    }
  }

  func testWithMemoryNothingOfTheKindHappens() throws {
    try ForkedChild {
      corinth_test_memory_fail_after(10_000)
      let container = Container()
      for key in 0..<1000 { try container.register(Int.self, name: Name(key)) { _ in key } }
      try expect(try container.resolve(Int.self, name: Name(999)) == 999, "another value")
    }.checkSuccess()
  }

  /// Asserts that `body` ends a child process with the message.
  private func assertTrap(
    _ what: String = "", line: UInt = #line, _ body: () throws -> Void
  ) {
    let child = ForkedChild {
      // A crash reporter would take its time.
      signal(SIGABRT, SIG_DFL)
      try body()
    }
    XCTAssertEqual(child.signal, SIGABRT, child.errorOutput, line: line)
    XCTAssertNotNil(
      child.errorOutput.range(
        of: "^corinth: out of memory: no [0-9]+ bytes for \(what)", options: .regularExpression),
      child.errorOutput, line: line)
  }
}
