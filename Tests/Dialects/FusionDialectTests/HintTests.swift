// SPDX-License-Identifier: MIT

import FusionDialect
import TestSupport
import XCTest

final class HintTests: XCTestCase {
  /// In the library, a second registration of a key is the way to override the first.
  func testASecondRegistrationInAnAssemblyOfCorinthIsNoMistake() throws {
    let hints = try hintsInAnAssembly {
      let container = FusionDialect.Container()
      container.bind(value: 1)
      container.bind(value: 2)
      XCTAssertEqual(container.resolve(Int.self), 2)
    }
    XCTAssertEqual(hints, [])
  }
}
