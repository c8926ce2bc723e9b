// SPDX-License-Identifier: MIT

import Corinth
import ModularShop
import TestSupport
import XCTest

/// What the shop of six modules does, as a test of an application says it.
final class ShopTests: AsyncTestCase {
  private func customer(of shop: Container) throws -> String {
    let accounts = try shop.resolve(Accounts.self)
    try accounts.signUp("ada", email: "ada@users.test", password: "lovelace")
    return try accounts.logIn("ada", password: "lovelace")
  }

  func testSixModulesMakeSixtyRegistrations() async throws {
    let shop = try await runningShop()
    XCTAssertEqual(shop.registrations.count, 60)
    XCTAssertEqual(shop.registrations.compactMap(\.fault), [])
  }

  func testTheStoryOfACustomer() async throws {
    let story = try await Story.told(by: runningShop())
    XCTAssertEqual(story, Story())
  }

  func testHealthChecksOfFourModulesAreAsked() async throws {
    let shop = try await runningShop()
    XCTAssertEqual(
      try shop.resolve(Health.self).subjects.sorted(),
      ["catalog", "mail", "operator account", "pool", "store"])
  }

  func testAFailedRequestWritesNothing() async throws {
    let shop = try await runningShop()
    let token = try customer(of: shop)
    await assertThrows {
      try await shop.serve(token: token) { checkout in
        try checkout.buy("book")
        try checkout.buy("map")
      }
    } _: {
      XCTAssertEqual($0 as? OrderError, .soldOut("map"))
    }
    XCTAssertEqual(try shop.resolve((any OrderRepository).self).all(), [])
  }

  func testARequestWithoutALoginIsRefused() async throws {
    let shop = try await runningShop()
    await assertThrows {
      try await shop.serve(token: "none") { try $0.buy("book") }
    } _: { error in
      XCTAssertEqual(
        (error as? ResolutionError)?.underlyingError as? UserError, .unknownToken, "\(error)")
    }
  }

  func testTheJournalIsOutsideOfTheRetries() async throws {
    let shop = try await runningShop()
    let outbox = try shop.resolve(Outbox.self)
    let override = try shop.register((any MailTransport).self, onDuplicate: .require) { _ in
      UnreliableTransport(failures: 2, outbox: outbox)
    }
    shop.release((any Mailer).self)
    try shop.withCurrent { try shop.resolve(Scheduler.self).run([ReportJob.self]) }
    XCTAssertEqual(outbox.delivered.map(\.recipient), ["operator@shop.test"])
    XCTAssertEqual(
      try shop.resolve(Journal.self).entries.filter { $0.contains("operator@") },
      ["mail to operator@shop.test"])
    XCTAssertTrue(override.restore())
  }

  func testUsersAreFoundInTheCache() async throws {
    let metrics = MetricsBehavior()
    let shop = try await runningShop(behaviors: [metrics])
    _ = try customer(of: shop)
    let pool = try shop.resolve(ConnectionPool.self)
    let users = try shop.resolve((any UserRepository).self)
    _ = try users.user(named: "ada")
    let served = pool.served
    XCTAssertEqual(try users.user(named: "ada")?.name, "ada")
    XCTAssertEqual(pool.served, served)
    let repository = metrics.snapshot().first { "\($0.key)" == "any UserRepository" }
    XCTAssertEqual(repository?.constructions, 1)
  }

  func testAFrozenShopServesRequests() async throws {
    let shop = try await runningShop()
    try shop.freeze()
    let token = try customer(of: shop)
    let order = try await shop.serve(token: token) { try $0.buy("book") }
    XCTAssertEqual(order.total, 2_280)
    XCTAssertThrowsError(
      try shop.register((any Catalog).self, onDuplicate: .require) { _ in FixedCatalog(price: 0)
      })
  }

  func testAMissingSettingNamesItsVariable() throws {
    let shop = try Shop.makeContainer(environment: Environment([:]))
    XCTAssertThrowsError(try shop.resolve((any Mailer).self)) { error in
      XCTAssertTrue("\(error)".contains("MAIL_SENDER"), "\(error)")
    }
  }
}
