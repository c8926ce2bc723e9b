// SPDX-License-Identifier: MIT
// Scopes within scopes: units of work that share the session of their request.

// snippet.show
import Corinth
import Synchronization

/// The session of a request.
final class Session: Sendable {
  private let sum = Mutex<[Int]>([])
  var payments: [Int] { sum.withLock { $0 } }
  func note(_ amount: Int) { sum.withLock { $0.append(amount) } }
}

/// A unit of work of a request.
final class Transaction: Sendable {
  private let session: Session
  init(session: Session) { self.session = session }
  func pay(_ amount: Int) { session.note(amount) }
}

extension Name {
  static let request: Name = "request"
}

let container = Container()
try container.register(Session.self, scope: .scoped(in: .request)) { _ in Session() }
try container.wire(Transaction.self, scope: .scoped, using: Transaction.init)

try container.syncWithScope(named: .request) { request in
  for amount in [10, 20] {
    try request.syncWithScope { unit in
      try unit.resolve(Transaction.self).pay(amount)
    }
  }
  print(try request.resolve(Session.self).payments)
}
