// SPDX-License-Identifier: MIT

import Foundation
import SQLite
import Testing

/// The program itself, under load, until it is told to end or killed.
struct TerminationTests {
  @Test func aSignalUnderLoadLosesNoOrderThatWasAcknowledged() async throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let database = "\(folder.path)/orders.db"
    let (program, acknowledged) = try await ended(database) { $0.terminate() }
    #expect(try await program.status() == 0, "\(program.log)")
    #expect(program.log.contains("ended"))
    try check(acknowledged, in: database)
  }

  @Test func aKillUnderLoadLosesNoOrderThatWasAcknowledged() async throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let database = "\(folder.path)/orders.db"
    var acknowledged: [Int] = []
    for _ in 1...2 {
      let (program, ids) = try await ended(database) { $0.kill() }
      #expect(try await program.status() == SIGKILL, "\(program.log)")
      acknowledged += ids
    }
    // One that starts now recovers what the others have left.
    let program = try await RunningProgram.start(["PORT": "0", "DATABASE": database])
    let health = try await onThreads(1) { _ in
      try Client(port: program.port).send("GET", "/health").status
    }
    #expect(health == [200])
    program.terminate()
    #expect(try await program.status() == 0, "\(program.log)")
    try check(acknowledged, in: database)
  }

  /// Starts the program, posts orders until there are 200, and then ends it.
  ///
  /// - Returns: the numbers of the orders that it has acknowledged.
  private func ended(
    _ database: String, by end: @escaping @Sendable (RunningProgram) -> Void
  ) async throws -> (RunningProgram, [Int]) {
    let program = try await RunningProgram.start([
      "PORT": "0", "DATABASE": database, "SYNCHRONOUS": "FULL",
    ])
    let acknowledged = Guarded<[Int]>([])
    let clients = 8
    try await onThreads(clients + 1) { index in
      if index == clients {
        for _ in 0..<30_000 where acknowledged.value.count < 200 { usleep(1_000) }
        end(program)
        return
      }
      try post(to: program.port) { response in
        guard response.status == 201 else { return }
        let location = try #require(response.headers["location"])
        let id = try #require(Int(location.dropFirst("/orders/".count)))
        acknowledged.change { $0.append(id) }
      }
    }
    #expect(acknowledged.value.count >= 200)
    return (program, acknowledged.value)
  }

  private func check(_ acknowledged: [Int], in database: String) throws {
    let connection = try Connection(path: database)
    let kept = Set(try connection.rows("SELECT id FROM placed_order") { $0.integer(0) })
    #expect(Set(acknowledged).subtracting(kept).isEmpty)
    #expect(Set(acknowledged).count == acknowledged.count)
    // Each order is there as a whole.
    #expect(try connection.integer("SELECT count(*) FROM order_line") == kept.count * 2)
    #expect(try connection.integer("SELECT count(*) FROM audit") == kept.count)
    let taken = try connection.integer("SELECT 1000000000 - stock FROM item WHERE name = 'book'")
    #expect(taken == kept.count)
  }

  /// Posts orders until the service accepts none.
  private func post(to port: UInt16, _ body: (Client.Response) throws -> Void) throws {
    while let client = try? Client(port: port) {
      do {
        while true {
          let response = try client.send(
            "POST", "/orders", headers: ["X-User": "ada"],
            body: #"{"lines":[{"item":"book","quantity":1},{"item":"pen","quantity":2}]}"#)
          try body(response)
          if response.status != 201 { break }
        }
      } catch is Client.Lost {}
    }
  }
}
