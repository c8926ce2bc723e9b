// SPDX-License-Identifier: MIT

import SwinjectDialect
import TestSupport
import XCTest

final class HintTests: XCTestCase {
  /// In the library, a second registration of a key is the way to override the first.
  func testASecondRegistrationInAnAssemblyOfCorinthIsNoMistake() throws {
    let hints = try hintsInAnAssembly {
      let container = SwinjectDialect.Container()
      container.register(Int.self) { _ in 1 }
      container.register(Int.self) { _ in 2 }
      XCTAssertEqual(container.resolve(Int.self), 2)
    }
    XCTAssertEqual(hints, [])
  }
}
