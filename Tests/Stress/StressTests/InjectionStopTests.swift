// SPDX-License-Identifier: MIT

import Corinth
import TestSupport
import XCTest

private final class Service {
  @Injected var mailer: String
}

final class InjectionStopTests: ForkTestCase {
  func testAPropertyThatCannotBeResolvedEndsTheProgramWithTheWholeMessage() {
    let child = ForkedChild { _ = Service().mailer }
    XCTAssertNotEqual(child.signal, 0)
    for part in ["Service.mailer, declared at", "InjectionStopTests.swift:8", "hint:"] {
      XCTAssertTrue(child.errorOutput.contains(part), child.errorOutput)
    }
  }
}
