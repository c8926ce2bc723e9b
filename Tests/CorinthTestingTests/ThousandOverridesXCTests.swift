// SPDX-License-Identifier: MIT

import Corinth
import CorinthXCTest
import TestSupport
import XCTest

/// A thousand runs of one application, each with an override of its own, at once.
final class ThousandOverridesXCTests: CorinthXCTest.ContainerTestCase {
  @PerTest private var shop = Shop()
  private let count = 1000

  override func makeContainer() throws -> Container { shop.container }

  override func overrideServices(in container: Container) throws {
    try container.overrideMailer("of the test case")
  }

  private func assertAllAreGone(_ instances: Int) async {
    XCTAssertEqual(shop.tracker.created, instances)
    XCTAssertEqual(shop.disposals.value, instances)
    await shop.tracker.waitUntilNoneIsLeft()
    XCTAssertEqual(shop.tracker.alive, 0)
  }

  func testNoTaskSeesTheOverrideOfAnother() async throws {
    let application = shop.container
    let labels = try await onTasks(count) { index in
      try await application.withOverrides {
        XCTAssertEqual(try $0.resolve((any Mailer).self).label, "of the test case")
        await Task.yield()
        try $0.overrideMailer("\(index)")
      } run: { container in
        await Task.yield()
        let page = CheckoutPage()
        try await container.withScope { scope in
          await Task.yield()
          XCTAssertTrue(try scope.resolve(Checkout.self) === page.checkout)
          _ = try scope.resolve(Basket.self)
        }
        return page.checkout.mailer.label
      }
    }
    XCTAssertEqual(labels, (0..<count).map(String.init))
    await assertAllAreGone(2 * count)
  }

  func testNoThreadSeesTheOverrideOfAnother() async throws {
    let (application, rounds) = (shop.container, count / 8)
    let labels = try onThreads(8) { thread in
      try (0..<rounds).map { round in
        try application.syncWithOverrides {
          // Another thread is no part of the test.
          XCTAssertEqual(try $0.resolve((any Mailer).self).label, "real")
          try $0.overrideMailer("\(thread * rounds + round)")
        } run: { container in
          let page = CheckoutPage()
          try container.syncWithScope { _ = try $0.resolve(Basket.self) }
          return page.checkout.mailer.label
        }
      }
    }
    XCTAssertEqual(labels.flatMap(\.self), (0..<count).map(String.init))
    await assertAllAreGone(2 * count)
  }
}
