// SPDX-License-Identifier: MIT

import Corinth
import Synchronization
import TestSupport
import XCTest

/// All kinds of scoped instances in one scope, beside closers: with arguments, actions, tasks and
/// forwards, of names, and more of them than the first block has cells.
final class ScopePlaceStressTests: StressTestCase {
  private final class Counts: Sendable {
    let built = AtomicCounter()
    let ended = AtomicCounter()
    let attempts = AtomicCounter()
    let dead = AtomicCounter()
    let twice = AtomicCounter()
  }

  private class Part: Tracked, @unchecked Sendable {
    private let life = Atomic<UInt64>(Part.alive)
    let value: Int

    private static var alive: UInt64 { 0x5CA1_AB1E_0DDB_A115 }

    init(_ tracker: LifetimeTracker, _ counts: Counts, value: Int = 0) throws {
      self.value = value
      super.init(tracker)
      let attempt = counts.attempts.add()
      if attempt % 3 == 0 { sched_yield() }
      if attempt % 7 == 0 { throw Refused() }
      counts.built.add()
    }

    var isAlive: Bool { life.load(ordering: .relaxed) == Self.alive }

    deinit { life.store(0, ordering: .relaxed) }
  }
  private final class ByArgument: Part, @unchecked Sendable {}
  private final class WithAction: Part, @unchecked Sendable {}
  private final class InTask: Part, @unchecked Sendable {}
  private final class Plain: Part, @unchecked Sendable {}

  private let tracker = LifetimeTracker()
  private let counts = Counts()

  override func tearDown() {
    Container.onUndisposed = nil
    super.tearDown()
  }

  private func makeContainer(plain: Int) throws -> Container {
    let (tracker, counts) = (tracker, counts)
    let container = Container()
    @Sendable func end(_ part: Part) {
      if part.isAlive { counts.ended.add() }
    }
    try container.register(ByArgument.self) { (_, value: Int) in
      try ByArgument(tracker, counts, value: value)
    }.as(.scoped).onDispose(perform: end)
    try container.register(WithAction.self, scope: .scoped) { _ in
      try WithAction(tracker, counts)
    }.afterInit { resolver, part in
      // An instance whose action fails is nobody's to dispose of.
      let plain = try? resolver.resolve(Plain.self, name: Name(part.value))
      if let plain, !plain.isAlive { counts.dead.add() }
    }.onDispose(perform: end)
    try container.registerAsync(InTask.self, scope: .scoped) { _ in
      await Task.yield()
      return try InTask(tracker, counts)
    }.onDispose(perform: end)
    for name in 0..<plain {
      let registration = try container.register(Plain.self, name: Name(name), scope: .scoped) {
        _ in try Plain(tracker, counts)
      }
      registration.onDispose(perform: end).implements(Part.self)
    }
    return container
  }

  /// Resolves a random part of the scope.
  private static func resolve(
    in scope: Container, _ plain: Int, _ counts: Counts, _ random: inout SeededGenerator
  ) async {
    let part: Part?
    switch Int.random(in: 0..<6, using: &random) {
    case 0, 1:
      let value = Int.random(in: 0..<40, using: &random)
      let found = try? scope.resolve(ByArgument.self, arguments: value)
      if let found, found.value != value { counts.dead.add() }
      part = found
    case 2: part = try? scope.resolve(WithAction.self)
    case 3: part = try? await scope.resolveAsync(InTask.self)
    case 4: part = try? scope.resolve(Part.self, name: Name(0))
    default:
      part = try? scope.resolve(Plain.self, name: Name(Int.random(in: 0..<plain, using: &random)))
    }
    if let part, !part.isAlive { counts.dead.add() }
  }

  /// Each instance with a disposer is disposed of, or reported, once: whoever closes, and whatever
  /// is under construction then.
  private func run(plain: Int, line: UInt = #line) async throws {
    let counts = counts
    Container.onUndisposed = { counts.ended.add($0.instances.count) }
    let container = try makeContainer(plain: plain)
    for round in 0..<StressSize.scaled(120, sanitized: 20) {
      do {
        let scope = container.makeScope()
        await withTaskGroup(of: Void.self) { group in
          for task in 0..<4 {
            group.addTask {
              var random = SeededGenerator(seed: UInt64(round * 4 + task + 1))
              for step in 0..<30 {
                await Self.resolve(in: scope, plain, counts, &random)
                // Two tasks close, in the middle of the others' resolves.
                if task < 2, step == 20 + Int.random(in: 0..<10, using: &random) {
                  try? await scope.close()
                }
              }
            }
          }
        }
        if round.isMultiple(of: 2) { try? await scope.close() }
      }
    }
    await tracker.waitUntilNoneIsLeft()
    XCTAssertEqual(counts.dead.value, 0, "instances that were given out were gone", line: line)
    XCTAssertEqual(counts.ended.value, counts.built.value, line: line)
    XCTAssertEqual(tracker.left, 0, line: line)
  }

  func testEachInstanceOfAFewIsDisposedOfOrReportedOnce() async throws {
    try await run(plain: 4)
  }

  func testEachInstanceOfManyIsDisposedOfOrReportedOnce() async throws {
    try await run(plain: 200)
  }

  /// The tables grow beside resolves of the same registrations, in another order in each thread.
  func testOneInstanceIsBuiltForEachOfManyRegistrations() throws {
    let (tracker, built) = (tracker, AtomicCounter())
    let container = Container()
    let most = 400
    for name in 0..<most {
      try container.register(Tracked.self, name: Name(name), scope: .scoped) { _ in
        built.add()
        return tracker.make()
      }
    }
    var total = 0
    for round in 0..<StressSize.scaled(60, sanitized: 10) {
      var random = SeededGenerator(seed: UInt64(round + 1))
      let count = Int.random(in: 1...most, using: &random)
      total += count
      let scope = container.makeScope()
      let found = try onThreads(4) { thread in
        var random = SeededGenerator(seed: UInt64(round * 4 + thread + 1))
        let order = (0..<count).shuffled(using: &random)
        var serials = [Int](repeating: 0, count: count)
        for name in order {
          serials[name] = try scope.resolve(Tracked.self, name: Name(name)).serial
        }
        return serials
      }
      XCTAssertTrue(found.allSatisfy { $0 == found[0] })
      XCTAssertEqual(built.value, total)
      try scope.syncClose()
    }
    assertNoneLeft(tracker)
  }

  /// Children of a container take part in one resolution, beside its end.
  func testInstancesOfSeveralContainersAreOnePerContainerInAResolution() throws {
    let (tracker, dead) = (tracker, AtomicCounter())
    let container = Container()
    try container.register(Tracked.self, scope: .graph) { _ in tracker.make() }
    let children = (0..<3).map { _ in Container(parent: container) }
    for _ in 0..<StressSize.scaled(400, sanitized: 40) {
      let (begun, resolvers) = (Barrier(4), Locked<[Resolver]>([]))
      let ender = JoinableThread {
        try container.withResolution { resolution in
          resolvers.withLock { $0 = [resolution.resolver] }
          for child in children {
            _ = try child.resolve(Tracked.self)
            _ = resolution.publish(tracker.make(), as: Tracked.self, name: "published")
          }
          begun.wait()
          for _ in 0..<3 {
            guard let found: Tracked = resolution.instance(of: Tracked.self, name: "published")
            else { return dead.add() }
            if found.serial == 0 { dead.add() }
          }
          return 0
        }
      }
      _ = try onThreads(3) { thread in
        begun.wait()
        guard let resolver = resolvers.withLock({ $0.first }) else { return }
        for _ in 0..<5 {
          let first = try resolver.resolve(Tracked.self)
          if first.serial == 0 { dead.add() }
          resolver.withResolution { resolution in
            _ = resolution.publish(tracker.make(), as: Tracked.self, name: Name(thread))
            if let found: Tracked = resolution.instance(of: Tracked.self, name: Name(thread)),
              found.serial == 0
            {
              dead.add()
            }
          }
        }
      }
      _ = try ender.join().get()
      resolvers.withLock { $0 = [] }
    }
    XCTAssertEqual(dead.value, 0)
    assertNoneLeft(tracker)
  }
}
