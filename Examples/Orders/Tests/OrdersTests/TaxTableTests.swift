// SPDX-License-Identifier: MIT

import Corinth
import Foundation
import Orders
import Testing

/// The tax table is read again while the service runs.
struct TaxTableTests {
  @Test func aHundredReloadsUnderLoadFailNoRequestAndMixNoTables() async throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let file = try TaxTableFile(in: folder, ["book": 0, "pen": 0])
    let service = try await RunningService.start(in: folder, variables: ["TAX_TABLE": file.path])
    let isDone = Guarded(false)
    async let seen = onThreads(4) { _ in try taxes(at: service) { !isDone.value } }
    for tax in 1...100 {
      try file.write(["book": tax, "pen": tax])
      await service.container.readTaxTableAgain()
      let price = try await onThreads(1) { _ in
        try service.send("GET", "/price/book", headers: [:]).body
      }[0]
      #expect(price == #"{"item":"book","price":\#(20 * (100 + tax)),"quantity":1}"#)
    }
    isDone.value = true
    let taxesOfClients = try await seen
    for taxes in taxesOfClients {
      #expect(taxes == taxes.sorted(), "no client goes back to an older table")
      #expect(!taxes.isEmpty)
    }
    let placed = try service.number("SELECT count(*) FROM placed_order")
    #expect(placed == taxesOfClients.reduce(0) { $0 + $1.count })
    try await service.container.shutdown(draining: .seconds(10))
  }

  /// Orders a book and a pen again and again.
  ///
  /// - Returns: the tax of each order, which both have to have.
  private func taxes(at service: RunningService, while goesOn: () -> Bool) throws -> [Int] {
    struct Placed: Decodable {
      struct Line: Decodable { let price: Int }
      let lines: [Line]
    }
    let client = try Client(port: service.port)
    var taxes: [Int] = []
    repeat {
      let response = try client.send(
        "POST", "/orders", headers: ["X-User": "ada"],
        body: #"{"lines":[{"item":"book","quantity":1},{"item":"pen","quantity":1}]}"#)
      #expect(response.status == 201, "\(response.body)")
      let lines = try JSONDecoder().decode(Placed.self, from: Data(response.body.utf8)).lines
      // Members have a discount of 5 percent.
      let tax = lines[0].price / 19 - 100
      #expect(lines.map(\.price) == [19 * (100 + tax), 285 * (100 + tax) / 100])
      taxes.append(tax)
    } while goesOn()
    return taxes
  }

  @Test(arguments: [
    #"{"book": 101}"#, #"{"book": -1}"#, #"{"book": 7.5}"#, #"{"book": "7"}"#, #"["book"]"#, "",
    "{", nil,
  ])
  func aFileThatMeansNothingChangesNothing(text: String?) async throws {
    let log = RecordingLog()
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let file = try TaxTableFile(in: folder, ["book": 7])
    let service = try await RunningService.start(
      in: folder, variables: ["TAX_TABLE": file.path],
      configure: {
        try $0.register(value: log, as: (any Log).self, onDuplicate: .require)
      })
    try file.write(text: text)
    await service.container.readTaxTableAgain()
    let prices = try await onThreads(1) { _ in
      try service.send("GET", "/price/book", headers: [:]).body
    }
    #expect(prices == [#"{"item":"book","price":2140,"quantity":1}"#])
    let said = try #require(log.lines.value.last)
    #expect(said.contains("the tax table stays as it was: The tax table \(file.path) "), "\(said)")
    try await service.container.shutdown(draining: .seconds(10))
  }

  @Test func theProgramReadsTheTableAtAHangup() async throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let file = try TaxTableFile(in: folder, ["book": 7])
    let program = try await RunningProgram.start([
      "PORT": "0", "DATABASE": "\(folder.path)/orders.db", "TAX_TABLE": file.path,
    ])
    func price() async throws -> String {
      try await onThreads(1) { _ in
        try Client(port: program.port).send("GET", "/price/book").body
      }[0]
    }
    #expect(try await price() == #"{"item":"book","price":2140,"quantity":1}"#)
    for tax in 10...12 {
      try file.write(["book": tax])
      program.hangUp()
      try await program.waitUntilTheLogSays("tax table read again", times: tax - 9)
      #expect(
        try await price() == #"{"item":"book","price":\#(20 * (100 + tax)),"quantity":1}"#)
    }
    program.terminate()
    #expect(try await program.status() == 0, "\(program.log)")
  }

  @Test func aTableAndAPriceListAreReloadedSideBySide() async throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let file = try TaxTableFile(in: folder, ["book": 0])
    let service = try await RunningService.start(in: folder, variables: ["TAX_TABLE": file.path])
    async let changed: [Void] = onThreads(2) { thread in
      for number in 1...20 {
        let response = try service.send(
          "PUT", "/admin/price-list",
          headers: ["Authorization": "Bearer \(RunningService.token)"],
          body: #"{"book":\#(100 * number)}"#)
        #expect(response.status == 204, "\(thread): \(response.body)")
      }
    }
    for tax in 1...20 {
      try file.write(["book": tax])
      await service.container.readTaxTableAgain()
    }
    _ = try await changed
    let prices = try await onThreads(1) { _ in
      try service.send("GET", "/price/book", headers: [:]).body
    }
    #expect(prices == [#"{"item":"book","price":2400,"quantity":1}"#])
    try await service.container.shutdown(draining: .seconds(10))
  }
}

/// A file that is exchanged as operators should: in one step.
private struct TaxTableFile: Sendable {
  let path: String

  init(in folder: TemporaryFolder, _ rates: [String: Int]) throws {
    path = "\(folder.path)/taxes.json"
    try write(rates)
  }

  func write(_ rates: [String: Int]) throws {
    try write(text: String(decoding: JSONEncoder().encode(rates), as: UTF8.self))
  }

  /// - Parameter text: nil for no file.
  func write(text: String?) throws {
    guard let text else { return try FileManager.default.removeItem(atPath: path) }
    try text.write(toFile: path, atomically: true, encoding: .utf8)
  }
}
