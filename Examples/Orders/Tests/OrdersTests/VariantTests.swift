// SPDX-License-Identifier: MIT

import Corinth
import Glibc
import Orders
import Testing

/// Eight services at once, each with another override, port and database. None sees those of the
/// others.
struct VariantTests {
  @Test func eightServicesWithOtherOverridesRunBesideEachOther() async throws {
    let stories = try await withThrowingTaskGroup(of: (Int, Story).self) { group in
      for (index, variant) in Variant.all.enumerated() {
        group.addTask {
          let story = try await RunningService.run(
            variables: variant.variables, configure: variant.configure, Story.told(by:))
          return (index, story)
        }
      }
      return try await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
    }
    #expect(stories.count == 8)
    for (index, variant) in Variant.all.enumerated() {
      #expect(stories[index] == variant.expected, "\(variant.name)")
    }
  }
}

/// The responses that clients get from a service.
struct Story: Equatable, Sendable {
  var order = 201
  var price = #"{"item":"book","price":2280,"quantity":1}"#
  var health = 200
  var waitingLetters = 0

  static func told(by service: RunningService) throws -> Story {
    let order = try service.send(
      "POST", "/orders", body: #"{"lines":[{"item":"book","quantity":1}]}"#)
    var story = Story()
    story.order = order.status
    story.price = try service.send("GET", "/price/book").body
    // The worker tries to send each letter at once; those that fail stay.
    let counters = try service.container.resolve(MailCounters.self)
    for _ in 0..<5_000 where order.status == 201 {
      let waiting = try service.number("SELECT count(*) FROM outbox")
      if counters.failed.value > 0 || (counters.sent.value > 0 && waiting == 0) { break }
      usleep(1_000)
    }
    story.waitingLetters = try service.number("SELECT count(*) FROM outbox") ?? -1
    story.health = try service.send("GET", "/health").status
    return story
  }
}
