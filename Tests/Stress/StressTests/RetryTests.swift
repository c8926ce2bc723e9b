// SPDX-License-Identifier: MIT

import Corinth
import Foundation
import TestSupport
import XCTest

/// A factory that throws leaves nothing behind: the next in turn tries again.
class RetryTests: ContainerTestCase {
  private struct Failure: Error, Hashable {
    let attempt: Int
  }

  private let threads = 8
  private let failures = 5

  func testWaitersOfASingletonGetATurnEach() throws {
    try retry(scope: .singleton)
  }

  func testWaitersOfAWeakInstanceGetATurnEach() throws {
    try retry(scope: .weak)
  }

  /// Each failed attempt is reported to the one caller who made it.
  private func retry(scope: AnyScope) throws {
    let tracker = LifetimeTracker()
    let rounds = StressSize.scaled(30)
    for _ in 0..<rounds {
      let container = makeContainer()
      let attempts = AtomicCounter()
      try container.register(Tracked.self, scope: scope) { [failures] _ in
        usleep(200)
        let attempt = attempts.add()
        if attempt <= failures { throw Failure(attempt: attempt) }
        return tracker.make()
      }
      let results = try onThreads(threads) { _ in
        Result { try container.resolve(Tracked.self) }
      }
      XCTAssertEqual(attempts.value, failures + 1)
      var seen: [Failure] = []
      var resolved: [Tracked] = []
      for result in results {
        switch result {
        case .success(let instance): resolved.append(instance)
        case .failure(let error):
          let underlying = (error as? ResolutionError)?.underlyingError
          seen.append(try XCTUnwrap(underlying as? Failure, "\(error)"))
        }
      }
      XCTAssertEqual(Set(seen), Set((1...failures).map { Failure(attempt: $0) }))
      XCTAssertEqual(seen.count, failures)
      XCTAssertEqual(resolved.count, threads - failures)
      XCTAssert(resolved.allSatisfy { $0 === resolved[0] })
    }
    XCTAssertEqual(tracker.created, rounds)
    assertNoneLeft(tracker)
  }

  /// A failing dependency fails those that need it, and nothing else.
  func testOtherKeysAreUntouchedByAFailure() throws {
    let container = makeContainer()
    let tracker = LifetimeTracker()
    let isBroken = Flag(true)
    try container.register(Tracked.self, name: "broken", scope: .singleton) { _ in
      if isBroken.isSet { throw Failure(attempt: 0) }
      return tracker.make()
    }
    try container.register(Tracked.self, name: "dependent", scope: .singleton) {
      try $0.resolve(Tracked.self, name: "broken")
    }
    try container.register(Tracked.self, name: "sound", scope: .singleton) { _ in
      tracker.make()
    }
    let rounds = StressSize.scaled(200)
    try onThreads(6) { index in
      for _ in 0..<rounds {
        switch index % 3 {
        case 0: _ = try container.resolve(Tracked.self, name: "sound")
        case 1: XCTAssertThrowsError(try container.resolve(Tracked.self, name: "broken"))
        default:
          XCTAssertThrowsError(try container.resolve(Tracked.self, name: "dependent")) {
            XCTAssertEqual(
              ($0 as? ResolutionError)?.path.map(\.name), ["dependent", "broken"])
          }
        }
      }
    }
    isBroken.isSet = false
    XCTAssert(
      try container.resolve(Tracked.self, name: "dependent")
        === container.resolve(Tracked.self, name: "broken"))
    XCTAssertEqual(tracker.created, 2)
    container.removeAll()
    assertNoneLeft(tracker)
  }
}
