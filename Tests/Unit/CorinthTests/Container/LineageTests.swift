// SPDX-License-Identifier: MIT

import Corinth
import TestSupport
import XCTest

/// Containers with tens of thousands of ancestors, on threads with little stack.
///
/// Each container held its parent in a plain property, so that the last of them released the one
/// above it from within its deinit, and so on: the stack overflowed.
final class LineageTests: XCTestCase {
  private let tracker = LifetimeTracker()

  /// Something to let go of on another thread.
  private final class Handover<Value: Sendable>: Sendable {
    private let value: Locked<Value?>

    init(_ value: Value) {
      self.value = Locked(value)
    }

    func take() -> Value? {
      value.withLock { value in
        defer { value = nil }
        return value
      }
    }
  }

  /// The bottom of a line of containers. Some of them keep an instance.
  private static func makeLine(_ tracker: LifetimeTracker) throws -> Container {
    let root = Container()
    try root.register(Int.self) { _ in 1 }
    try root.register(Provider<Int>.self) { try $0.provider(for: Int.self) }
    var bottom = root
    for level in 0..<50_000 {
      bottom = Container(parent: bottom)
      guard level % 10_000 == 0 else { continue }
      try bottom.register(Tracked.self, scope: .singleton) { _ in tracker.make() }
      _ = try bottom.resolve(Tracked.self)
    }
    return bottom
  }

  private func assertNoneLeft(line: UInt = #line) {
    XCTAssertGreaterThan(tracker.created, 0, line: line)
    XCTAssertEqual(tracker.left, 0, line: line)
  }

  func testALineOfContainersIsReleased() throws {
    try onSmallStack { [tracker] in _ = try Self.makeLine(tracker) }
    assertNoneLeft()
  }

  /// A provider that a resolver gave keeps the cores of the containers, not the containers.
  func testALineThatAProviderHasKeptIsReleased() throws {
    try onSmallStack { [tracker] in
      let provider = try Self.makeLine(tracker).resolve(Provider<Int>.self)
      XCTAssertEqual(tracker.left, 0)
      XCTAssertThrowsError(try provider())
    }
    assertNoneLeft()
  }

  /// Of each two siblings the one released last releases their parent, on either thread.
  func testThreadsThatReleaseSiblingsReleaseTheirAncestors() throws {
    for _ in 0..<StressSize.scaled(3) {
      let halves = try makeSiblings()
      try onThreads(2, stackSize: smallStackSize) { _ = halves[$0].take() }
      assertNoneLeft()
    }
  }

  /// The bottom of a line, and another child of each container in it, from the top: nearly all of
  /// the line is left when the last two are released.
  private func makeSiblings() throws -> [Handover<[Container]>] {
    let bottom = try Self.makeLine(tracker)
    let siblings = sequence(first: bottom, next: \.parent).map { Container(parent: $0) }
    return [Handover([bottom]), Handover(siblings.reversed())]
  }

  /// The deinit of an instance lets go of a line of its own, in the middle of the one that it
  /// belongs to.
  func testADeinitMayReleaseAnotherLine() throws {
    final class Holder: Sendable {
      let line: Container
      init(_ line: Container) { self.line = line }
    }
    try onSmallStack { [tracker] in
      var line = try Self.makeLine(tracker)
      for _ in 0..<3 {
        let held = try Self.makeLine(tracker)
        try line.register(Holder.self, scope: .singleton) { _ in Holder(held) }
        _ = try line.resolve(Holder.self)
        line = Container(parent: line)
      }
    }
    assertNoneLeft()
  }

  func testLookupsAlongALineNeedNoStack() throws {
    try skipUnderThreadSanitizer()
    try onSmallStack { [tracker] in
      let bottom = try Self.makeLine(tracker)
      XCTAssertEqual(try bottom.resolve(Int.self), 1)
      XCTAssertEqual(try bottom.makeScope().resolve(Int.self), 1)
      XCTAssertEqual(try bottom.provider(for: Int.self)(), 1)
      XCTAssertTrue(bottom.contains(Int.self))
      XCTAssertFalse(bottom.contains(Int.self, name: "other"))
      XCTAssertNil(try bottom.resolveIfRegistered(String.self))
      XCTAssertThrowsError(try bottom.resolve(String.self)) { _ = "\($0)" }
    }
  }
}
