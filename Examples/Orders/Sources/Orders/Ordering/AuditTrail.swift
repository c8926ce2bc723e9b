// SPDX-License-Identifier: MIT

import SQLite

/// Writes the user, the deed and the request, in the transaction of the deed.
package struct AuditTrail: Sendable {
  let work: UnitOfWork
  let request: RequestID
  let time: any TimeSource

  package init(work: UnitOfWork, request: RequestID, time: any TimeSource) {
    self.work = work
    self.request = request
    self.time = time
  }

  func note(_ deed: String, by customer: Customer) throws {
    try work.perform { connection in
      try connection.run(
        "INSERT INTO audit(request, customer, deed, time) VALUES(?, ?, ?, ?)",
        .text(request.text), .text(customer.name), .text(deed), .integer(time.now))
    }
  }
}
