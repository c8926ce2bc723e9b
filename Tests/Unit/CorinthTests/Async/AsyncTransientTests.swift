// SPDX-License-Identifier: MIT

import Corinth
import TestSupport
import XCTest

/// Transients whose factories await, in the task of their caller.
final class AsyncTransientTests: AsyncTestCase {
  private let tracker = LifetimeTracker()
  private let log = EventLog()

  private func path(of error: any Error) -> [String] {
    guard case .circularDependencyDetected(let context)? = error as? ResolutionError else {
      return ["\(error)"]
    }
    return context.path.map { "\($0.product)" }
  }

  /// Identifies the calling task.
  private static var task: Int? {
    // SAFETY: nothing of the task is kept but its hash.
    unsafe withUnsafeCurrentTask { unsafe $0?.hashValue }
  }

  func testTheFactoryRunsInTheTaskOfItsCaller() async throws {
    try container.registerAsync(Int?.self) { _ in
      await Task.yield()
      return Self.task
    }
    let found = try await container.resolveAsync(Int?.self)
    XCTAssertNotNil(found)
    XCTAssertEqual(found, Self.task)
  }

  // MARK: - Products

  private struct Large: Sendable, Equatable {
    var (first, second, third, fourth) = ("a", "a text that is too long for two words", "c", "d")
    var words = [3, 5]
    var number = 7.5
  }

  private struct FiveWords: Sendable, Equatable {
    var (first, second, third, fourth, fifth) = (1, 2, 3, 4, 5)
  }

  private struct Empty: Sendable, Equatable {}

  func testProductsOfEverySizeAreReturned() async throws {
    try container.registerAsync(Large.self) { _ in Large() }
    try container.registerAsync(Empty.self) { _ in Empty() }
    try container.registerAsync(UInt8.self) { _ in 9 }
    try container.registerAsync(FiveWords.self) { _ in FiveWords() }
    try container.registerAsync(SIMD4<Float>.self) { _ in SIMD4(1, 2, 3, 4) }
    try container.registerAsync((any Error).self) { _ in FixtureError("a product") }
    try container.registerAsync((@Sendable () -> Int).self) { _ in { 11 } }
    try container.registerAsync(Tracked.self) { [tracker] _ in tracker.make() }
    do {
      let (large, byte) = (
        try await container.resolveAsync(Large.self), try await container.resolveAsync(UInt8.self)
      )
      XCTAssertEqual(large, Large())
      XCTAssertEqual(byte, 9)
      let (words, aligned) = (
        try await container.resolveAsync(FiveWords.self),
        try await container.resolveAsync(SIMD4<Float>.self)
      )
      XCTAssertEqual(words, FiveWords())
      XCTAssertEqual(aligned, SIMD4(1, 2, 3, 4))
      let empty = try await container.resolveAsync(Empty.self)
      XCTAssertEqual(empty, Empty())
      let error = try await container.resolveAsync((any Error).self)
      XCTAssertEqual("\(error)", "\(FixtureError("a product"))")
      let function = try await container.resolveAsync((@Sendable () -> Int).self)
      XCTAssertEqual(function(), 11)
      let object = try await container.resolveAsync(Tracked.self)
      XCTAssertEqual(object.serial, 1)
    }
    await tracker.waitUntilNoneIsLeft()
    XCTAssertEqual(tracker.alive, 0)
  }

  func testAnErrorOfTheFactoryLeavesNothingAndTheNextResolveBuilds() async throws {
    let attempts = AtomicCounter()
    try container.registerAsync(Tracked.self) { [tracker] _ in
      let product = tracker.make()
      await Task.yield()
      if attempts.add() % 2 == 1 { throw FixtureError("refused") }
      return product
    }
    for _ in 0..<20 {
      await assertThrows { [container] in
        try await container.resolveAsync(Tracked.self)
      } _: {
        XCTAssertTrue(($0 as? ResolutionError)?.underlyingError is FixtureError)
      }
      _ = try await container.resolveAsync(Tracked.self)
    }
    XCTAssertEqual(tracker.created, 40)
    await tracker.waitUntilNoneIsLeft()
    XCTAssertEqual(tracker.alive, 0)
  }

  // MARK: - Cancellation

  func testACancellationInTheMiddleReachesTheFactoryAndTheNextResolveBuilds() async throws {
    let (begun, gate) = (AsyncGate(), AsyncGate())
    try container.registerAsync(Tracked.self) { [tracker] _ in
      begun.open()
      await gate.wait()
      try Task.checkCancellation()
      return tracker.make()
    }
    let task = Task { [container] in try await container.resolveAsync(Tracked.self).serial }
    await begun.wait()
    task.cancel()
    gate.open()
    await assertThrows {
      try await task.value
    } _: {
      XCTAssertTrue(($0 as? ResolutionError)?.underlyingError is CancellationError)
    }
    let found = try await container.resolveAsync(Tracked.self).serial
    XCTAssertEqual(found, 1)
  }

  // MARK: - Cycles

  func testACycleThroughAnAwaitAndACapturedContainerIsFoundEachTime() async throws {
    try container.registerAsync(String.self) { [weak container] _ in
      await Task.yield()
      return "\(try await container?.resolveAsync(Int.self) ?? 0)"
    }
    try container.registerAsync(Int.self, scope: .singleton) { [weak container] _ in
      try await container?.resolveAsync(String.self).count ?? 0
    }
    for _ in 0..<50 {
      await assertThrows { [container] in
        try await container.resolveAsync(Int.self)
      } _: {
        XCTAssertEqual(path(of: $0), ["Int", "String", "Int"])
      }
    }
  }

  func testATransientThatNeedsItselfIsAnError() async throws {
    try container.registerAsync(Int.self) { resolver in try await resolver.resolveAsync(Int.self) }
    for _ in 0..<3 {
      await assertThrows { [container] in
        try await container.resolveAsync(Int.self)
      } _: {
        guard case .circularDependencyDetected? = $0 as? ResolutionError else {
          return XCTFail("\($0)")
        }
      }
    }
  }

  // MARK: - What outlives the factory

  func testAResolverThatEscapesIsOfNoLaterConstruction() async throws {
    let escaped = Locked<[Resolver]>([])
    try container.register(Tracked.self, scope: .graph) { [tracker] _ in tracker.make() }
    try container.registerAsync(String.self) { resolver in
      escaped.withLock { $0.append(resolver) }
      return "stored"
    }
    try container.registerAsync([Int].self) { resolver in
      let own = try resolver.resolve(Tracked.self).serial
      await Task.yield()
      let others = try escaped.withLock { $0 }.map { try $0.resolve(Tracked.self).serial }
      let again = try resolver.resolve(Tracked.self).serial
      XCTAssertEqual(own, again)
      return [own] + others
    }
    for _ in 0..<10 {
      _ = try await container.resolveAsync(String.self)
      let serials = try await container.resolveAsync([Int].self)
      XCTAssertEqual(Set(serials).count, serials.count, "each escaped resolver begins anew")
    }
    escaped.withLock { $0 = [] }
    await tracker.waitUntilNoneIsLeft()
    XCTAssertEqual(tracker.alive, 0)
  }

  /// It has a copy of the task-local value that leads to the construction, which must not be used
  /// again.
  func testATaskOfAFactoryThatOutlivesItIsAPartOfNoLaterConstruction() async throws {
    let gate = AsyncGate()
    let left = Locked<[Task<Int, any Error>]>([])
    try container.registerAsync(String.self) { [weak container] _ in
      let task = Task {
        await gate.wait()
        return try await container?.resolveAsync(Int.self) ?? 0
      }
      left.withLock { $0.append(task) }
      return "built"
    }
    try container.registerAsync(Int.self, scope: .singleton) { resolver in
      for _ in 0..<20 { _ = try await resolver.resolveAsync(String.self) }
      gate.open()
      for _ in 0..<20 { await Task.yield() }
      return 5
    }
    _ = try await container.resolveAsync(String.self)
    let found = try await container.resolveAsync(Int.self)
    XCTAssertEqual(found, 5)
    for task in left.withLock({ $0 }) {
      let found = try await task.value
      XCTAssertEqual(found, 5, "it waits, and finds no cycle")
    }
  }

  /// The thread goes on inside of the factory, which ends; the next construction may use its memory
  /// again.
  func testATaskThatAFactoryBeginsAtOnceIsAPartOfNoLaterConstruction() async throws {
    guard #available(macOS 26, *) else { throw XCTSkip("no immediate tasks") }
    let mayAsk = AsyncGate()
    let (asking, left) = (AtomicCounter(), Locked<Task<Int, any Error>?>(nil))
    try container.register(Bool.self, scope: .singleton) { [weak container] _ in
      left.withLock { task in
        task = Task.immediate { try await container?.resolveAsync(Int.self) ?? 0 }
      }
      return true
    }
    try container.registerAsync(Int.self) { [weak container] _ in
      await mayAsk.wait()
      asking.add()
      return try await container?.resolveAsync(String.self).count ?? 0
    }
    try container.register(String.self, scope: .singleton) { _ in
      mayAsk.open()
      while asking.value == 0 { sched_yield() }
      usleep(20_000)
      return "five!"
    }
    let thread = JoinableThread { [container] in
      (try container.resolve(Bool.self), try container.resolve(String.self))
    }
    _ = try thread.join().get()
    let task = try XCTUnwrap(left.withLock { $0 })
    let found = try await task.value
    XCTAssertEqual(found, 5, "it waits, and finds no cycle")
  }

  func testAClosedScopeBuildsNone() async throws {
    try container.registerAsync(Int.self) { _ in 1 }
    let scope = container.makeScope()
    let found = try await scope.resolveAsync(Int.self)
    XCTAssertEqual(found, 1)
    try await scope.close()
    await assertThrows {
      try await scope.resolveAsync(Int.self)
    } _: {
      guard case .containerClosed? = $0 as? ResolutionError else { return XCTFail("\($0)") }
    }
  }

  // MARK: - What is put around it

  func testADecoratorThatIsAddedLaterIsApplied() async throws {
    try container.registerAsync(Int.self) { _ in
      await Task.yield()
      return 2
    }
    let plain = try await container.resolveAsync(Int.self)
    try container.decorate(Int.self) { number, _ in number + 40 }
    let decorated = try await container.resolveAsync(Int.self)
    XCTAssertEqual([plain, decorated], [2, 42])
    let child = Container(parent: container)
    try child.registerAsync(String.self) { resolver in
      "\(try await resolver.resolveAsync(Int.self))"
    }
    let text = try await child.resolveAsync(String.self)
    XCTAssertEqual(text, "42")
  }

  // MARK: - Many tasks

  /// Each has the graph instance of its own resolution.
  func testTasksThatBuildSideBySideShareNoConstruction() async throws {
    let (container, tracker) = (container, tracker)
    try container.register(Tracked.self, scope: .graph) { _ in tracker.make() }
    try container.registerAsync([Int].self) { resolver in
      let first = try resolver.resolve(Tracked.self).serial
      await Task.yield()
      let second = try await resolver.resolveAsync(Tracked.self).serial
      return [first, second]
    }
    let pairs = try await withThrowingTaskGroup(of: [Int].self) { group in
      for _ in 0..<StressSize.scaled(1000) {
        group.addTask { try await container.resolveAsync([Int].self) }
      }
      return try await group.reduce(into: [[Int]]()) { $0.append($1) }
    }
    XCTAssertTrue(pairs.allSatisfy { $0[0] == $0[1] })
    XCTAssertEqual(Set(pairs.map { $0[0] }).count, pairs.count)
    await tracker.waitUntilNoneIsLeft()
    XCTAssertEqual(tracker.alive, 0)
  }
}
