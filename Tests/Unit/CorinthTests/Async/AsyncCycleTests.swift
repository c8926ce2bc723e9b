// SPDX-License-Identifier: MIT

import Corinth
import TestSupport
import XCTest

/// Asynchronous dependencies that lead back to where they began.
final class AsyncCycleTests: AsyncTestCase {
  private typealias NodeA = CompanionOf<A>
  private typealias NodeB = CompanionOf<B>
  private typealias NodeC = CompanionOf<C>
  private let tracker = LifetimeTracker()

  private func assertCycle<Value>(
    through products: [any Any.Type]? = nil, file: StaticString = #filePath, line: UInt = #line,
    _ resolve: nonisolated(nonsending) () async throws -> Value
  ) async {
    await assertThrows(file: file, line: line, resolve) { error in
      guard case ResolutionError.circularDependencyDetected(let context) = error else {
        return XCTFail("\(error)", file: file, line: line)
      }
      guard let products else { return }
      XCTAssertEqual(
        context.path.map { ObjectIdentifier($0.product) }, products.map { ObjectIdentifier($0) },
        "\(context.path)", file: file, line: line)
    }
  }

  private func add<Tag, Other>(
    _ tag: Tag.Type, needing other: Other.Type, scope: AnyScope = .singleton,
    to container: Container? = nil
  ) throws {
    try (container ?? self.container).registerAsync(CompanionOf<Tag>.self, scope: scope) {
      [tracker] resolver in
      CompanionOf(tracker, try await resolver.resolveAsync(CompanionOf<Other>.self))
    }
  }

  func testACycleOfTwo() async throws {
    for scope in [AnyScope.transient, .singleton, .weak, .graph, .cached(for: .seconds(60))] {
      let container = Container()
      try add(A.self, needing: B.self, scope: scope, to: container)
      try add(B.self, needing: A.self, scope: scope, to: container)
      for _ in 0..<2 {
        await assertCycle(through: [NodeA.self, NodeB.self, NodeA.self]) {
          try await container.resolveAsync(NodeA.self)
        }
        await assertCycle(through: [NodeB.self, NodeA.self, NodeB.self]) {
          try await container.resolveAsync(NodeB.self)
        }
      }
    }
    XCTAssertEqual(tracker.created, 0)
  }

  func testACycleOfOne() async throws {
    for scope in [AnyScope.transient, .singleton, .weak, .graph] {
      let container = Container()
      try add(A.self, needing: A.self, scope: scope, to: container)
      await assertCycle(through: [NodeA.self, NodeA.self]) {
        try await container.resolveAsync(NodeA.self)
      }
    }
  }

  func testTheWayToACycleIsAPartOfThePath() async throws {
    for scope in [AnyScope.transient, .singleton] {
      let container = Container()
      try add(A.self, needing: B.self, scope: scope, to: container)
      try add(B.self, needing: C.self, scope: scope, to: container)
      try add(C.self, needing: B.self, scope: scope, to: container)
      await assertCycle(through: [NodeA.self, NodeB.self, NodeC.self, NodeB.self]) {
        try await container.resolveAsync(NodeA.self)
      }
    }
  }

  func testACycleThroughACapturedContainer() async throws {
    try container.registerAsync(NodeA.self) { [tracker, weak container] _ in
      CompanionOf(tracker, try await container?.resolveAsync(NodeB.self))
    }.as(.singleton)
    try container.registerAsync(NodeB.self) { [tracker, weak container] _ in
      CompanionOf(tracker, try await container?.resolveAsync(NodeA.self))
    }.as(.singleton)
    await assertCycle(through: [NodeA.self, NodeB.self, NodeA.self]) { [container] in
      try await container.resolveAsync(NodeA.self)
    }
  }

  func testACycleThroughATransient() async throws {
    try add(A.self, needing: B.self)
    try add(B.self, needing: A.self, scope: .transient)
    await assertCycle { [container] in try await container.resolveAsync(NodeA.self) }
    await assertCycle { [container] in try await container.resolveAsync(NodeB.self) }
  }

  func testACycleThroughASynchronousRegistration() async throws {
    for scope in [AnyScope.transient, .singleton] {
      let container = Container()
      try add(A.self, needing: B.self, to: container)
      try container.register(NodeB.self, scope: scope) { [tracker] resolver in
        CompanionOf(tracker, try resolver.resolve(NodeA.self))
      }
      for _ in 0..<2 {
        await assertThrows { try await container.resolveAsync(NodeA.self) }
        await assertThrows { try await container.resolveAsync(NodeB.self) }
      }
    }
    XCTAssertEqual(tracker.created, 0)
  }

  func testACycleThroughANewTask() async throws {
    try container.registerAsync(NodeA.self) { [tracker] resolver in
      let other = Task { try await resolver.resolveAsync(NodeB.self) }
      return CompanionOf(tracker, try await other.value)
    }.as(.singleton)
    try add(B.self, needing: A.self)
    await assertCycle { [container] in try await container.resolveAsync(NodeA.self) }
    await assertCycle { [container] in try await container.resolveAsync(NodeB.self) }
  }

  func testACycleThroughADetachedTask() async throws {
    try container.registerAsync(NodeA.self) { [tracker] resolver in
      let other = Task.detached { try await resolver.resolveAsync(NodeB.self) }
      return CompanionOf(tracker, try await other.value)
    }.as(.singleton)
    try add(B.self, needing: A.self)
    await assertCycle { [container] in try await container.resolveAsync(NodeA.self) }
  }

  func testACycleThroughATaskGroup() async throws {
    try container.registerAsync(NodeA.self) { [tracker] resolver in
      let other = try await withThrowingTaskGroup { group in
        for _ in 0..<3 { group.addTask { try await resolver.resolveAsync(NodeB.self) } }
        return try await group.next()
      }
      return CompanionOf(tracker, other)
    }.as(.singleton)
    try add(B.self, needing: A.self)
    await assertCycle { [container] in try await container.resolveAsync(NodeA.self) }
    await assertCycle { [container] in try await container.resolveAsync(NodeB.self) }
  }

  func testARecursionWithArgumentsThatEndsIsNoCycle() async throws {
    for scope in [AnyScope.transient, .singleton, .graph] {
      let container = Container()
      try container.registerAsync(Int.self, scope: scope) { (resolver, number: Int) in
        guard number > 0 else { return 0 }
        return try await resolver.resolveAsync(Int.self, arguments: number - 1) + number
      }
      let sum = try await container.resolveAsync(Int.self, arguments: 50)
      XCTAssertEqual(sum, 1275, "\(scope)")
    }
  }

  func testARecursionWithArgumentsThatDoesNotEndIsAnError() async throws {
    try container.registerAsync(Int.self) { (resolver, number: Int) in
      try await resolver.resolveAsync(Int.self, arguments: number + 1)
    }
    await assertCycle { [container] in try await container.resolveAsync(Int.self, arguments: 0) }
  }

  func testTwoTasksAtBothEndsOfACycle() async throws {
    let meeting = AsyncGate()
    let arrived = AtomicCounter()
    @Sendable func meet() async {
      if arrived.add() == 2 { meeting.open() }
      await meeting.wait()
    }
    try container.registerAsync(NodeA.self) { [tracker] resolver in
      await meet()
      return CompanionOf(tracker, try await resolver.resolveAsync(NodeB.self))
    }.as(.singleton)
    try container.registerAsync(NodeB.self) { [tracker] resolver in
      await meet()
      return CompanionOf(tracker, try await resolver.resolveAsync(NodeA.self))
    }.as(.singleton)
    let results = try await onTasks(2) { [container] index in
      await outcome(of: {
        index == 0
          ? try await container.resolveAsync(NodeA.self).serial
          : try await container.resolveAsync(NodeB.self).serial
      })
    }
    for result in results { await assertCycle { try result.get() } }
  }

  func testAProviderBreaksACycle() async throws {
    try container.registerAsync(NodeA.self) { [tracker] resolver in
      CompanionOf(tracker, try await resolver.resolveAsync(NodeB.self))
    }.as(.singleton)
    let kept = AtomicCounter()
    try container.registerAsync(NodeB.self) { [tracker] resolver in
      let provider = try resolver.provider(for: NodeA.self)
      defer { withExtendedLifetime(provider) { _ = kept.add() } }
      return CompanionOf(tracker)
    }.as(.singleton)
    let a = try await container.resolveAsync(NodeA.self)
    XCTAssertEqual(kept.value, 1)
    XCTAssertNotNil(a.other)
  }
}
