// SPDX-License-Identifier: MIT

import Corinth
import CorinthXCTest
import TestSupport
import XCTest

/// A thousand runs of one application, each with an override of its own, at once.
///
/// XCTest runs its tests one after the other: `swift test --parallel` and Xcode start more
/// processes. What runs at once in one process are the tasks and threads of a test.
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

  /// All thousand have overridden before the first of them looks.
  func testNoTaskSeesTheOverrideOfAnother() async throws {
    let (application, count) = (shop.container, count)
    let (arrived, allAreThere) = (AtomicCounter(), AsyncGate())
    let labels = try await onTasks(count) { index in
      // Also one that has failed arrives.
      defer { if arrived.add() >= count { allAreThere.open() } }
      return try await application.withOverrides {
        XCTAssertEqual(try $0.resolve((any Mailer).self).label, "of the test case")
        try $0.overrideMailer("\(index)")
      } run: { container in
        if arrived.add() >= count { allAreThere.open() }
        await allAreThere.wait()
        XCTAssertGreaterThanOrEqual(arrived.value, count)
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

  /// In each round, all threads have overridden before the first of them looks.
  func testNoThreadSeesTheOverrideOfAnother() async throws {
    let (application, rounds) = (shop.container, count / 8)
    let allAreThere = Barrier(8)
    let labels = try onThreads(8) { thread in
      try (0..<rounds).map { round in
        var isThere = false
        // One that has failed does not keep the others waiting.
        defer { if !isThere { allAreThere.wait() } }
        return try application.syncWithOverrides {
          // Another thread is no part of the test.
          XCTAssertEqual(try $0.resolve((any Mailer).self).label, "real")
          try $0.overrideMailer("\(thread * rounds + round)")
        } run: { container in
          isThere = true
          allAreThere.wait()
          let page = CheckoutPage()
          try container.syncWithScope { _ = try $0.resolve(Basket.self) }
          return page.checkout.mailer.label
        }
      }
    }
    XCTAssertEqual(labels.flatMap(\.self), (0..<count).map(String.init))
    await assertAllAreGone(2 * count)
  }

  #if !canImport(ObjectiveC)
    /// Here test cases may be invoked on other threads than XCTest's own. Eight at a time are in
    /// the middle of their tests.
    func testNoTestCaseSeesTheOverrideOfAnother() async throws {
      let (application, rounds) = (shop.container, count / 8)
      let allAreThere = Barrier(8)
      let labels = try onThreads(8) { thread in
        (0..<rounds).map { round in
          let test = OneOfAThousand(name: "OneOfAThousand.look") { test in
            (test as? OneOfAThousand)?.look()
          }
          (test.application, test.allAreThere) = (application, allAreThere)
          test.label = "\(thread * rounds + round)"
          test.invokeTest()
          if !test.isThere { allAreThere.wait() }
          return test.found
        }
      }
      XCTAssertEqual(labels.flatMap(\.self), (0..<count).map(String.init))
      await assertAllAreGone(count)
    }
  #endif
}

#if !canImport(ObjectiveC)
  /// Has no test that XCTest would find.
  private final class OneOfAThousand: CorinthXCTest.ContainerTestCase {
    var application: Container?
    var allAreThere: Barrier?
    var label = ""
    var isThere = false
    var found: String?

    override func makeContainer() throws -> Container { try XCTUnwrap(application) }

    override func overrideServices(in container: Container) throws {
      XCTAssertEqual(try container.resolve((any Mailer).self).label, "real")
      try container.overrideMailer(label)
    }

    func look() {
      isThere = true
      allAreThere?.wait()
      XCTAssertTrue(Container.current === container)
      found = CheckoutPage().checkout.mailer.label
    }
  }
#endif
