// SPDX-License-Identifier: MIT

import Corinth
import Foundation
import Synchronization
import TestSupport
import XCTest

/// Builds slowly, so that other threads come while it does.
private func makeSlowly(_ tracker: LifetimeTracker) -> Tracked {
  Thread.sleep(forTimeInterval: 0.02)
  return tracker.make()
}

private final class First: Sendable {
  let second: Lazy<Second>
  init(second: Lazy<Second>) { self.second = second }
}

private final class Second: Sendable {
  let first: First
  init(first: First) { self.first = first }
}

final class LazyTests: AsyncTestCase {
  private let tracker = LifetimeTracker()

  override func tearDown() {
    super.tearDown()
    // A task that has built an instance lets go of it a moment later.
    blockUntil {
      reclaimWhatIsFree()
      return tracker.alive == 0
    }
    XCTAssertEqual(tracker.alive, 0)
  }

  func testPrintingOneNamesItsProductAndBuildsNothing() throws {
    try container.register(Tracked.self) { [tracker] _ in tracker.make() }
    XCTAssertEqual("\(try container.resolve(Lazy<Tracked>.self))", "Lazy<Tracked>")
    XCTAssertEqual("\(try container.resolve(Provider<Tracked>.self))", "Provider<Tracked>")
    XCTAssertEqual(tracker.created, 0)
  }

  func testNothingIsBuiltBeforeTheFirstUse() throws {
    try container.register(Tracked.self) { [tracker] _ in tracker.make() }
    let lazy = try container.resolve(Lazy<Tracked>.self)
    XCTAssertEqual(tracker.created, 0)
    XCTAssertTrue(try lazy.value === lazy.value)
    XCTAssertEqual(tracker.created, 1)
  }

  func testCopiesShareTheInstanceAndOtherResolvesDoNot() throws {
    try container.register(Tracked.self) { [tracker] _ in tracker.make() }
    let lazy = try container.resolve(Lazy<Tracked>.self)
    let copy = lazy
    let other = try container.resolve(Lazy<Tracked>.self)
    XCTAssertTrue(try lazy.value === copy.value)
    XCTAssertFalse(try lazy.value === other.value)
  }

  func testEightThreadsGetOneInstanceOfATransient() throws {
    for _ in 0..<20 {
      let container = Container()
      let tracker = LifetimeTracker()
      try container.register(Tracked.self) { _ in makeSlowly(tracker) }
      let lazy = try container.resolve(Lazy<Tracked>.self)
      let serials = try onThreads(8) { _ in try lazy.value.serial }
      XCTAssertEqual(serials, Array(repeating: 1, count: 8))
      XCTAssertEqual(tracker.created, 1)
    }
  }

  func testEightTasksGetOneInstanceOfAnAsynchronousTransient() async throws {
    for _ in 0..<20 {
      let container = Container()
      let tracker = LifetimeTracker()
      try container.registerAsync(Tracked.self) { _ in
        try await Task.sleep(for: .milliseconds(2))
        return tracker.make()
      }
      let lazy = try await container.resolveAsync(Lazy<Tracked>.self)
      let serials = try await onTasks(8) { _ in try await lazy.valueAsync.serial }
      XCTAssertEqual(serials, Array(repeating: 1, count: 8))
      XCTAssertEqual(try lazy.value.serial, 1)
    }
  }

  func testThreadsAndTasksGetOneInstanceOfASynchronousTransient() async throws {
    try container.register(Tracked.self) { [tracker] _ in makeSlowly(tracker) }
    let lazy = try container.resolve(Lazy<Tracked>.self)
    let serials = try await onTasks(8) { index in
      index.isMultiple(of: 2) ? try lazy.value.serial : try await lazy.valueAsync.serial
    }
    XCTAssertEqual(Set(serials), [1])
  }

  func testAnAsynchronousProductNeedsValueAsyncUntilItIsBuilt() async throws {
    try container.registerAsync(Tracked.self) { [tracker] _ in tracker.make() }
    let lazy = try container.resolve(Lazy<Tracked>.self)
    XCTAssertThrowsError(try lazy.value) { XCTAssertTrue($0.is(.asyncResolutionRequired)) }
    let value = try await lazy.valueAsync
    XCTAssertTrue(try lazy.value === value)
  }

  func testAnAsynchronousElementNeedsValueAsync() async throws {
    try container.register(Tracked.self) { [tracker] _ in tracker.make() }
    try container.registerAsync(Tracked.self, name: "async") { [tracker] _ in tracker.make() }
    let lazy = try container.resolve(Lazy<[Tracked]>.self)
    XCTAssertThrowsError(try lazy.value) { XCTAssertTrue($0.is(.asyncResolutionRequired)) }
    let values = try await lazy.valueAsync
    XCTAssertEqual(values.count, 2)
  }

  func testAForwardToAnAsynchronousProductNeedsValueAsync() async throws {
    try container.registerAsync(Tracked.self) { [tracker] _ in tracker.make() }
    try container.forward(AnyObject.self, to: Tracked.self)
    let lazy = try container.resolve(Lazy<AnyObject>.self)
    XCTAssertThrowsError(try lazy.value) { XCTAssertTrue($0.is(.asyncResolutionRequired)) }
    _ = try await lazy.valueAsync
  }

  func testAnErrorIsNotKept() throws {
    let attempts = AtomicCounter()
    try container.register(Tracked.self) { [tracker] _ in
      if attempts.add() == 1 { throw FixtureError("first") }
      return tracker.make()
    }
    let lazy = try container.resolve(Lazy<Tracked>.self)
    XCTAssertThrowsError(try lazy.value) { error in
      let path = (error as? ResolutionError)?.path.map(\.description)
      XCTAssertEqual(path, ["Lazy<Tracked>", "Tracked"])
    }
    XCTAssertEqual(try lazy.value.serial, 1)
  }

  func testAProductThatIsRemovedFailsAtFirstUse() throws {
    try container.register(Tracked.self) { [tracker] _ in tracker.make() }
    let lazy = try container.resolve(Lazy<Tracked>.self)
    container.unregister(Tracked.self)
    XCTAssertThrowsError(try lazy.value) { XCTAssertTrue($0.is(.noRegistrationFound)) }
  }

  func testItKeepsItsInstanceWhenTheRegistrationIsOverridden() throws {
    try container.register(Int.self) { _ in 1 }
    let (used, unused) = (
      try container.resolve(Lazy<Int>.self), try container.resolve(Lazy<Int>.self)
    )
    XCTAssertEqual(try used.value, 1)
    try container.register(Int.self) { _ in 2 }
    XCTAssertEqual(try used.value, 1)
    XCTAssertEqual(try unused.value, 2)
  }

  // MARK: - Cycles

  func testItBreaksACycle() throws {
    try container.wire(First.self, using: First.init).as(.singleton)
    try container.wire(Second.self, using: Second.init).as(.singleton)
    let first = try container.resolve(First.self)
    XCTAssertTrue(try first.second.value.first === first)
    XCTAssertTrue(try container.resolve(Second.self) === first.second.value)
  }

  func testAUseWithinTheCycleIsAnErrorAndNoHang() throws {
    try container.register(First.self) { resolver in
      let second: Lazy<Second> = try resolver.resolve()
      _ = try second.value
      return First(second: second)
    }.as(.singleton)
    try container.wire(Second.self, using: Second.init).as(.singleton)
    XCTAssertThrowsError(try container.resolve(First.self)) { error in
      XCTAssertTrue(error.is(.circularDependencyDetected))
      let path = (error as? ResolutionError)?.path.map(\.description)
      XCTAssertEqual(path, ["First", "Lazy<Second>", "Second", "First"])
    }
  }

  func testALazyThatNeedsItselfIsAnErrorAndNoHang() throws {
    let stored = Locked<Lazy<Int>?>(nil)
    try container.register(Int.self) { _ in
      try stored.withLock { $0 }?.value ?? 0
    }
    let lazy = try container.resolve(Lazy<Int>.self)
    stored.withLock { $0 = lazy }
    XCTAssertThrowsError(try lazy.value) {
      XCTAssertTrue($0.is(.circularDependencyDetected))
    }
    let results = try onThreads(8) { _ in (try? lazy.value) == nil }
    XCTAssertEqual(results, Array(repeating: true, count: 8))
  }

  func testTwoLazyValuesThatNeedEachOtherEndWithAnErrorOnTwoThreads() throws {
    for _ in 0..<50 {
      let container = Container()
      let stored = Locked<(Lazy<Int>?, Lazy<String>?)>((nil, nil))
      try container.register(Int.self) { _ in
        try stored.withLock { $0.1 }?.value.count ?? 0
      }
      try container.register(String.self) { _ in
        "\(try stored.withLock { $0.0 }?.value ?? 0)"
      }
      let (number, text) = (
        try container.resolve(Lazy<Int>.self), try container.resolve(Lazy<String>.self)
      )
      stored.withLock { $0 = (number, text) }
      let failures = try onThreads(2) { index in
        do {
          if index == 0 { _ = try number.value } else { _ = try text.value }
          return false
        } catch { return error.is(.circularDependencyDetected) }
      }
      XCTAssertEqual(failures, [true, true])
    }
  }

  /// Each round makes a lazy value of its own, so that no instance is waited for twice.
  func testATransientThatUsesALazyValueOfItselfIsAnErrorOnASmallStack() throws {
    try container.register(Int.self) { resolver in
      try resolver.resolve(Lazy<String>.self).value.count
    }
    try container.register(String.self) { resolver in
      "\(try resolver.resolve(Lazy<Int>.self).value)"
    }
    let container = container
    let text = try onSmallStack { () -> String in
      do { return "\(try container.resolve(Int.self))" } catch {
        XCTAssertTrue(error.is(.circularDependencyDetected))
        return "\((error as? ResolutionError)?.path.map(\.description) ?? [])"
      }
    }
    XCTAssertEqual(
      text, "\(["Int", "Lazy<String>", "String", "Lazy<Int>", "Int"])")
  }

  func testAnAsynchronousTransientThatUsesALazyValueOfItselfIsAnError() async throws {
    try container.registerAsync(Int.self) { resolver in
      try await resolver.resolve(Lazy<Int>.self).valueAsync
    }
    await assertThrows { [container] in
      try await container.resolveAsync(Int.self)
    } _: {
      XCTAssertTrue($0.is(.circularDependencyDetected))
    }
  }

  // MARK: - Scopes

  func testAScopedProductBelongsToTheScopeThatTheLazyWasResolvedIn() throws {
    try container.register(Tracked.self, file: "App/Main.swift", line: 10) { [tracker] _ in
      tracker.make()
    }.as(.scoped)
    let scope = container.makeScope()
    let lazy = try scope.resolve(Lazy<Tracked>.self)
    XCTAssertTrue(try lazy.value === scope.resolve(Tracked.self))
    try scope.syncClose()
    let late = try container.resolve(Lazy<Tracked>.self)
    XCTAssertThrowsError(try late.value) { assertGolden("captive-lazy", "\($0)") }
  }

  func testASingletonCannotCaptureAScopedProductThroughIt() throws {
    final class Holder: Sendable {
      let tracked: Lazy<Tracked>
      init(tracked: Lazy<Tracked>) { self.tracked = tracked }
    }
    try container.register(Tracked.self) { [tracker] _ in tracker.make() }.as(.scoped)
    try container.wire(Holder.self, using: Holder.init).as(.singleton)
    let scope = container.makeScope()
    let holder = try scope.resolve(Holder.self)
    XCTAssertThrowsError(try holder.tracked.value)
    try scope.syncClose()
  }
}
