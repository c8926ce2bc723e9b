// SPDX-License-Identifier: MIT

import Corinth
import CorinthDrawing
import CorinthTimeline
import TestSupport
import XCTest

private struct Part: Sendable { let number: Int }

extension RegistrationKey {
  fileprivate static func part(_ number: Int) -> RegistrationKey {
    RegistrationKey(Part.self, name: Name("\(number)"))
  }
}

extension Resolver {
  fileprivate func part(_ number: Int) async throws {
    _ = try await resolveAsync(Part.self, name: Name("\(number)"))
  }
}

final class TimelineTests: AsyncTestCase {
  private func addPart(
    _ number: Int, taking time: Duration = .zero, needing others: [Int] = [], isEager: Bool = true
  ) throws {
    let registration = try container.registerAsync(
      Part.self, name: Name("\(number)"), scope: .singleton,
      with: .dependsOn(keys: others.map { .part($0) })
    ) { resolver in
      for other in others { try await resolver.part(other) }
      try await Task.sleep(for: time)
      return Part(number: number)
    }
    if isEager { registration.eager() }
  }

  private func entry(_ number: Int, of timeline: Timeline) throws -> (Int, Timeline.Entry) {
    let entries = timeline.entries
    let index = try XCTUnwrap(entries.firstIndex { $0.key == .part(number) })
    return (index, entries[index])
  }

  func testEachConstructionHasItsTimesAndItsRequester() async throws {
    try addPart(0, taking: .milliseconds(5), isEager: false)
    try addPart(1, needing: [0])
    let timeline = Timeline(of: container)
    try await container.warmUp()
    timeline.stop()
    let (inner, outer) = (try entry(0, of: timeline), try entry(1, of: timeline))
    XCTAssertEqual(timeline.entries.count, 2)
    XCTAssertEqual(inner.1.requester, outer.0)
    XCTAssertNil(outer.1.requester)
    XCTAssertEqual(outer.1.waitedFor, [inner.0])
    XCTAssertGreaterThanOrEqual(inner.1.start, outer.1.start)
    let (short, long) = (try XCTUnwrap(inner.1.duration), try XCTUnwrap(outer.1.duration))
    XCTAssertGreaterThanOrEqual(short, .milliseconds(5))
    XCTAssertGreaterThanOrEqual(long, short)
    XCTAssertEqual(timeline.entries.criticalPath, [inner.0, outer.0])
  }

  func testAConstructionThatAnotherTaskIsInTheMiddleOfIsAWait() async throws {
    try addPart(0, taking: .milliseconds(30), isEager: false)
    for number in 1...3 {
      try container.registerAsync(
        Part.self, name: Name("\(number)"), scope: .singleton
      ) { resolver in
        try await resolver.part(0)
        return Part(number: number)
      }.eager()
    }
    let timeline = Timeline(of: container)
    try await container.warmUp(maximumConcurrency: 3)
    timeline.stop()
    let slow = try entry(0, of: timeline).0
    XCTAssertEqual(timeline.entries.count, 4, "it is built once")
    for number in 1...3 {
      XCTAssertEqual(try entry(number, of: timeline).1.waitedFor, [slow], timeline.table())
    }
    XCTAssertEqual(timeline.entries.criticalPath.first, slow)
    XCTAssertGreaterThan(Set(timeline.entries.map(\.lane)).count, 1)
  }

  func testWhatWasThereBeforeIsNoWait() async throws {
    try addPart(0)
    try addPart(1, needing: [0])
    _ = try await container.resolveAsync(Part.self, name: "0")
    let timeline = Timeline(of: container)
    try await container.warmUp()
    timeline.stop()
    XCTAssertEqual(timeline.entries.map(\.key), [.part(1)])
    XCTAssertEqual(timeline.entries[0].waitedFor, [])
  }

  func testSynchronousConstructionsOfAChildAndItsParentAreRecorded() throws {
    try container.register(Part.self, name: "0", scope: .singleton) { _ in Part(number: 0) }
    let child = Container(parent: container)
    try child.register(Int.self, scope: .singleton) { resolver in
      try resolver.resolve(Part.self, name: "0").number
    }
    let timeline = Timeline(of: child)
    _ = try child.resolve(Int.self)
    XCTAssertEqual(timeline.entries.map(\.key), [RegistrationKey(Int.self), .part(0)])
    XCTAssertEqual(timeline.entries[0].waitedFor, [1])
    timeline.stop()
    container.releaseAll()
    _ = try container.resolve(Part.self, name: "0")
    XCTAssertEqual(timeline.entries.count, 2, "it has been stopped")
    timeline.stop()
  }

  func testAForkThatIsMadeMeanwhileIsNotRecorded() throws {
    try container.register(Int.self) { _ in 1 }
    let timeline = Timeline(of: container)
    let fork = container.fork()
    _ = try container.resolve(Int.self)
    _ = try fork.resolve(Int.self)
    XCTAssertEqual(timeline.entries.count, 1)
    timeline.stop()
    _ = try fork.resolve(Int.self)
    XCTAssertEqual(timeline.entries.count, 1)
  }

  func testAFailureIsMarked() throws {
    struct Refused: Error {}
    try container.register(Int.self) { _ in throw Refused() }
    let timeline = Timeline(of: container)
    XCTAssertThrowsError(try container.resolve(Int.self))
    timeline.stop()
    XCTAssertEqual(timeline.entries.map(\.hasFailed), [true])
    XCTAssertTrue(timeline.table().contains("!  Int"), timeline.table())
  }

  func testTheTableHasALineForEachConstruction() async throws {
    for number in 0..<3 { try addPart(number, needing: number == 0 ? [] : [number - 1]) }
    let timeline = Timeline(of: container)
    try await container.warmUp()
    timeline.stop()
    let lines = timeline.table(width: 20).split(separator: "\n")
    XCTAssertEqual(lines.count, 4)
    XCTAssertTrue(lines[0].contains("construction"))
    for number in 0..<3 {
      XCTAssertTrue(lines.contains { $0.contains("named \"\(number)\"") && $0.contains("#") })
    }
    XCTAssertEqual(Timeline(of: Container()).table().split(separator: "\n").count, 1)
  }

  func testTheTableOfAConstructionWithManyDependenciesIsNoLongerThanThese() throws {
    try skipUnderThreadSanitizer()
    let count = 20_000
    try container.register(Part.self) { _ in Part(number: 0) }
    try container.register(Int.self) { resolver in
      for _ in 0..<count { _ = try resolver.resolve(Part.self) }
      return count
    }
    let timeline = Timeline(of: container)
    _ = try container.resolve(Int.self)
    timeline.stop()
    XCTAssertEqual(timeline.entries[0].waitedFor.count, count)
    XCTAssertEqual(timeline.entries.criticalPath, [count, 0])
    XCTAssertLessThan(timeline.table().count, count * 150)
  }

  func testTheDocumentOfAGraphHasTheConstructionsByTheirNodes() async throws {
    for number in 0..<3 {
      try addPart(number, needing: number == 0 ? [] : [number - 1], isEager: number == 2)
    }
    let timeline = Timeline(of: container)
    try await container.warmUp()
    timeline.stop()
    let json = GraphDocument(of: container, timeline: timeline).json()
    XCTAssertTrue(json.contains(#""criticalPath":[0,1,2]"#), json)
    XCTAssertTrue(json.contains(#""node":2"#), json)
    XCTAssertFalse(GraphDocument(of: container).json().contains("timeline"))
  }

  func testAStoppedTimelineAndItsContainerAreDeallocated() throws {
    var own: Container? = Container()
    try own?.register(Int.self) { _ in 1 }
    weak let container = own
    var timeline: Timeline? = Timeline(of: try XCTUnwrap(own))
    weak let watched = timeline
    timeline?.stop()
    timeline = nil
    settleReclamation()
    XCTAssertNil(watched)
    let other = Timeline(of: try XCTUnwrap(own))
    own = nil
    settleReclamation()
    XCTAssertNil(container, "a timeline does not keep the container")
    other.stop()
  }
}
