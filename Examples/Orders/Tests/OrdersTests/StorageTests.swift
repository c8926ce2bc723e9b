// SPDX-License-Identifier: MIT

import Corinth
import HTTP
import Orders
import SQLite
import Testing

/// Transactions end once, and with the error that the client is to read.
struct StorageTests {
  private struct FakeStock: Stock {
    let take: @Sendable () throws -> Void
    func take(_ quantity: Int, of item: String) throws { try take() }
  }

  private final class FailingEnd: Sendable {}

  private static let refusal = RequestError(409, "There is nothing left.")
  private static let order = #"{"lines":[{"item":"pen","quantity":1}]}"#

  @Test func aUnitOfWorkThatHasEndedBeginsNoOtherTransaction() async throws {
    try await RunningService.run { service in
      let pool = try service.container.resolve(ConnectionPool.self)
      for isCommitted in [true, false] {
        let work = UnitOfWork(pool: pool, counters: StorageCounters())
        try work.perform { try $0.run("UPDATE item SET price = 1") }
        if isCommitted { try work.commit() } else { try work.rollBack() }
        #expect(throws: StorageError.ended) {
          try work.perform { try $0.run("UPDATE item SET price = 2") }
        }
      }
      // Nobody has kept the connection that writes.
      try pool.write { try $0.run("UPDATE item SET price = 3") }
    }
  }

  @Test func aTransactionThatSQLiteHasRolledBackDoesNotHideTheError() async throws {
    try await RunningService.run {
      try $0.register((any Stock).self, onDuplicate: .require) { resolver in
        let work = try resolver.resolve(UnitOfWork.self)
        return FakeStock {
          try work.perform { try $0.run("ROLLBACK") }
          throw Self.refusal
        }
      }
    } _: { service in
      let response = try service.send("POST", "/orders", body: Self.order)
      #expect(response.status == 409, "\(response.body)")
      let page = try service.send("GET", "/metrics").body
      #expect(page.contains("orders_rollbacks_total 1\n"))
    }
  }

  @Test func anErrorAtTheEndOfAScopeIsLoggedAndTheFirstOneIsAnswered() async throws {
    let log = RecordingLog()
    try await RunningService.run {
      try $0.register(value: log, as: (any Log).self, onDuplicate: .require)
      try $0.register(
        FailingEnd.self, scope: .scoped,
        with: .onDispose { (_: FailingEnd) throws -> Void in throw MailError("the end has failed") }
      ) { _ in FailingEnd() }
      try $0.register((any Stock).self, onDuplicate: .require) { resolver in
        _ = try resolver.resolve(FailingEnd.self)
        return FakeStock { throw Self.refusal }
      }
    } _: { service in
      let response = try service.send("POST", "/orders", body: Self.order)
      #expect(response.status == 409, "\(response.body)")
    }
    #expect(log.lines.value.contains { $0.contains("the end has failed") })
  }

  @Test func aDatabaseThatAnotherProcessHasLockedIsNoFailureOfTheService() async throws {
    try await RunningService.run { service in
      let other = try Connection(path: service.database)
      try other.execute("BEGIN IMMEDIATE")
      let refused = try service.send("POST", "/orders", body: Self.order)
      #expect(refused.status == 503)
      #expect(refused.headers["retry-after"] == "1")
      try other.execute("ROLLBACK")
      #expect(try service.send("POST", "/orders", body: Self.order).status == 201)
    }
  }

  @Test func aStatementWantsAValueForEachParameter() throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let connection = try Connection(path: "\(folder.path)/values.db")
    try connection.execute("CREATE TABLE pair(a, b)")
    let insert = "INSERT INTO pair VALUES(?, ?)"
    try connection.run(insert, 1, 2)
    #expect(throws: SQLiteError.self) { try connection.run(insert, 3) }
    #expect(throws: SQLiteError.self) { try connection.run(insert, 3, 4, 5) }
    #expect(try connection.integer("SELECT count(*) FROM pair") == 1)
  }

  @Test func linesOfALabelAreEscaped() {
    var page = MetricsPage()
    page.sample("lines", ["label": "a\r\nb\nc\"d\\"], 1)
    #expect(page.text == "lines{label=\"a\r\\nb\\nc\\\"d\\\\\"} 1\n")
  }
}
