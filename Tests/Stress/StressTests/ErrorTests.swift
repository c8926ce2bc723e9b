// SPDX-License-Identifier: MIT

import Corinth
import TestSupport
import XCTest

/// Errors reach the caller whose resolve failed, whatever others are doing.
class ErrorTests: ContainerTestCase {
  private struct Failure: Error, Equatable {
    let value: Int
  }

  /// Each call gets the error of its own arguments, through a chain of factories.
  func testErrorsAreNotMixedUp() throws {
    let container = makeContainer()
    try container.register(Int.self, name: "thrower") { (_, value: Int) in
      throw Failure(value: value)
    }
    try container.register(Int.self, name: "caller") { (resolver, value: Int) in
      try resolver.resolve(Int.self, name: "thrower", arguments: value)
    }
    let rounds = StressSize.scaled(2000, sanitized: 300)
    try onThreads(6) { index in
      for round in 0..<rounds {
        let value = index * rounds + round
        do {
          _ = try container.resolve(Int.self, name: "caller", arguments: value)
          XCTFail("no error")
        } catch {
          let error = try XCTUnwrap(error as? ResolutionError)
          XCTAssertEqual(error.underlyingError as? Failure, Failure(value: value))
          XCTAssertEqual(error.path.map(\.name), ["caller", "thrower"])
        }
      }
    }
  }

  /// A message looks for near misses in a container that changes meanwhile.
  func testMessagesArePrintedBesideAWriter() throws {
    let container = makeContainer()
    try besideAWriter(readers: 3, rounds: StressSize.scaled(500, sanitized: 100)) { round in
      let name: Name = "a name that is too long to be kept inline: \(round % 50)"
      if round % 3 == 2 {
        container.unregister(Int.self, name: name)
      } else {
        try container.register(Int.self, name: name) { _ in round }
      }
    } read: { _ in
      do {
        _ = try container.resolve(Int.self)
        XCTFail("no error")
      } catch {
        XCTAssert("\(error)".hasPrefix("Nothing is registered for Int."), "\(error)")
      }
    }
  }

  /// Providers follow the key: what they return, or throw, belongs to a current registration.
  func testProvidersBesideAWriter() throws {
    let container = makeContainer()
    let tracker = LifetimeTracker()
    let generations = Generations()
    @Sendable func register(_ generation: Int) throws {
      try container.register(
        Instance.self, scope: generation % 2 == 0 ? .singleton : .transient
      ) { _ in
        if generation % 3 == 0 { throw Failure(value: generation) }
        return Instance(tracker, generation: generation)
      }
    }
    try generations.advance(register)
    let provider = try container.provider(for: Instance.self)
    _ = try provider()
    try besideAWriter(readers: 5, rounds: StressSize.scaled(10_000, sanitized: 1000)) { _ in
      try generations.advance(register)
    } read: { _ in
      try generations.check {
        do {
          return try provider().generation
        } catch {
          guard let failure = (error as? ResolutionError)?.underlyingError as? Failure else {
            throw error
          }
          return failure.value
        }
      }
    }
    container.removeAll()
    assertNoneLeft(tracker)
  }
}
