// SPDX-License-Identifier: MIT

import Corinth

package protocol PaymentGateway: Sendable {
  func pay(_ amount: Cents) throws
}

struct CardGateway: PaymentGateway {
  let settings: ServiceSettings

  func pay(_ amount: Cents) throws {
    if amount > 100_000 {
      throw OrderError.paymentDeclined("\(settings.name): too much for a card")
    }
  }
}

struct InvoiceGateway: PaymentGateway {
  let journal: Journal

  func pay(_ amount: Cents) { journal.note("invoice over \(amount)") }
}

enum Card: NameMarker { static let name: Name = "card" }
enum Invoice: NameMarker { static let name: Name = "invoice" }

/// By card, or by invoice when the card is declined.
struct Payments: Sendable {
  let card: Named<any PaymentGateway, Card>
  let invoice: Named<any PaymentGateway, Invoice>

  func pay(_ amount: Cents) throws {
    do { try card.value.pay(amount) } catch { try invoice.value.pay(amount) }
  }
}
