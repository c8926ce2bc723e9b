// SPDX-License-Identifier: MIT

import MacaroniDialect
import TestSupport
import XCTest

final class HintTests: MacaroniTestCase {
  /// In the library, a second registration of a key is the way to override the first.
  func testASecondRegistrationInAnAssemblyOfCorinthIsNoMistake() throws {
    let hints = try hintsInAnAssembly {
      let container = MacaroniDialect.Container()
      container.register { 1 }
      container.register { 2 }
      XCTAssertEqual(try container.resolve() as Int, 2)
    }
    XCTAssertEqual(hints, [])
  }
}
