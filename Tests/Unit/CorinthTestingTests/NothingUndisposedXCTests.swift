// SPDX-License-Identifier: MIT

import Corinth
import CorinthXCTest
import TestSupport
import XCTest

/// What a container leaves undisposed in a closure, and what the failure says.
final class NothingUndisposedXCTests: FailedTestCase {
  @PerTest private var shop = Shop()
  private var scope: Container?

  override func makeContainer() throws -> Container { shop.container }

  override func tearDown() async throws {
    try await scope?.close()
    scope = nil
  }

  func testNothingFailsIfAllIsDisposedOf() async throws {
    let fork = shop.container.fork()
    let label = try await assertNothingUndisposed(in: fork) {
      defer { XCTAssertEqual(shop.disposals.value, 2) }
      _ = try await fork.withScope { try $0.resolve(Basket.self).serial }
      let label = try fork.label
      try await fork.shutdown()
      return label
    }
    XCTAssertEqual(label, "real")
  }

  func testSynchronousCodeMayAssertIt() throws {
    let fork = shop.container.fork()
    let label = try assertNothingUndisposed(in: fork) {
      let label = try fork.label
      try fork.syncClose()
      return label
    }
    XCTAssertEqual(label, "real")
    XCTAssertEqual(shop.disposals.value, 1)
  }

  func testWhatIsDropped() async throws {
    expected = [
      "A request scope was dropped before it was closed: it has not disposed of Basket.",
      "A container was dropped before its shutdown: it has not disposed of Checkout.",
    ]
    let application = shop.container
    try await assertNothingUndisposed(in: application) {
      _ = try application.makeScope().resolve(Basket.self)
      try await Task.detached { _ = try application.fork().label }.value
    }
  }

  func testAContainerThatIsNotShutDown() throws {
    expected = [
      """
      A container was not shut down in the closure: it has not disposed of Checkout.
        Checkout is registered at CorinthTestingTests/Shop.swift:
      """
    ]
    let fork = shop.container.fork()
    try assertNothingUndisposed(in: fork) { _ = try fork.label }
    try fork.syncClose()
  }

  func testAScopeThatIsStillOpen() {
    expected = [
      """
      1 request scope was still open at the end of the closure.
        hint: close each scope, or use `withScope`
      """
    ]
    assertNothingUndisposed(in: container) { scope = container.makeScope() }
  }

  func testADropInAForkOfTheTestCountsOnce() throws {
    expected = ["Checkout was released, and not disposed of."]
    let fork = container.fork()
    try assertNothingUndisposed(in: fork) {
      _ = try fork.label
      fork.release(Checkout.self)
    }
  }
}
