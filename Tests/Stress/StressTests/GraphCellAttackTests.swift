// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import XCTest

@testable import Corinth

/// What may go wrong with the cells of resolutions: contexts that outlive the frames of their
/// thread, deinits at the end of a resolution, and threads that leave. The tests hold without cells
/// as well.
final class GraphCellAttackTests: StressTestCase {
  private let tracker = LifetimeTracker()

  private final class Leaf: Sendable {
    let tracked: Tracked
    init(_ tracked: Tracked) { self.tracked = tracked }
  }
  private final class Middle: Sendable {
    let leaf: Leaf
    let tracked: Tracked
    init(_ leaf: Leaf, _ tracked: Tracked) { (self.leaf, self.tracked) = (leaf, tracked) }
  }
  private final class Top: Sendable {
    let middle: Middle
    let tracked: Tracked
    init(_ middle: Middle, _ tracked: Tracked) { (self.middle, self.tracked) = (middle, tracked) }
  }

  /// A hand-over of resolvers to threads that use them while, and long after, their factories run.
  private final class Escape: Sendable {
    private let pending = Locked<[Resolver]>([])
    private let isOver = Locked(false)

    func hand(over resolver: Resolver) { pending.withLock { $0.append(resolver) } }
    func end() { isOver.withLock { $0 = true } }

    func takeEach(_ body: (Resolver) -> Void) {
      while true {
        let last = isOver.withLock { $0 }
        let next = pending.withLock { $0.isEmpty ? nil : $0.removeFirst() }
        if let next {
          body(next)
        } else if last {
          return
        } else {
          sched_yield()
        }
      }
    }
  }

  private struct Refused: Error {}

  // MARK: - Contexts beyond their frames

  func testResolversOfAnyLevelOutliveTheResolutionAndItsContainer() throws {
    let (tracker, escape) = (tracker, Escape())
    let strangers = (0..<3).map { number in
      JoinableThread {
        escape.takeEach { resolver in
          // Each follows the contexts around: the root, what captures a scope, a cycle, and a wait.
          _ = try? resolver.resolve(Leaf.self)
          _ = try? resolver.resolve(Middle.self)
          if number == 0 { _ = try? resolver.resolve(Int.self, name: "scoped") }
          if number == 1 { _ = try? resolver.resolve(Tracked.self) }
          _ = resolver.withResolution { $0.instance(of: Top.self) }
        }
      }
    }
    let builders = (0..<3).map { number in
      JoinableThread { [size = StressSize.scaled(1500, sanitized: 600)] in
        var random = SeededGenerator(seed: UInt64(number))
        for _ in 0..<size {
          let choice = Int.random(in: 0..<64, using: &random)
          let container = Container()
          @Sendable func pass(_ resolver: Resolver, _ bit: Int) throws {
            if choice & (1 << bit) != 0 { escape.hand(over: resolver) }
            if choice == 63 - bit { throw Refused() }
          }
          try container.register(Tracked.self, scope: .singleton) { _ in tracker.make() }
          try container.register(Int.self, name: "scoped", scope: .scoped) { _ in 1 }
          try container.register(Leaf.self, scope: .graph) {
            try pass($0, 0)
            return Leaf(tracker.make())
          }
          try container.register(Middle.self, scope: .graph) {
            try pass($0, 1)
            let leaf = try $0.resolve(Leaf.self)
            try pass($0, 2)
            return Middle(leaf, tracker.make())
          }
          try container.register(Top.self, scope: choice % 3 == 0 ? .graph : .transient) {
            try pass($0, 3)
            let middle = try $0.resolve(Middle.self)
            _ = try $0.resolve(Leaf.self)
            try pass($0, 4)
            return Top(middle, try $0.resolve(Tracked.self))
          }
          let scope = container.makeScope()
          for _ in 0..<2 {
            do {
              _ = try (choice & 32 == 0 ? container : scope).resolve(Top.self)
            } catch {}
          }
        }
      }
    }
    for builder in builders { try builder.join().get() }
    escape.end()
    for stranger in strangers { try stranger.join().get() }
    assertNoneLeft(tracker)
  }

  func testAThreadThatAsksForTheFirstInstanceJustWhenItEndsGetsOne() throws {
    let (tracker, escape, container) = (tracker, Escape(), Container())
    let isBusy = AtomicCounter()
    try container.register(Leaf.self, scope: .graph) { resolver in
      if isBusy.add() % 2 == 1 { escape.hand(over: resolver) }
      return Leaf(tracker.make())
    }
    let stranger = JoinableThread {
      var failures: [String] = []
      escape.takeEach { resolver in
        do {
          _ = try resolver.resolve(Leaf.self)
        } catch ResolutionError.circularDependencyDetected {
          // It may take part in the resolution, for which the factory does not wait.
        } catch {
          failures.append("\(error)")
        }
      }
      return failures
    }
    for _ in 0..<StressSize.scaled(20_000, sanitized: 5_000) {
      _ = try container.resolve(Leaf.self)
    }
    escape.end()
    XCTAssertEqual(try stranger.join().get(), [])
    assertNoneLeft(tracker)
  }

  func testTasksGoOnWithTheResolverOfAGraphFactory() async throws {
    let tracker = tracker
    let tasks = Locked<[Task<Int, Never>]>([])
    for round in 0..<StressSize.scaled(400, sanitized: 200) {
      let container = Container()
      try container.register(Leaf.self, scope: .graph) { _ in Leaf(tracker.make()) }
      try container.registerAsync(Tracked.self, scope: .singleton) { resolver in
        async let first = resolver.resolveAsync(Middle.self)
        async let second = resolver.resolveAsync(Middle.self)
        let (one, other) = try await (first, second)
        if one !== other { throw Refused() }
        return tracker.make()
      }
      try container.register(Middle.self, scope: .graph) { resolver in
        let task = Task {
          if round % 2 == 0 { await Task.yield() }
          let middle = try? resolver.resolve(Leaf.self)
          _ = try? await resolver.resolveAsync(Tracked.self)
          return middle == nil ? 0 : 1
        }
        tasks.withLock { $0.append(task) }
        return Middle(try resolver.resolve(Leaf.self), tracker.make())
      }
      _ = try await container.resolveAsync(Middle.self)
      _ = try? await container.resolveAsync(Tracked.self)
    }
    for task in tasks.withLock({ $0 }) { _ = await task.value }
    tasks.withLock { $0 = [] }
    await tracker.waitUntilNoneIsLeft()
    XCTAssertEqual(tracker.alive, 0)
  }

  // MARK: - Deinits

  private final class Ending: Sendable {
    let body: @Sendable () throws -> Void
    init(_ body: @escaping @Sendable () throws -> Void) { self.body = body }
    deinit { XCTAssertNoThrow(try body()) }
  }

  func testADeinitAtTheEndMayResolveTheSameAgainAndOverrideAndClose() throws {
    for beginsWithIt in [true, false] {
      let (tracker, container, depth) = (tracker, Container(), AtomicCounter())
      try container.register(Leaf.self, scope: .graph) { _ in Leaf(tracker.make()) }
      try container.register(Ending.self, scope: .graph) { [unowned container] resolver in
        let leaf = try resolver.resolve(Leaf.self)
        return Ending {
          _ = leaf
          let level = depth.add()
          if level < 40 {
            _ = try container.resolve(Int.self)
          } else if level == 40 {
            try container.register(Leaf.self, scope: .graph) { _ in Leaf(tracker.make()) }
            try container.syncClose()
          }
        }
      }
      try container.register(Int.self, scope: beginsWithIt ? .graph : .transient) {
        _ = try ($0.resolve(Ending.self), $0.resolve(Leaf.self))
        return 1
      }
      XCTAssertEqual(try container.resolve(Int.self), 1)
      XCTAssertEqual(depth.value, 40)
      XCTAssertThrowsError(try container.resolve(Int.self))
    }
    assertNoneLeft(tracker)
  }

  func testADeinitAtTheEndMayKeepAResolverOfTheNextResolution() throws {
    let (tracker, container) = (tracker, Container())
    let kept = Locked<[Resolver]>([])
    try container.register(Leaf.self, scope: .graph) { resolver in
      kept.withLock { $0.append(resolver) }
      return Leaf(tracker.make())
    }
    try container.register(Ending.self, scope: .graph) { [unowned container] _ in
      Ending { _ = try container.resolve(Leaf.self) }
    }
    try container.register(Int.self) {
      _ = try $0.resolve(Ending.self)
      return 1
    }
    for _ in 0..<20 {
      XCTAssertEqual(try container.resolve(Int.self), 1)
      for resolver in kept.withLock({ $0 }) { XCTAssertNoThrow(try resolver.resolve(Leaf.self)) }
      kept.withLock { $0 = [] }
    }
    assertNoneLeft(tracker)
  }

  // MARK: - What spares keep

  private final class NameContent: Hashable, Sendable {
    let tracked: Tracked
    let number: Int
    init(_ tracked: Tracked, _ number: Int) { (self.tracked, self.number) = (tracked, number) }
    static func == (left: NameContent, right: NameContent) -> Bool { left.number == right.number }
    func hash(into hasher: inout Hasher) { hasher.combine(number) }
  }

  func testNothingThatAThreadKeepsHoldsANameOrAContainer() throws {
    let tracker = tracker
    for fails in [false, true] {
      for escapes in [false, true] {
        let kept = Locked<[Resolver]>([])
        func run() throws {
          let container = Container()
          let held = tracker.make()
          for number in 0..<20 {
            try container.register(
              Int.self, name: Name(NameContent(tracker.make(), number)), scope: .graph
            ) { resolver in
              _ = held
              if escapes { kept.withLock { $0.append(resolver) } }
              if fails, number == 19 { throw Refused() }
              if number == 19 { return 19 }
              let next = Name(NameContent(tracker.make(), number + 1))
              return try resolver.resolve(Int.self, name: next)
            }
          }
          let first = Name(NameContent(tracker.make(), 0))
          if fails {
            XCTAssertThrowsError(try container.resolve(Int.self, name: first))
          } else {
            XCTAssertEqual(try container.resolve(Int.self, name: first), 19)
          }
        }
        try run()
        kept.withLock { $0 = [] }
        assertNoneLeft(tracker)
      }
    }
  }

  func testResolutionsThatEscapeLeaveNoGrowth() throws {
    let (tracker, container) = (tracker, Container())
    let kept = Locked<Resolver?>(nil)
    try container.register(Leaf.self, scope: .graph) { resolver in
      kept.withLock { $0 = resolver }
      return Leaf(tracker.make())
    }
    try container.register(Middle.self) { Middle(try $0.resolve(Leaf.self), tracker.make()) }
    func resolve(_ count: Int) throws {
      for _ in 0..<count { _ = try container.resolve(Middle.self) }
    }
    let count = StressSize.scaled(100_000, sanitized: 20_000)
    try resolve(count / 10)
    try assertMemoryInUse(growsByAtMost: 8 * count) { try resolve(count) }
    kept.withLock { $0 = nil }
    assertNoneLeft(tracker)
  }

  func testThreadsThatComeAndGoLeaveNoContextsBehind() throws {
    let (tracker, container) = (tracker, Container())
    try container.register(Leaf.self, scope: .graph) { _ in Leaf(tracker.make()) }
    try container.register(Middle.self, scope: .graph) {
      Middle(try $0.resolve(Leaf.self), tracker.make())
    }
    try container.register(Top.self) { Top(try $0.resolve(Middle.self), tracker.make()) }
    func churn(_ count: Int) throws {
      for _ in 0..<count {
        let thread = JoinableThread {
          _ = try (container.resolve(Top.self), container.resolve(Middle.self))
        }
        try thread.join().get()
      }
    }
    let count = StressSize.scaled(2_000, sanitized: 1_000)
    try churn(count)
    // The contexts and cells of one thread come to 4 KiB.
    try assertMemoryInUse(growsByAtMost: 512 << 10) { try churn(count) }
    assertNoneLeft(tracker)
  }

  // MARK: - Depth

  func testAnInstanceThatIsRefusedForWantOfStackLeavesNothing() throws {
    let (tracker, container) = (tracker, Container())
    let count = 3_000
    for number in 0..<count {
      try container.register(Leaf.self, name: Name(number), scope: .graph) { resolver in
        if number % 2 == 0 { _ = try resolver.resolve(Leaf.self, name: Name(count)) }
        let next = try number % 50 == 49 ? resolver.container.resolver : resolver
        return try next.resolve(Leaf.self, name: Name(number + 1))
      }
    }
    try container.register(Leaf.self, name: Name(count), scope: .graph) { _ in Leaf(tracker.make())
    }
    for _ in 0..<3 {
      let refused = JoinableThread(stackSize: 256 << 10) {
        do {
          _ = try container.resolve(Leaf.self, name: Name(0))
          return "resolved"
        } catch {
          return "\(error)".contains("stack") || "\(error)".contains("deep")
            ? "refused" : "\(error)"
        }
      }
      XCTAssertEqual(try refused.join().get(), "refused")
      XCTAssertEqual(
        try container.resolve(Leaf.self, name: Name(count - 40)).tracked.serial > 0, true)
      assertNoneLeft(tracker)
    }
  }

  // MARK: - Composition and explicit resolutions

  func testAnInstancePublishedDuringItsFactoryIsFoundInItsPlace() throws {
    let (tracker, container) = (tracker, Container())
    final class Owner: @unchecked Sendable {
      var part: Part?
      let tracked: Tracked
      init(_ tracked: Tracked) { self.tracked = tracked }
    }
    final class Part: @unchecked Sendable {
      weak var owner: Owner?
      init(_ owner: Owner) { self.owner = owner }
    }
    try container.register(Owner.self, scope: .graph) { resolver in
      let owner = Owner(tracker.make())
      try resolver.withResolution { resolution in
        XCTAssertNil(resolution.instance(of: Owner.self))
        XCTAssertTrue(resolution.publish(owner))
        owner.part = try resolution.resolver.resolve(Part.self)
        XCTAssertTrue(resolution.instance(of: Part.self) === owner.part)
      }
      return owner
    }
    try container.register(Part.self, scope: .graph) { Part(try $0.resolve(Owner.self)) }
    try container.register(Bool.self) {
      let owner = try $0.resolve(Owner.self)
      return try owner.part?.owner === owner && $0.resolve(Part.self) === owner.part
    }
    for _ in 0..<3 {
      let owner = try container.resolve(Owner.self)
      XCTAssertTrue(owner.part?.owner === owner)
      XCTAssertTrue(try container.resolve(Bool.self))
    }
    assertNoneLeft(tracker)
  }

  func testContainersOfOneResolutionComeAndGoInTheMiddle() throws {
    let (tracker, container) = (tracker, Container())
    try container.register(Leaf.self, scope: .graph) { _ in Leaf(tracker.make()) }
    try container.register(Middle.self, scope: .graph) { resolver in
      let leaf = try resolver.resolve(Leaf.self)
      for number in 0..<20 {
        let own = try resolver.container
        let other = number % 2 == 0 ? Container(parent: own) : own.fork()
        let first = try other.resolver.resolve(Leaf.self)
        XCTAssertFalse(first === leaf)
      }
      XCTAssertTrue(try resolver.resolve(Leaf.self) === leaf)
      return Middle(leaf, tracker.make())
    }
    for _ in 0..<20 { _ = try container.resolve(Middle.self) }
    assertNoneLeft(tracker)
  }

  // MARK: - In vain

  func testAnInstanceThatWasBuiltInVainIsBuiltAgainInItsResolution() throws {
    let (tracker, container, log) = (tracker, Container(), EventLog())
    let attempts = AtomicCounter()
    // Its action asks for what gets it early, and then fails.
    try container.register(Tracked.self, scope: .singleton) { _ in tracker.make() }
      .afterInit { resolver, _ in
        let middle = try resolver.container.resolve(Middle.self)
        log.add("\(middle.leaf.tracked.serial)")
        if attempts.add() == 1 { throw Refused() }
      }
    try container.register(Leaf.self, scope: .graph) { resolver in
      Leaf(try resolver.container.resolve(Tracked.self))
    }
    try container.register(Middle.self, scope: .graph) {
      Middle(try $0.resolve(Leaf.self), tracker.make())
    }
    XCTAssertThrowsError(try container.resolve(Tracked.self))
    XCTAssertEqual(tracker.left, 0)
    let singleton = try container.resolve(Tracked.self)
    XCTAssertTrue(try container.resolve(Middle.self).leaf.tracked === singleton)
    XCTAssertEqual(log.entries.count, 2)
  }

  /// Each of them gets the store early, and waits for its end in a resolution of its own.
  func testTasksThatWaitForTheirOwnInstanceBlockNoThread() throws {
    let (tracker, container) = (tracker, Container())
    let (isHanded, mayEnd, hasBuilt) = (AsyncGate(), AsyncGate(), AtomicCounter())
    let handed = Locked<Resolver?>(nil)
    try container.registerAsync(Tracked.self, scope: .singleton) { _ in tracker.make() }
      .afterInit { resolver, _ async throws in
        handed.withLock { $0 = resolver }
        isHanded.open()
        await mayEnd.wait()
      }
    try container.register(Leaf.self, scope: .graph) { _ in
      defer { hasBuilt.add() }
      guard let resolver = handed.withLock({ $0 }) else { throw Refused() }
      return Leaf(try resolver.resolve(Tracked.self))
    }
    let count = 4 * ProcessInfo.processInfo.activeProcessorCount
    assertEndsAsync {
      let singleton = Task { try await container.resolveAsync(Tracked.self) }
      await isHanded.wait()
      let leaves = (0..<count).map { _ in
        Task { try await container.resolveAsync(Leaf.self).tracked }
      }
      // No task of the pool: these may have it blocked.
      Thread.detachNewThread {
        blockUntil { hasBuilt.value == count }
        XCTAssertEqual(hasBuilt.value, count, "tasks block their threads")
        mayEnd.open()
      }
      let store = try await singleton.value
      for leaf in leaves {
        let found = try await leaf.value
        XCTAssertTrue(found === store)
      }
      handed.withLock { $0 = nil }
    }
  }

  func testAChildProcessBuildsWhatALostThreadWasBuildingInAResolution() throws {
    let (tracker, container) = (tracker, Container())
    let (begun, mayEnd, runs) = (Gate(), Gate(), AtomicCounter())
    try container.register(Leaf.self, scope: .graph) { _ in
      if runs.add() == 1 {
        begun.open()
        mayEnd.wait()
      }
      return Leaf(tracker.make())
    }
    try container.register(Int.self) { resolver in
      let builder = JoinableThread { try resolver.resolve(Leaf.self).tracked.serial }
      begun.wait()
      try ForkedChild {
        let leaf = try resolver.resolve(Leaf.self)
        try expect(try resolver.resolve(Leaf.self) === leaf, "kept")
        try expect(try container.resolve(Middle.self).leaf !== leaf, "another resolution")
      }.checkSuccess()
      mayEnd.open()
      return try builder.join().get()
    }
    try container.register(Middle.self, scope: .graph) {
      Middle(try $0.resolve(Leaf.self), tracker.make())
    }
    XCTAssertEqual(try container.resolve(Int.self), 1)
    assertNoneLeft(tracker)
  }

  func testAFactoryThatForksGoesOnInItsResolution() throws {
    let (tracker, container) = (tracker, Container())
    let child = Locked<Bool>(false)
    try container.register(Leaf.self, scope: .graph) { resolver in
      try ForkedChild {
        child.withLock { $0 = true }
        try expect(
          try resolver.resolve(Tracked.self) === resolver.resolve(Tracked.self), "in the child")
        // ThreadSanitizer has no threads in a child.
        if isSanitized { return }
        let stranger = JoinableThread { try resolver.resolve(Tracked.self).serial }
        try expect(try stranger.join().get() > 0, "on another thread of the child")
      }.checkSuccess()
      return Leaf(try resolver.resolve(Tracked.self))
    }
    try container.register(Tracked.self, scope: .graph) { _ in tracker.make() }
    try container.register(Middle.self) {
      let leaf = try $0.resolve(Leaf.self)
      return Middle(leaf, try $0.resolve(Tracked.self))
    }
    let middle = try container.resolve(Middle.self)
    XCTAssertTrue(middle.tracked === middle.leaf.tracked)
    XCTAssertFalse(child.withLock { $0 })
  }
}
