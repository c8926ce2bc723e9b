// SPDX-License-Identifier: MIT

import Corinth
import FusionDialect
import TestSupport
import XCTest

/// In the library, a second registration of a key is the way to override the first.
private struct Module: Corinth.Assembly {
  func assemble(container: Corinth.Container) throws {
    let container = FusionDialect.Container()
    container.bind(value: 1)
    container.bind(value: 2)
    XCTAssertEqual(container.resolve(Int.self), 2)
  }
}

final class HintTests: XCTestCase {
  func testASecondRegistrationInAnAssemblyOfCorinthIsNoMistake() throws {
    let hints = EventLog()
    Corinth.Container.onHint = { hints.add($0) }
    defer { Corinth.Container.onHint = nil }
    try Corinth.Assembler(container: Corinth.Container()).apply(assemblies: [Module()])
    XCTAssertEqual(hints.entries, [])
  }
}
