// SPDX-License-Identifier: MIT

import Corinth
import CorinthTesting
import Orders
import Testing

/// Only who knows the token changes prices, and there is no token that everybody knows.
struct AdminTokenTests {
  @Test(.container(try application.get()), arguments: ["", "short", "fifteen-letters"])
  func aServiceDoesNotStartWithAShortToken(token: String) async throws {
    let container = try #require(Container.current)
    try container.register(
      value: Environment(["ADMIN_TOKEN": token, "PORT": "0"]), as: Environment.self,
      onDuplicate: .require)
    let error = await #expect(throws: ResolutionError.self) { try await container.startServer() }
    let message = "ADMIN_TOKEN should be at least 16 bytes long, or not set."
    #expect(error?.description.contains(message) == true)
    if !token.isEmpty { #expect(error?.description.contains(token) == false) }
  }

  @Test func onlyTheWholeTokenIsTaken() async throws {
    let token = RunningService.token
    try await RunningService.run { service in
      let wrong = [
        "", "Bearer", "Bearer ", token, "Bearer \(token)x", "Bearer \(token.dropLast())",
        "Bearer \(token.dropLast())x", "bearer \(token)",
      ]
      for header in wrong {
        let refused = try service.send(
          "PUT", "/admin/price-list", headers: ["Authorization": header], body: #"{"book":1}"#)
        #expect(refused.status == 403, "\(header)")
      }
      let taken = try service.send(
        "PUT", "/admin/price-list", headers: ["Authorization": "Bearer \(token)"],
        body: #"{"book":1}"#)
      #expect(taken.status == 204)
    }
  }
}
