// SPDX-License-Identifier: MIT

import Corinth
import TestSupport
import XCTest

/// How many factories run at once, and how many have at most.
private final class Load: Sendable {
  private let counts = Locked((now: 0, most: 0))

  var most: Int { counts.withLock(\.most) }

  func enter() { counts.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1)) } }
  func leave() { counts.withLock { $0.now -= 1 } }
}

private struct Part: Sendable { let number: Int }

final class ParallelWarmUpTests: AsyncTestCase {
  private let load = Load()
  private let log = EventLog()

  /// - Parameter partners: how many have to run at once until each of them ends.
  private func addPart(
    _ number: Int, _ arrivals: Arrivals? = nil, needing others: [Int] = [], declared: Bool = true,
    isEager: Bool = true
  ) throws {
    let registration = try container.registerAsync(
      Part.self, name: Name("\(number)"), scope: .singleton,
      with: declared
        ? .dependsOn(keys: others.map { .init(Part.self, name: Name("\($0)")) }) : nil
    ) { [load, log] resolver in
      for other in others { _ = try await resolver.resolveAsync(Part.self, name: Name("\(other)")) }
      load.enter()
      await arrivals?.arriveAndWait()
      for _ in 0..<3 { await Task.yield() }
      load.leave()
      log.add("\(number)")
      return Part(number: number)
    }.onDispose { [log] part in log.add("end \(part.number)") }
    if isEager { registration.eager() }
  }

  /// Lets all go on once a number of tasks is there.
  private actor Arrivals {
    private let count: Int
    private var waiting: [CheckedContinuation<Void, Never>] = []

    init(of count: Int) { self.count = count }

    func arriveAndWait() async {
      await withCheckedContinuation { continuation in
        waiting.append(continuation)
        if waiting.count == count { for each in waiting { each.resume() } }
      }
    }
  }

  func testIndependentSingletonsAreBuiltSideBySide() async throws {
    let arrivals = Arrivals(of: 4)
    for number in 0..<4 { try addPart(number, arrivals) }
    try await container.warmUp(maximumConcurrency: 4)
    XCTAssertEqual(log.entries.count, 4)
    XCTAssertEqual(load.most, 4)
  }

  func testWhatAnEagerSingletonIsKnownToNeedIsBuiltSideBySideToo() async throws {
    let arrivals = Arrivals(of: 3)
    for number in 1..<4 { try addPart(number, arrivals, isEager: false) }
    try addPart(0, needing: [1, 2, 3])
    try await container.warmUp(maximumConcurrency: 3)
    XCTAssertEqual(log.entries.last, "0")
    XCTAssertEqual(log.entries.count, 4)
  }

  func testNoMoreRunThanTheMaximum() async throws {
    for number in 0..<20 { try addPart(number, needing: number >= 4 ? [number % 4] : []) }
    try await container.warmUp(maximumConcurrency: 3)
    XCTAssertLessThanOrEqual(load.most, 3)
    XCTAssertEqual(Set(log.entries).count, 20)
    XCTAssertEqual(log.entries.count, 20)
  }

  func testADependencyThatIsNotKnownIsBuiltOnceAndBefore() async throws {
    for number in 1..<8 { try addPart(number, needing: [0], declared: false) }
    try addPart(0, isEager: false)
    try await container.warmUp(maximumConcurrency: 8)
    XCTAssertEqual(log.entries.first, "0")
    XCTAssertEqual(log.entries.count, 8)
  }

  func testDependenciesAreDisposedOfAfterTheirDependents() async throws {
    for number in 0..<12 { try addPart(number, needing: number >= 3 ? [number / 3] : []) }
    try await container.warmUp(maximumConcurrency: 4)
    try await container.shutdown()
    let ends = Array(log.entries.dropFirst(12))
    XCTAssertEqual(ends.count, 12)
    for number in 3..<12 {
      let (own, other) = (
        ends.firstIndex(of: "end \(number)"), ends.firstIndex(of: "end \(number / 3)")
      )
      XCTAssertLessThan(try XCTUnwrap(own), try XCTUnwrap(other), "\(ends)")
    }
  }

  /// A synchronous factory fails after the cancellation, in the task that it cancels: what an
  /// asynchronous one then throws may come after its task has left.
  func testAFailureCancelsTheOthersAndAllFailuresAreReported() async throws {
    let arrivals = Arrivals(of: 2)
    struct Refused: Error {}
    try container.registerAsync(Part.self, name: "first", scope: .singleton) { [load] _ in
      await arrivals.arriveAndWait()
      while load.most == 0 { await Task.yield() }
      throw Refused()
    }.eager()
    try container.register(Part.self, name: "second", scope: .singleton) { [load] _ in
      load.enter()
      blockUntil { Task.isCancelled }
      guard Task.isCancelled else { return Part(number: 1) }
      throw Refused()
    }.eager()
    try container.registerAsync(Part.self, name: "slow", scope: .singleton) { _ in
      await arrivals.arriveAndWait()
      try await Task.sleep(for: .seconds(3_600))
      return Part(number: 0)
    }.eager()
    try addPart(9)
    do {
      try await container.warmUp(maximumConcurrency: 3)
      XCTFail("two factories have failed")
    } catch let error as ResolutionError {
      XCTAssertEqual(error, .warmUpFailed)
      XCTAssertEqual(error.failures.count, 2, "\(error)")
      XCTAssertTrue(error.failures.allSatisfy { $0.underlyingError is Refused })
    }
    XCTAssertEqual(log.entries, [], "no further one has begun")
    XCTAssertNoThrow(try container.register(value: 1), "the container is as before")
  }

  func testACycleIsAnErrorAndNotAWait() async throws {
    try addPart(0, needing: [1])
    try addPart(1, needing: [0])
    try addPart(2, needing: [0])
    do {
      try await container.warmUp(maximumConcurrency: 4)
      XCTFail("there is a cycle")
    } catch let error as ResolutionError { XCTAssertEqual(error, .warmUpFailed) }
  }

  func testAnEagerSingletonOfAChildMayNeedOneOfItsParent() async throws {
    try addPart(0, isEager: false)
    let child = Container(parent: container)
    try child.registerAsync(
      Int.self, scope: .singleton,
      with: .dependsOn(keys: [.init(Part.self, name: "0")])
    ) { resolver in
      try await resolver.resolveAsync(Part.self, name: "0").number
    }.eager()
    try await child.warmUp(maximumConcurrency: 2)
    XCTAssertEqual(log.entries, ["0"])
    XCTAssertEqual(child.statistics.built[.singleton], 1)
  }
}
