// SPDX-License-Identifier: MIT

import Corinth
import CorinthTimeline
import TestSupport
import XCTest

private struct Part: Sendable {}
private struct Early: Sendable {}
private struct Late: Sendable {}

private final class Gate: Sendable {
  private let (stream, continuation) = AsyncStream<Void>.makeStream()

  func open() { continuation.finish() }
  func wait() async { for await _ in stream {} }
}

/// Which construction has waited for which.
final class TimelineWaitTests: AsyncTestCase {
  func testAParallelWarmUpWaitsBeforeItBeginsAConstruction() async throws {
    try container.registerAsync(Part.self, scope: .singleton) { _ in
      try await Task.sleep(for: .milliseconds(5))
      return Part()
    }
    try container.registerAsync(
      Early.self, scope: .singleton, with: .dependsOn(keys: [.init(Part.self)])
    ) { resolver in
      _ = try await resolver.resolveAsync(Part.self)
      return Early()
    }
    try container.registerAsync(
      Late.self, scope: .singleton, with: .dependsOn(keys: [.init(Early.self)])
    ) { resolver in
      _ = try await resolver.resolveAsync(Early.self)
      return Late()
    }.eager()
    let timeline = Timeline(of: container)
    try await container.warmUp(maximumConcurrency: 4)
    timeline.stop()
    let path = timeline.entries.criticalPath.map { timeline.entries[$0].key }
    XCTAssertEqual(path, [.init(Part.self), .init(Early.self), .init(Late.self)])
  }

  func testTimelinesOfOneContainerSeeTheSame() throws {
    try container.register(Part.self, scope: .singleton) { _ in Part() }
    try container.register(Early.self, scope: .singleton) { resolver in
      _ = try resolver.resolve(Part.self)
      return Early()
    }
    let timelines = [Timeline(of: container), Timeline(of: container)]
    _ = try container.resolve(Early.self)
    for timeline in timelines {
      timeline.stop()
      XCTAssertEqual(timeline.entries.map(\.requester), [nil, 0])
      XCTAssertEqual(timeline.entries.map(\.waitedFor), [[1], []])
    }
  }

  func testAConstructionDoesNotWaitForATaskThatItLeavesBehind() async throws {
    let (container, gate, done) = (container, Gate(), Gate())
    try container.register(Part.self) { _ in Part() }
    try container.register(Early.self) { _ in
      Task {
        await gate.wait()
        _ = try container.resolve(Part.self)
        done.open()
      }
      return Early()
    }
    let timeline = Timeline(of: container)
    _ = try container.resolve(Early.self)
    gate.open()
    await done.wait()
    timeline.stop()
    XCTAssertEqual(timeline.entries.map(\.requester), [nil, nil])
    XCTAssertEqual(timeline.entries.map(\.waitedFor), [[], []])
  }

  func testATaskThatIsLeftBehindDoesNotTakeALaterTimelineForItsOwn() async throws {
    let (container, gate, done) = (container, Gate(), Gate())
    try container.register(Part.self) { _ in Part() }
    // Its memory is that of a later one, if it is deallocated.
    func record() throws {
      let other = Container()
      try other.register(Early.self) { _ in
        Task {
          await gate.wait()
          _ = try container.resolve(Part.self)
          done.open()
        }
        return Early()
      }
      let timeline = Timeline(of: other)
      _ = try other.resolve(Early.self)
      timeline.stop()
    }
    try record()
    let timelines = (0..<50).map { _ in Timeline(of: container) }
    gate.open()
    await done.wait()
    for timeline in timelines {
      timeline.stop()
      XCTAssertEqual(timeline.entries.map(\.requester), [nil])
    }
  }

  func testItWaitsForItsOwnTransientAndNotForThatOfAnother() async throws {
    let (container, count) = (container, AtomicCounter())
    let (first, firstBegan, second, secondBegan) = (Gate(), Gate(), Gate(), Gate())
    try container.registerAsync(Part.self) { _ in
      count.add()
      let (began, end) = count.value == 1 ? (firstBegan, first) : (secondBegan, second)
      began.open()
      await end.wait()
      return Part()
    }
    try container.registerAsync(Early.self) { resolver in
      _ = try await resolver.resolveAsync(Part.self)
      return Early()
    }
    try container.registerAsync(Late.self) { resolver in
      _ = try await resolver.resolveAsync(Part.self)
      return Late()
    }
    let timeline = Timeline(of: container)
    async let early = container.resolveAsync(Early.self)
    await firstBegan.wait()
    async let late = container.resolveAsync(Late.self)
    await secondBegan.wait()
    first.open()
    _ = try await early
    second.open()
    _ = try await late
    timeline.stop()
    XCTAssertEqual(timeline.entries.map(\.requester), [nil, 0, nil, 2])
    XCTAssertEqual(timeline.entries.map(\.waitedFor), [[1], [], [3], []], timeline.table())
  }
}
