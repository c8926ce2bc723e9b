// SPDX-License-Identifier: MIT

import Corinth
import TestSupport
import XCTest

/// Random operations of several threads on few keys, judged afterwards: what each resolve has found
/// must have been registered at some moment of the call.
///
/// Each registration of a key is a write of a value that no other writes, each removal a write of
/// nothing, each resolve a read. A read is in order when a write of what it found began before the
/// read ended, and no other write lies between the two as a whole.
class HistoryTests: ContainerTestCase {
  private let keys = 3
  private let threads = 4

  private struct Event: Sendable {
    enum Operation {
      case write
      case read
    }

    let operation: Operation
    let key: Int
    /// What was written or read, `nil` for nothing.
    let value: Int?
    /// When it began and ended, counted by a clock that all threads share.
    let time: Range<Int>
  }

  func testResolvesAreLinearizable() throws {
    let operations = stressSize(400, sanitized: 100)
    for round in 0..<StressSize.scaled(10) {
      let container = makeContainer()
      let tracker = LifetimeTracker()
      let clock = AtomicCounter(1)
      let events = try onThreads(threads) { [keys] thread in
        var random = SeededGenerator(seed: UInt64(round * 100 + thread))
        return try (0..<operations).map { operation in
          let id = thread * operations + operation
          return try Self.perform(
            on: container, key: Int.random(in: 0..<keys, using: &random), id, tracker, clock,
            &random)
        }
      }.flatMap { $0 }
      for key in 0..<keys { check(events.filter { $0.key == key }, seed: round) }
      container.removeAll()
      assertNoneLeft(tracker)
    }
  }

  private static func perform(
    on container: Container, key: Int, _ id: Int, _ tracker: LifetimeTracker,
    _ clock: AtomicCounter, _ random: inout SeededGenerator
  ) throws -> Event {
    let scope = [Scope.singleton, .transient, .weak].randomElement(using: &random)
    let choice = Int.random(in: 0..<10, using: &random)
    let began = clock.value
    var operation = Event.Operation.write
    var value: Int?
    switch choice {
    case 0, 1:
      try container.register(Instance.self, name: Name(key), scope: scope ?? .transient) { _ in
        Instance(tracker, generation: id)
      }
      value = id
    case 2:
      container.unregister(Instance.self, name: Name(key))
    default:
      operation = .read
      value = try container.resolveIfRegistered(Instance.self, name: Name(key))?.generation
    }
    return Event(operation: operation, key: key, value: value, time: began..<clock.add())
  }

  /// - Parameter events: those of one key.
  private func check(_ events: [Event], seed: Int) {
    let atFirst = Event(operation: .write, key: 0, value: nil, time: 0..<1)
    let writes = [atFirst] + events.filter { $0.operation == .write }
    for read in events where read.operation == .read {
      let isInOrder = writes.contains { write in
        write.value == read.value && write.time.lowerBound < read.time.upperBound
          && !writes.contains {
            $0.time.lowerBound >= write.time.upperBound
              && $0.time.upperBound <= read.time.lowerBound
          }
      }
      XCTAssert(isInOrder, "round \(seed): nobody may read \(String(describing: read.value))")
    }
  }
}
