// SPDX-License-Identifier: MIT

import Corinth
import Orders
import Synchronization
import Testing

/// An operator exchanges the price list while clients ask for prices and order.
struct OverrideTests {
  @Test func aHundredOverridesUnderLoadFailNoRequest() async throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let service = try await RunningService.start(in: folder)
    let isDone = Guarded(false)
    let counts = try await onThreads(5) { index in
      if index > 0 { return try orders(at: service) { !isDone.value } }
      defer { isDone.value = true }
      return try changes(of: service)
    }
    let placed = try service.number("SELECT count(*) FROM placed_order")
    #expect(counts[0] == 100)
    #expect(counts.dropFirst().allSatisfy { $0 > 0 })
    #expect(placed == counts.dropFirst().reduce(0, +))
    try await service.container.shutdown(draining: .seconds(10))
  }

  /// The next request sees each new price.
  private func changes(of service: RunningService) throws -> Int {
    let client = try Client(port: service.port)
    for number in 1...100 {
      let changed = try client.send(
        "PUT", "/admin/price-list",
        headers: ["Authorization": "Bearer \(RunningService.token)"],
        body: #"{"book":\#(number * 1_000)}"#)
      #expect(changed.status == 204, "\(changed.body)")
      let price = try client.send("GET", "/price/book")
      #expect(price.body == #"{"item":"book","price":\#(number * 1_200),"quantity":1}"#)
    }
    return 100
  }

  private func orders(at service: RunningService, while goesOn: () -> Bool) throws -> Int {
    let client = try Client(port: service.port)
    var placed = 0
    repeat {
      let price = try client.send("GET", "/price/book")
      #expect(price.status == 200, "\(price.body)")
      let order = try client.send(
        "POST", "/orders", headers: ["X-User": "ada"],
        body: #"{"lines":[{"item":"book","quantity":1}]}"#)
      #expect(order.status == 201, "\(order.body)")
      placed += 1
    } while goesOn()
    return placed
  }
}
