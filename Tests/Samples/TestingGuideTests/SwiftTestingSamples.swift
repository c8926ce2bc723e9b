// SPDX-License-Identifier: MIT
// Samples of the guide Testing, word by word: see GuideTests.

import Corinth
import CorinthTesting
import Testing

struct CheckoutTests {
  @Test(
    .container(application) {
      try $0.register(
        value: RecordingMailer(), as: (any Mailer).self, onDuplicate: .require)
    })
  func anOrderIsConfirmed() throws {
    let container = try #require(Container.current)
    try container.resolve(Checkout.self).buy("pen")
    let mailer = try container.resolve((any Mailer).self) as? RecordingMailer
    #expect(mailer?.letters == ["a pen is on its way"])
  }
}

@Suite(
  .container(application) {
    try $0.register(
      value: RecordingMailer(), as: (any Mailer).self, onDuplicate: .require)
  })
struct PriceTests {
  let container: Container

  init() throws { container = try #require(Container.current) }

  @Test(arguments: [("pen", 120), ("ruler", 200)])
  func anOrderIsCharged(article: String, price: Int) throws {
    #expect(try container.resolve(Checkout.self).buy(article) == price)
  }

  @Test(
    .container(application) {
      try $0.register(
        value: Sale(), as: (any Catalog).self, onDuplicate: .require)
    })
  func inASaleEverythingCostsTheSame() throws {
    #expect(try container.resolve(Checkout.self).buy("ruler") == 100)
  }
}

extension PriceTests {
  @Test(arguments: [80, 90])
  func aPriceMayChange(price: Int) throws {
    struct Fixed: Catalog {
      let price: Int
      func price(of article: String) -> Int { price }
    }
    try container.register(
      value: Fixed(price: price), as: (any Catalog).self, onDuplicate: .require)
    #expect(try container.resolve(Checkout.self).buy("pen") == price)
  }
}

struct CatalogTests {
  @Test(
    .container(application) {
      try $0.register(
        (any Mailer).self, onDuplicate: .require,
        factory: unimplemented((any Mailer).self))
    })
  func browsingSendsNoMail() throws {
    let container = try #require(Container.current)
    #expect(try container.resolve((any Catalog).self).price(of: "pen") == 120)
  }

  @Test(
    .container(application) {
      try $0.register(
        Receipt.self, onDuplicate: .require,
        factory: unimplemented(Receipt.self, arguments: Int.self))
    })
  func browsingPrintsNoReceipt() throws {
    let container = try #require(Container.current)
    #expect(try container.resolve((any Catalog).self).price(of: "pen") == 120)
  }
}

struct TenantTests {
  @Test func aTenantIsShutDown() async throws {
    let tenant = application.fork()
    try await expectNothingUndisposed(in: tenant) {
      #expect(try tenant.resolve(Checkout.self).price(of: "pen") == 120)
      try await tenant.shutdown()
    }
  }
}

struct ReleaseTests {
  @Test func theApplicationDoesNotKeepItself() throws {
    try expectReleased { try makeApplication() }
  }
}

struct ForAWhileTests {
  @Test func aSaleEnds() async throws {
    let inSale = try await application.withOverrides { container in
      try container.register(
        value: Sale(), as: (any Catalog).self, onDuplicate: .require)
    } run: { container in
      try container.resolve(Checkout.self).price(of: "ruler")
    }
    #expect(inSale == 100)
  }

  @Test(
    .container(application) {
      try $0.register(
        value: Sale(), as: (any Catalog).self, onDuplicate: .require)
    })
  func aDetachedTaskIsGivenTheContainer() async throws {
    let container = try #require(Container.current)
    let price = try await Task.detached {
      try container.withCurrent { try container.resolve(Checkout.self).price(of: "pen") }
    }.value
    #expect(price == 100)
  }
}
