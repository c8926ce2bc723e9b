// SPDX-License-Identifier: MIT
// Samples of the guide Testing, word by word: see GuideTests.

import Corinth
import CorinthXCTest
import XCTest

final class CheckoutXCTests: ContainerTestCase {
  override func makeContainer() throws -> Container { application }

  override func overrideServices(in container: Container) throws {
    try container.register(
      value: RecordingMailer(), as: (any Mailer).self, onDuplicate: .require)
  }

  func testAnOrderIsConfirmed() throws {
    try container.resolve(Checkout.self).buy("pen")
    let mailer = try container.resolve((any Mailer).self) as? RecordingMailer
    XCTAssertEqual(mailer?.letters, ["a pen is on its way"])
  }

  func testInASaleEverythingCostsTheSame() throws {
    try container.register(
      value: Sale(), as: (any Catalog).self, onDuplicate: .require)
    XCTAssertEqual(try container.resolve(Checkout.self).buy("ruler"), 100)
  }
}

class TestCaseOfOurs: XCTestCase {}

final class SaleTests: TestCaseOfOurs {
  override func invokeTest() {
    invokeTest(in: application) { container in
      try container.register(
        value: Sale(), as: (any Catalog).self, onDuplicate: .require)
    } run: {
      super.invokeTest()
    }
  }

  func testAPenIsDear() throws {
    let container = try XCTUnwrap(Container.current)
    XCTAssertEqual(try container.resolve(Checkout.self).price(of: "pen"), 100)
  }
}

final class TenantXCTests: XCTestCase {
  func testATenantIsShutDown() async throws {
    let tenant = application.fork()
    try await assertNothingUndisposed(in: tenant) {
      XCTAssertEqual(try tenant.resolve(Checkout.self).price(of: "pen"), 120)
      try await tenant.shutdown()
    }
  }
}
