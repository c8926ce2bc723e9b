// SPDX-License-Identifier: MIT

import Histories
import XCTest

final class HistoryScriptTests: XCTestCase {
  func testASeedRepeatsItsScript() {
    for seed in UInt64(1)...100 {
      XCTAssertEqual(HistoryScript(seed: seed).description, HistoryScript(seed: seed).description)
    }
    XCTAssertNotEqual(HistoryScript(seed: 1).description, HistoryScript(seed: 2).description)
  }

  func testScriptsHaveAllThatAContainerCanBeAskedFor() {
    let scripts = (UInt64(1)...500).map { HistoryScript(seed: $0) }
    let text = scripts.map(\.description).joined()
    for part in [
      "register", "override", "unregister", "resolve", "contains", "release", "singleton",
      "transient", "weak", "cached", "ifRegistered", "borrowed", "provider", "inChild", "child",
      "collide", "before", "thread 3",
    ] { XCTAssertTrue(text.contains(part), part) }
    XCTAssertEqual(Set(scripts.map(\.threads.count)), [3, 4])
  }

  func testRegistrationsAreNumberedWithoutRepetition() {
    for seed in UInt64(1)...100 {
      let numbers = HistoryScript(seed: seed).operations.compactMap { operation in
        switch operation.kind {
        case .register(let made), .override(let made): made.number
        default: nil
        }
      }
      XCTAssertEqual(Set(numbers).count, numbers.count)
    }
  }
}
