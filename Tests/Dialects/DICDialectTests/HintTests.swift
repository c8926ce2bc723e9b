// SPDX-License-Identifier: MIT

import DICDialect
import TestSupport
import XCTest

final class HintTests: XCTestCase {
  /// In the libraries, a second registration of a key is the way to override the first.
  func testASecondRegistrationInAnAssemblyOfCorinthIsNoMistake() throws {
    let hints = try hintsInAnAssembly {
      let container = DependencyInjectionContainer()
      container.register { 1 }
      container.register { 2 }
      XCTAssertEqual(container.load(Int.self), 2)
    }
    XCTAssertEqual(hints, [])
  }
}
