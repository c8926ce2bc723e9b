// SPDX-License-Identifier: MIT

import Foundation
import Testing

/// The responses of all routes, over HTTP.
struct RouteTests {
  @Test func anOrderThatWasPlacedCanBeRead() async throws {
    try await RunningService.run { service in
      let placed = try service.send(
        "POST", "/orders", headers: ["X-User": "ada", "X-Request-ID": "first"],
        body: #"{"lines":[{"item":"book","quantity":2},{"item":"pen","quantity":10}]}"#)
      #expect(placed.status == 201)
      #expect(placed.headers["location"] == "/orders/1")
      #expect(placed.headers["x-request-id"] == "first")
      let read = try service.send("GET", "/orders/1")
      #expect(read.status == 200)
      #expect(read.body == placed.body)
      #expect(try service.send("GET", "/orders").body == "[\(placed.body)]")
      #expect(try service.send("GET", "/orders/1", headers: ["X-User": "bob"]).status == 404)
      #expect(try service.number("SELECT count(*) FROM audit WHERE request = 'first'") == 1)
    }
  }

  @Test func pagesOfOrdersFollowEachOther() async throws {
    try await RunningService.run { service in
      for _ in 1...5 {
        _ = try service.send(
          "POST", "/orders", body: #"{"lines":[{"item":"pen","quantity":1}]}"#)
      }
      let pages = try [0, 2, 4].map { try service.send("GET", "/orders?limit=2&after=\($0)").body }
      #expect(pages.map { $0.components(separatedBy: #""id":"#).count - 1 } == [2, 2, 1])
    }
  }

  @Test func aPriceDependsOnTheQuantityAndTheUser() async throws {
    try await RunningService.run { service in
      let anyone = try service.send("GET", "/price/book", headers: [:])
      #expect(anyone.body == #"{"item":"book","price":2400,"quantity":1}"#)
      let member = try service.send("GET", "/price/book")
      #expect(member.body == #"{"item":"book","price":2280,"quantity":1}"#)
      let many = try service.send("GET", "/price/book?quantity=10")
      #expect(many.body == #"{"item":"book","price":21600,"quantity":10}"#)
    }
  }

  @Test func anOrderIsAllOrNothing() async throws {
    try await RunningService.run { service in
      let refused = try service.send(
        "POST", "/orders",
        body: #"{"lines":[{"item":"globe","quantity":2},{"item":"globe","quantity":2}]}"#)
      #expect(refused.status == 409)
      #expect(try service.number("SELECT stock FROM item WHERE name = 'globe'") == 3)
      #expect(try service.number("SELECT count(*) FROM placed_order") == 0)
      #expect(try service.number("SELECT count(*) FROM outbox") == 0)
    }
  }

  @Test func metricsOfAllModulesAreOnOnePage() async throws {
    try await RunningService.run { service in
      _ = try service.send("POST", "/orders", body: #"{"lines":[{"item":"pen","quantity":1}]}"#)
      let page = try service.send("GET", "/metrics")
      #expect(page.headers["content-type"] == "text/plain; version=0.0.4; charset=utf-8")
      for line in [
        "orders_commits_total 1",
        #"orders_price_lookups_total{cache="miss"} 1"#,
        #"http_requests_total{route="POST /orders",status="2xx"} 1"#,
        #"corinth_constructions_total{key="PlaceOrder"} 1"#,
      ] {
        #expect(page.body.contains(line + "\n"), "\(line)")
      }
    }
  }
}
