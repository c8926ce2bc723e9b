// SPDX-License-Identifier: MIT

import Foundation
import Orders
import Testing

/// What operators see of the container.
struct ContainerPageTests {
  private static let authorized = ["Authorization": "Bearer \(RunningService.token)"]

  @Test(arguments: ["/container", "/container.json"])
  func withoutTheTokenNothingIsShown(path: String) async throws {
    try await RunningService.run { service in
      for headers in [[:], ["X-User": "ada"], ["Authorization": "Bearer wrong"]] {
        let refused = try service.send("GET", path, headers: headers)
        #expect(refused.status == 403)
        #expect(!refused.body.contains("PlaceOrder"))
      }
    }
  }

  @Test func thePageHasTheDocumentOfTheRunningContainer() async throws {
    try await RunningService.run { service in
      _ = try service.send("POST", "/orders", body: #"{"lines":[{"item":"pen","quantity":1}]}"#)
      let page = try service.send("GET", "/container", headers: Self.authorized)
      #expect(page.status == 200)
      #expect(page.headers["content-type"] == "text/html; charset=utf-8")
      let embedded = try #require(
        page.body.firstMatch(of: /<script type="application\/json" id="graph">(.*?)<\/script>/)?.1)
      let document = try Document(String(embedded))
      #expect(document.nodes.count == 66)
      #expect(document.findings.isEmpty)
      #expect(document.snapshot.openScopes == 1, "that of the request")
      #expect(document.nodes.allSatisfy { $0.level == 0 }, "a version is the container")
      let singletons = document.nodes.filter { $0.isBuilt && $0.scope == "singleton" }
      #expect(singletons.count > 20)
      #expect(document.snapshot.instances["singleton"] == singletons.count)
      let handler = try #require(document.nodes.first { $0.type == "PlaceOrder" })
      #expect(handler.counts?.constructions == 1)
      #expect(handler.module == "Orders")
      let server = try #require(document.nodes.first { $0.type == "Server" })
      #expect(server.isBuilt)
    }
  }

  @Test func theJSONHasTheSameDocument() async throws {
    try await RunningService.run { service in
      let response = try service.send("GET", "/container.json", headers: Self.authorized)
      #expect(response.status == 200)
      #expect(response.headers["content-type"] == "application/json")
      let document = try Document(response.body)
      #expect(document.nodes.count == 66)
      #expect(document.edges.contains { $0.key == "UnitOfWork" })
    }
  }

  @Test(arguments: ["/container", "/container.json"])
  func noSettingIsInIt(path: String) async throws {
    let sender = "orders@secret-shop.test"
    try await RunningService.run(variables: ["MAIL_SENDER": sender]) { service in
      let shown = try service.send("GET", path, headers: Self.authorized)
      #expect(shown.status == 200)
      for secret in [RunningService.token, service.database, sender] {
        #expect(!shown.body.contains(secret), "\(secret)")
      }
    }
  }

  private struct Document: Decodable {
    struct Node: Decodable {
      struct Counts: Decodable { let constructions: Int }
      let type: String
      let module: String
      let scope: String
      let level: Int
      let isBuilt: Bool
      let counts: Counts?
    }
    struct Edge: Decodable { let key: String }
    struct Finding: Decodable { let text: String }
    struct Snapshot: Decodable {
      let openScopes: Int
      let instances: [String: Int]
    }

    let nodes: [Node]
    let edges: [Edge]
    let findings: [Finding]
    let snapshot: Snapshot

    init(_ json: String) throws {
      self = try JSONDecoder().decode(Self.self, from: Data(json.utf8))
    }
  }
}
