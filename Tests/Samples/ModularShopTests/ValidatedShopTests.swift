// SPDX-License-Identifier: MIT

import Corinth
import ModularShop
import TestSupport
import XCTest

/// A team validates the whole shop in one line.
final class ValidatedShopTests: AsyncTestCase {
  /// What is resolved from outside: by requests, the operator and jobs, and letters by their user.
  private func roots(of shop: Container) -> [RegistrationKey] {
    [
      .init(Accounts.self), .init(Checkout.self), .init(OrderHistory.self),
      .init(OperatorConsole.self), .init(Scheduler.self), .init(DailyReport.self),
      .init(Newsletter.self), .init(Backup.self), .init(Health.self),
    ] + shop.registrations.map(\.key).filter { $0.arguments != nil }
  }

  /// A shop whose factories have all run once while their dependencies were recorded.
  private func recordedShop() async throws -> Container {
    let shop = try Shop.makeContainer(
      environment: Environment(["SERVICE_NAME": "Shop", "MAIL_SENDER": "shop@shop.test"]))
    XCTAssertEqual(shop.registrations.count, 60)
    try shop.registerInput(RequestHeader.self)
    let recording = shop.recordDependencies()
    try await shop.warmUp()
    let accounts = try shop.resolve(Accounts.self)
    try accounts.signUp("ada", email: "ada@users.test", password: "lovelace")
    let header = RequestHeader(token: try accounts.logIn("ada", password: "lovelace"))
    try await shop.withScope(providing: header) { scope in
      for registration in shop.registrations where registration.key.arguments == nil {
        _ = try scope.resolve(key: registration.key)
      }
    }
    recording.stop()
    return shop
  }

  func testTheShopHasNoFindings() async throws {
    let shop = try await recordedShop()
    let report = try shop.validate(roots: .keys(roots(of: shop)), inputs: [RequestHeader.self])
    XCTAssertEqual(report.unknown, [])
  }

  /// Each change breaks it in another way.
  private func breakAll(_ shop: Container) throws {
    func register<Product: Sendable>(
      _ product: Product.Type, name: Name? = nil, line: UInt
    ) throws -> Registration<Product> {
      try shop.register(product, name: name, file: "Shop/BrokenAssembly.swift", line: line) {
        _ in throw CancellationError()
      }
    }
    // The tax rate is registered for the next year only.
    shop.unregister(TaxRate.self)
    try register(TaxRate.self, name: "next year", line: 2).as(.singleton).dependsOn()
    // The journal asks the accounts for its author, and the users are journaled.
    try register(Journal.self, line: 4).as(.singleton).dependsOn(Accounts.self)
    // It reports the last checkout.
    try register(Uptime.self, line: 6).as(.singleton).eager().dependsOn(Checkout.self)
    // The bank is asked over the network.
    try shop.registerAsync(
      (any PaymentGateway).self, name: "card", scope: .singleton, file: "Shop/BrokenAssembly.swift",
      line: 8
    ) { _ in throw CancellationError() }.dependsOn()
    // It is the same for all requests.
    try register((any OrderRepository).self, line: 10).as(.singleton)
      .dependsOn(RequestHeader.self, (any RowStore).self)
    // The transport of mails is still forwarded to it. A second one could not serve the type: the
    // shop refuses duplicates.
    shop.unregister(Outbox.self)
    // What used it is gone.
    try register(String.self, name: "motto", line: 13).dependsOn()
  }

  func testAShopThatIsBrokenInSevenWaysGetsSevenFindingsAtOnce() async throws {
    let shop = try await recordedShop()
    let roots = roots(of: shop)
    let fork = try shop.fork(breakAll)
    let forksRoots = roots + [.init(TaxRate.self, name: "next year")]
    XCTAssertThrowsError(
      try fork.validate(roots: .keys(forksRoots), inputs: [RequestHeader.self])
    ) { error in
      let kinds = error.findings?.map(\.kind)
      XCTAssertEqual(
        kinds,
        [
          .missing, .cyclic, .captive, .asynchronous, .missingInput, .forwarding, .unused,
        ])
      assertGolden("validation-shop", "\(error)")
    }
    XCTAssertNoThrow(try shop.validate(roots: .keys(roots)))
  }
}
