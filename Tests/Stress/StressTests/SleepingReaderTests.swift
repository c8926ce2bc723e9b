// SPDX-License-Identifier: MIT

import Corinth
import TestSupport
import XCTest

/// User code that a resolve calls may take any time. It holds back the registration that it belongs
/// to, and no other object of the process: beside a factory that slept, each override kept 350
/// bytes.
final class SleepingReaderTests: StressTestCase {
  private let tracker = LifetimeTracker()
  private let container = Container()
  private let mayEnd = Gate()

  /// Overrides one registration many times while `resolve` runs on another thread, in user code
  /// that waits for ``mayEnd``, of a registration that has been replaced by `replace`.
  private func override(
    beside resolve: @escaping @Sendable () throws -> Void, from begun: Gate,
    replacing replace: () throws -> Void, line: UInt = #line
  ) throws {
    let (tracker, count) = (tracker, StressSize.scaled(20_000, sanitized: 2_000))
    let reader = JoinableThread { try resolve() }
    begun.wait()
    try replace()
    let held = tracker.alive
    for _ in 0..<count {
      let captured = tracker.make()
      try container.register(Int.self) { _ in captured.serial }
    }
    blockUntil {
      reclaimWhatIsFree()
      return tracker.alive == held + 1
    }
    XCTAssertEqual(tracker.alive, held + 1, "replaced registrations are there", line: line)
    mayEnd.open()
    try reader.join().get()
    settleReclamation()
    XCTAssertEqual(tracker.alive, 1, "the registration in use is there after its end", line: line)
    container.removeAll()
    assertNoneLeft(tracker)
  }

  func testAFactoryThatSleepsKeepsItsRegistrationAlone() throws {
    let (begun, mayEnd, container) = (Gate(), mayEnd, container)
    let captured = Locked<Tracked?>(tracker.make())
    try container.register(String.self) { [kept = captured.withLock { $0! }] _ in
      begun.open()
      mayEnd.wait()
      return "\(kept.serial)"
    }
    captured.withLock { $0 = nil }
    try override(
      beside: { XCTAssertEqual(try container.resolve(String.self), "1") }, from: begun,
      replacing: { try container.register(String.self) { _ in "another" } })
  }

  func testAFactoryOfArgumentsThatSleepsKeepsItsRegistrationAlone() throws {
    let (begun, mayEnd, container) = (Gate(), mayEnd, container)
    try container.register(String.self) { (_, number: Int) in
      begun.open()
      mayEnd.wait()
      return "\(number)"
    }
    try override(
      beside: { XCTAssertEqual(try container.resolve(String.self, arguments: 7), "7") },
      from: begun, replacing: { container.removeAll() })
  }

  func testABorrowerThatSleepsKeepsWhatItHasBorrowedAlone() throws {
    let (begun, mayEnd, container, tracker) = (Gate(), mayEnd, container, tracker)
    try container.register(Tracked.self, scope: .singleton) { _ in tracker.make() }
    _ = try container.resolve(Tracked.self)
    try override(
      beside: {
        try container.withResolved(Tracked.self) {
          begun.open()
          mayEnd.wait()
          XCTAssertEqual($0.serial, 1)
        }
      }, from: begun, replacing: { XCTAssertTrue(container.release(Tracked.self)) })
  }
}

/// Factories and borrowers that nest and wait while what they use is replaced.
final class UseStressTests: StressTestCase {
  private static let names = (0..<4).map { Name($0) }

  /// What a factory has captured, or a borrower has got.
  private final class Canary: Tracked, @unchecked Sendable {
    // SAFETY: written by the initializer and the deinit only, which the container orders with all
    // uses.
    private var mark = Canary.alive
    private static let alive = 0x5EED
    var isAlive: Bool { mark == Canary.alive }
    deinit { mark = 0 }
  }

  private static func register(
    _ name: Name, in container: Container, _ tracker: LifetimeTracker
  ) throws {
    let captured = Canary(tracker)
    try container.register(Int.self, name: name) { (resolver: Resolver, level: Int) in
      if !captured.isAlive { return -1 }
      var inner = 0
      if level > 0 {
        inner = try resolver.resolve(Int.self, name: names[level % 4], arguments: level - 1)
      }
      sched_yield()
      return captured.isAlive ? inner : -1
    }
    try container.register(Canary.self, name: name, scope: .singleton) { _ in Canary(tracker) }
    _ = try container.resolve(Canary.self, name: name)
  }

  func testWhatUserCodeUsesIsThereWhateverIsReplaced() throws {
    let (container, tracker) = (Container(), LifetimeTracker())
    for name in Self.names { try Self.register(name, in: container, tracker) }
    let rounds = StressSize.scaled(4_000, sanitized: 400)
    let dead = try onThreads(5) { thread in
      var random = SeededGenerator(seed: UInt64(thread + 1))
      var dead = 0
      for _ in 0..<rounds {
        let name = Self.names[Int.random(in: 0..<4, using: &random)]
        switch thread == 0 ? 0 : Int.random(in: 1..<4, using: &random) {
        case 0:
          try Self.register(name, in: container, tracker)
        case 1:
          // Up to a depth at which levels have entries, and beyond.
          let level = Int.random(in: 0..<8, using: &random) == 0 ? 90 : 5
          if try container.resolve(Int.self, name: name, arguments: level) < 0 { dead += 1 }
        default:
          let wasThere = try container.withResolved(Canary.self, name: name) { outer in
            if !outer.isAlive { return false }
            let isInnerThere = try container.withResolved(
              Canary.self, name: Self.names[Int.random(in: 0..<4, using: &random)]
            ) { inner in
              sched_yield()
              return inner.isAlive
            }
            return isInnerThere && outer.isAlive
          }
          if !wasThere { dead += 1 }
        }
      }
      return dead
    }
    XCTAssertEqual(dead.reduce(0, +), 0, "what user code used was gone")
    container.removeAll()
    assertNoneLeft(tracker)
  }
}
