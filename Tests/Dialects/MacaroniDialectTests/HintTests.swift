// SPDX-License-Identifier: MIT

import Corinth
import MacaroniDialect
import TestSupport
import XCTest

/// In the library, a second registration of a key is the way to override the first.
private struct Module: Corinth.Assembly {
  func assemble(container: Corinth.Container) throws {
    let container = MacaroniDialect.Container()
    container.register { 1 }
    container.register { 2 }
    XCTAssertEqual(try container.resolve() as Int, 2)
  }
}

final class HintTests: MacaroniTestCase {
  func testASecondRegistrationInAnAssemblyOfCorinthIsNoMistake() throws {
    let hints = EventLog()
    Corinth.Container.onHint = { hints.add($0) }
    defer { Corinth.Container.onHint = nil }
    try Corinth.Assembler(container: Corinth.Container()).apply(assemblies: [Module()])
    XCTAssertEqual(hints.entries, [])
  }
}
