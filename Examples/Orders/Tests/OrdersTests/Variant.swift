// SPDX-License-Identifier: MIT

import Corinth
import Orders
import Synchronization

/// The application with one thing otherwise.
struct Variant: Sendable {
  let name: String
  var variables: [String: String] = [:]
  var configure: @Sendable (Container) throws -> Void = { _ in }
  var expected = Story()

  static let all = [
    Variant(name: "as it is"),
    Variant(
      name: "other tax", variables: ["TAX_PERCENT": "0"],
      expected: Story(price: #"{"item":"book","price":1900,"quantity":1}"#)),
    Variant(
      name: "other prices",
      configure: {
        try $0.register((any PriceList).self, onDuplicate: .require) { _ in
          UploadedPriceList(prices: ["book": 100])
        }
      },
      expected: Story(price: #"{"item":"book","price":114,"quantity":1}"#)),
    Variant(
      name: "nothing to sell",
      configure: {
        try $0.register((any PriceList).self, onDuplicate: .require) { _ in
          UploadedPriceList(prices: [:])
        }
      },
      expected: Story(
        order: 404, price: #"{"error":"There is no item \"book\"."}"#)),
    Variant(
      name: "one more discount",
      configure: {
        try $0.contribute(to: (any DiscountRule).self) { _ in HalfPrice() }
      },
      expected: Story(price: #"{"item":"book","price":1200,"quantity":1}"#)),
    Variant(
      name: "a mail server that fails twice",
      configure: {
        try $0.register((any MailTransport).self, onDuplicate: .require) { _ in
          FailingTransport(failures: 2)
        }
      }),
    Variant(
      name: "no mail server",
      configure: {
        try $0.register((any MailTransport).self, onDuplicate: .require) { _ in
          FailingTransport(failures: .max)
        }
      },
      expected: Story(waitingLetters: 1)),
    Variant(
      name: "a check that fails",
      configure: {
        try $0.contribute(to: (any HealthCheck).self) { _ in FailingCheck() }
      },
      expected: Story(health: 503)),
  ]
}

private struct HalfPrice: DiscountRule {
  func discount(quantity: Int, user: User) -> Int { 50 }
}

/// Fails as often as it is told to.
private final class FailingTransport: MailTransport {
  private let failures: Atomic<Int>

  init(failures: Int) {
    self.failures = Atomic(failures)
  }

  func deliver(_ message: Message, from sender: String) throws {
    if failures.subtract(1, ordering: .relaxed).oldValue > 0 { throw MailError("not now") }
  }
}

private struct FailingCheck: HealthCheck {
  var subject: String { "weather" }
  func check() throws { throw MailError("it rains") }
}
