// SPDX-License-Identifier: MIT

import Corinth
import Testing

/// The resources of a service are closed in the reverse order.
/// ``RunningService/run(variables:sourceLocation:configure:_:)`` expects that nothing is left open,
/// here and in all other tests that call it.
struct DisposalTests {
  private final class Ledger: Behavior {
    let disposed = Guarded<[String]>([])

    func didDispose(_ key: RegistrationKey) { disposed.change { $0.append("\(key)") } }
  }

  @Test func theServerEndsFirstAndThePoolLast() async throws {
    let ledger = Ledger()
    try await RunningService.run {
      $0.add(ledger)
    } _: { service in
      let order = try service.send(
        "POST", "/orders", body: #"{"lines":[{"item":"pen","quantity":1}]}"#)
      #expect(order.status == 201)
      // Its unit of work ends before the response.
      #expect(ledger.disposed.value == ["UnitOfWork"])
    }
    #expect(
      ledger.disposed.value == ["UnitOfWork", "Server", "OutboxWorker", "ConnectionPool"])
  }
}
