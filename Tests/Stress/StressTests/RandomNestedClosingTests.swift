// SPDX-License-Identifier: MIT

import Corinth
import Foundation
import TestSupport
import XCTest

/// Random closings inside of disposers, with factories that close some of the containers around.
///
/// All closings have begun before the factories close, so that each such call waits, or is refused.
/// A factory that lasts keeps the rest from going on. Then no call is left that waits for a closing
/// which waits for the call.
final class RandomNestedClosingTests: StressTestCase {
  private final class Instance: Sendable {}

  /// A factory under way.
  private final class Part: Sendable {
    let owner: Int
    let isBuilding = Gate()
    let mayGoOn = Gate()
    let hasEnded = Flag()
    /// The container whose closing the factory waits for.
    let target = Shared<Int?>(nil)

    init(in owner: Int) { self.owner = owner }
  }

  private final class World: Sendable {
    let containers: [Container]
    /// For each container, the container that its disposer closes.
    let inner: [Int?]
    let parts: [Part]
    let isDisposing: [Flag]
    let disposed: [AtomicCounter]
    let outermost: [Int]

    init(_ random: inout SeededGenerator) throws {
      var inner: [Int?] = []
      var outermost: [Int] = []
      var owners: [Int] = []
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        outermost.append(inner.count)
        let depth = Int.random(in: 1...3, using: &random)
        for level in 0..<depth {
          inner.append(level + 1 < depth ? inner.count + 1 : nil)
          // A closing that waits for factories has not come to the disposer.
          if level + 1 == depth || Int.random(in: 0..<6, using: &random) == 0 {
            for _ in 0..<Int.random(in: 1...3, using: &random) { owners.append(inner.count - 1) }
          }
        }
      }
      (self.inner, self.outermost) = (inner, outermost)
      containers = inner.map { _ in Container() }
      isDisposing = inner.map { _ in Flag() }
      disposed = inner.map { _ in AtomicCounter() }
      parts = owners.map { Part(in: $0) }
      for (number, part) in parts.enumerated() {
        let disposed = disposed[part.owner]
        try containers[part.owner].register(Instance.self, name: Name(number)) { [self] _ in
          part.isBuilding.open()
          part.mayGoOn.wait()
          if let target = part.target.value { try containers[target].syncClose() }
          part.hasEnded.isSet = true
          return Instance()
        }.as(.singleton).onDispose { (_: Instance) in disposed.add() }
      }
      for number in containers.indices {
        let (disposed, isDisposing) = (disposed[number], isDisposing[number])
        let closed = inner[number].map { containers[$0] }
        try containers[number].register(Instance.self) { _ in Instance() }.as(.singleton)
          .onDispose { (_: Instance) in
            isDisposing.isSet = true
            try closed?.syncClose()
            disposed.add()
          }
        _ = try containers[number].resolve(Instance.self)
      }
    }

    /// Whether the closing of a container waits for a factory, directly or not.
    func waits(_ container: Int, for part: Part) -> Bool {
      var (pending, visited) = ([container], Set<Int>())
      while let next = pending.popLast() {
        guard visited.insert(next).inserted else { continue }
        let awaited = parts.filter { $0.owner == next && !$0.hasEnded.isSet }
        if awaited.contains(where: { $0 === part }) { return true }
        pending += awaited.compactMap(\.target.value)
        guard awaited.isEmpty, isDisposing[next].isSet, let inner = inner[next] else { continue }
        pending.append(inner)
      }
      return false
    }

    /// The factories that wait for a closing which waits for them.
    var callsForThemselves: [Part] {
      parts.filter { part in
        guard !part.hasEnded.isSet, let target = part.target.value else { return false }
        return waits(target, for: part)
      }
    }
  }

  func testNoCallIsLeftThatAClosingWaitsFor() throws {
    let first = UInt64.random(in: 0..<1 << 32)
    for seed in first..<first + UInt64(StressSize.scaled(30, sanitized: 10)) {
      var random = SeededGenerator(seed: seed)
      let world = try World(&random)
      var threads = world.parts.enumerated().map { number, part in
        let container = world.containers[part.owner]
        return JoinableThread { _ = try container.resolve(Instance.self, name: Name(number)) }
      }
      for part in world.parts { part.isBuilding.wait() }
      for number in world.outermost {
        let container = world.containers[number]
        threads.append(JoinableThread { try container.syncClose() })
      }
      usleep(30_000)
      // One factory lasts. The others close what is being closed.
      let closing = world.containers.indices.filter { world.containers[$0].isClosed }
      let shuffled = world.parts.shuffled(using: &random)
      for part in shuffled.dropFirst() {
        part.target.withValue { $0 = closing.randomElement(using: &random) }
        part.mayGoOn.open()
        if Bool.random(using: &random) { usleep(1_000) }
      }
      usleep(50_000)
      // A busy machine takes longer to let a call go on.
      let deadline = ContinuousClock.now + .seconds(5)
      while !world.callsForThemselves.isEmpty, ContinuousClock.now < deadline { usleep(10_000) }
      let left = world.callsForThemselves
      XCTAssertEqual(left.count, 0, "seed \(seed): calls wait for themselves")
      shuffled.first?.mayGoOn.open()
      let begun = threads
      assertEnds { for each in begun { try each.join().get() } }
      for number in world.containers.indices {
        let count = world.parts.filter { $0.owner == number }.count + 1
        XCTAssertEqual(world.disposed[number].value, count, "seed \(seed), container \(number)")
      }
      if !left.isEmpty { return }
    }
  }
}
