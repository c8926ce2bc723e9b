// SPDX-License-Identifier: MIT

import Corinth
import TestSupport
import XCTest

/// What is lent stays alive until the borrower is done, and all that the borrower did comes before
/// the deinit.
///
/// The threads share nothing but the container, so that ThreadSanitizer sees no other order than
/// the one that the container makes.
class BorrowTests: ContainerTestCase {
  /// Something that tells when it is used after its end.
  private final class Marked: Tracked, @unchecked Sendable {
    // SAFETY: written by the initializer and the deinit only, which the container orders with all
    // uses.
    private var mark = Marked.alive
    private static let alive = 0x5EED

    var isIntact: Bool { mark == Marked.alive }

    deinit {
      mark = 0
    }
  }

  func testInstancesAreIntactWhileTheyAreLent() throws {
    try storm { container in
      try container.withResolved(Marked.self) { $0.isIntact }
    }
  }

  func testInstancesAreIntactWhileTheyAreHeld() throws {
    try storm { container in
      try container.resolve(Marked.self).isIntact
    }
  }

  /// What a factory has captured lives as long as the factory runs.
  func testFactoriesAreIntactWhileTheyRun() throws {
    try storm { container in
      try container.resolve(Bool.self)
    }
  }

  private func storm(_ isIntact: @escaping @Sendable (Container) throws -> Bool) throws {
    let container = makeContainer()
    let tracker = LifetimeTracker()
    @Sendable func register() throws {
      try container.register(Marked.self, scope: .singleton) { _ in Marked(tracker) }
      let captured = Marked(tracker)
      try container.register(Bool.self) { _ in captured.isIntact }
    }
    try register()
    let rounds = StressSize.scaled(20_000, sanitized: 3000)
    try onThreads(5) { index in
      for _ in 0..<rounds {
        if index == 0 {
          try register()
          _ = try container.resolve(Marked.self)
        } else if !(try isIntact(container)) {
          XCTFail("used after its end")
        }
      }
    }
    container.removeAll()
    assertNoneLeft(tracker)
  }
}
