// SPDX-License-Identifier: MIT

import Corinth
import CorinthTesting
import TestSupport
import Testing

private let shop = Shop()
private let cases = 0..<1000
private let meetings = Meetings()

/// A thousand tests of one application, each with an override of its own, at once.
struct ThousandOverridesTests {
  @Test(
    .counting(cases.count), .container(shop.container) { try $0.overrideMailer("of the trait") },
    arguments: cases)
  func noCaseSeesTheOverrideOfAnother(_ index: Int) async throws {
    let container = try #require(Container.current)
    #expect(try container.resolve((any Mailer).self).label == "of the trait")
    try container.overrideMailer("\(index)")
    await meetings.meet()
    let page = CheckoutPage()
    await Task.yield()
    #expect(page.checkout.mailer.label == "\(index)")
    #expect(try container.label == "\(index)")
    let basket = try await container.withScope { scope in
      await Task.yield()
      #expect(try scope.resolve(Checkout.self) === page.checkout)
      return try scope.resolve(Basket.self).serial
    }
    #expect(basket > 0)
  }

  /// The test runner decides how many cases run at once. Here it is all of them.
  @Test func noRunOfTheTraitSeesTheOverrideOfAnother() async throws {
    let (test, testCase) = (try #require(Test.current), try #require(Test.Case.current))
    let (shop, count) = (Shop(), cases.count)
    let (arrived, allAreThere) = (AtomicCounter(), AsyncGate())
    try await onTasks(count) { index in
      let trait = ContainerTrait.container(shop.container) { try $0.overrideMailer("\(index)") }
      // Also one that has failed arrives.
      defer { if arrived.add() >= count { allAreThere.open() } }
      try await trait.provideScope(for: test, testCase: testCase) {
        if arrived.add() >= count { allAreThere.open() }
        await allAreThere.wait()
        #expect(arrived.value >= count)
        #expect(CheckoutPage().checkout.mailer.label == "\(index)")
      }
    }
    #expect(shop.tracker.created == count)
    #expect(shop.disposals.value == count)
    await shop.tracker.waitUntilNoneIsLeft()
    #expect(shop.tracker.alive == 0)
  }
}

/// Looks at the instances when all cases of a test have ended.
private struct Counting: TestTrait, TestScoping {
  let cases: Int

  func scopeProvider(for test: Test, testCase: Test.Case?) -> Self? {
    testCase == nil ? self : nil
  }

  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    try await function()
    #expect(meetings.count > 0 || meetings.areImpossible, "no two cases ran at once")
    #expect(shop.tracker.created == 2 * cases)
    #expect(shop.disposals.value == 2 * cases)
    await shop.tracker.waitUntilNoneIsLeft()
    #expect(shop.tracker.alive == 0)
    #expect(try shop.container.resolve((any Mailer).self).label == "real")
  }
}

extension Trait where Self == Counting {
  fileprivate static func counting(_ cases: Int) -> Self { Counting(cases: cases) }
}
