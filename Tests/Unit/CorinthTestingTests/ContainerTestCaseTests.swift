// SPDX-License-Identifier: MIT

import Corinth
import CorinthXCTest
import TestSupport
import XCTest

private let application = Shop().container

final class ContainerTestCaseTests: CorinthXCTest.ContainerTestCase {
  private var label: String?

  override func makeContainer() throws -> Container { application }

  override func overrideServices(in container: Container) throws {
    try container.overrideMailer("fake")
  }

  override func setUp() async throws {
    try container.register(Int.self) { _ in 7 }
    XCTAssertTrue(Container.current === container)
  }

  override func setUpWithError() throws {
    label = try container.resolve((any Mailer).self).label
    XCTAssertTrue(Container.current === container)
  }

  override func tearDown() {
    XCTAssertFalse(container.isClosed)
    XCTAssertTrue(Container.current === container)
  }

  func testASynchronousTestSeesTheFork() throws {
    XCTAssertEqual(label, "fake")
    XCTAssertTrue(container.base === application)
    XCTAssertEqual(try container.label, "fake")
    XCTAssertEqual(CheckoutPage().checkout.mailer.label, "fake")
    XCTAssertEqual(try container.resolve(Int.self), 7)
    XCTAssertEqual(try application.resolve((any Mailer).self).label, "real")
  }

  func testAnAsynchronousTestSeesTheFork() async throws {
    await Task.yield()
    XCTAssertTrue(Container.current === container)
    let label = await Task { CheckoutPage().checkout.mailer.label }.value
    XCTAssertEqual(label, "fake")
    XCTAssertEqual(try container.resolve(Int.self), 7)
  }

  @MainActor func testATestOfTheMainActorSeesTheFork() async throws {
    await Task.yield()
    XCTAssertTrue(Container.current === container)
    XCTAssertEqual(CheckoutPage().checkout.mailer.label, "fake")
  }

  func testATestMayOverrideMore() throws {
    try container.overrideMailer("body")
    XCTAssertEqual(try container.label, "body")
  }

  func testAsynchronousDisposersOfTheMainActorRun() throws {
    try container.register(String.self, scope: .singleton) { _ in "" }.onDispose { _ in
      await MainActor.run { MainActor.assertIsolated() }
    }
    XCTAssertEqual(try container.resolve(String.self), "")
  }
}

/// What a test case that cannot derive from the class writes.
final class InvokedTestTests: XCTestCase {
  override func invokeTest() {
    invokeTest(in: application) { container in
      try container.overrideMailer("invoked")
    } run: {
      super.invokeTest()
    }
    XCTAssertNil(Container.current)
  }

  func testTheForkIsCurrent() throws {
    XCTAssertEqual(try XCTUnwrap(Container.current).label, "invoked")
  }
}
