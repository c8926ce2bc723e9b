// SPDX-License-Identifier: MIT

import Foundation
import SQLite
import Testing

/// The program itself, under load, until it is told to end.
struct TerminationTests {
  @Test func aSignalUnderLoadLosesNoOrderThatWasAcknowledged() async throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let database = "\(folder.path)/orders.db"
    let program = try await RunningProgram.start([
      "PORT": "0", "DATABASE": database, "SYNCHRONOUS": "FULL",
    ])
    let acknowledged = Guarded<[Int]>([])
    let clients = 8
    try await onThreads(clients + 1) { index in
      if index == clients {
        for _ in 0..<30_000 where acknowledged.value.count < 200 { usleep(1_000) }
        program.terminate()
        return
      }
      try post(to: program.port) { response in
        guard response.status == 201 else { return }
        let location = try #require(response.headers["location"])
        let id = try #require(Int(location.dropFirst("/orders/".count)))
        acknowledged.change { $0.append(id) }
      }
    }
    let status = try await program.status()
    let connection = try Connection(path: database)
    let kept = Set(try connection.rows("SELECT id FROM placed_order") { $0.integer(0) })
    let lines = try #require(try connection.integer("SELECT count(*) FROM order_line"))
    #expect(status == 0, "\(program.log)")
    #expect(acknowledged.value.count >= 200)
    #expect(Set(acknowledged.value).subtracting(kept).isEmpty)
    #expect(Set(acknowledged.value).count == acknowledged.value.count)
    #expect(lines == kept.count * 2)
    #expect(program.log.contains("draining"))
    #expect(program.log.contains("ended"))
  }

  /// Posts orders until there is nobody to take them.
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
