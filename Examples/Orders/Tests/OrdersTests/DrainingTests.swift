// SPDX-License-Identifier: MIT

import Corinth
import Dispatch
import Orders
import Testing

/// A service that ends lets the requests end that have begun, and refuses others.
struct DrainingTests {
  /// Holds up the request that takes something from it.
  private struct SlowStock: Stock {
    let isAsked: DispatchSemaphore
    let goesOn: DispatchSemaphore

    func take(_ quantity: Int, of item: String) {
      isAsked.signal()
      goesOn.wait()
    }
  }

  @Test func aRequestThatHasBegunIsServedAndNewOnesAreRefused() async throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let (isAsked, goesOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let service = try await RunningService.start(in: folder) {
      try $0.register((any Stock).self, onDuplicate: .require) { _ in
        SlowStock(isAsked: isAsked, goesOn: goesOn)
      }
    }
    let responses = try await onThreads(2) { index in
      if index == 0 {
        return try service.send(
          "POST", "/orders", body: #"{"lines":[{"item":"pen","quantity":1}]}"#)
      }
      isAsked.wait()
      let ending = DispatchSemaphore(value: 0)
      Task {
        try await service.container.shutdown(draining: .seconds(60))
        ending.signal()
      }
      // The shutdown begins at some moment after this: requests are served until then.
      var response = try service.send("GET", "/price/pen")
      while response.status == 200 { response = try service.send("GET", "/price/pen") }
      goesOn.signal()
      ending.wait()
      return response
    }
    #expect(responses[0].status == 201)
    #expect(responses[1].status == 503)
    #expect(responses[1].headers["retry-after"] == "1")
    #expect(throws: Client.Lost.self) { try service.send("GET", "/price/pen") }
    #expect(try service.number("SELECT count(*) FROM placed_order") == 1)
  }
}
