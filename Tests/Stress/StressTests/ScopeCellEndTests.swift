// SPDX-License-Identifier: MIT

import TestSupport
import XCTest

@testable import Corinth

/// What becomes of the instances of cells at the end of a request scope: note 24.
final class ScopeCellEndTests: StressTestCase {
  private let tracker = LifetimeTracker()
  private let container = Container()
  private let log = EventLog()

  private protocol Held: Sendable {}
  private final class First: Held {}
  private final class Second: Held {}
  private final class Third: Held {}

  func testABoxThatComesLaterKeepsTheOrderOfTheDisposal() throws {
    let log = log
    try container.register(First.self, name: "first", scope: .scoped) { _ in First() }
      .onDispose { _ in log.add("first") }.implements((any Held).self)
    try container.register(Second.self, name: "second", scope: .scoped) { _ in Second() }
      .onDispose { _ in log.add("second") }.implements((any Held).self)
    try container.register(Third.self, name: "third", scope: .scoped) { _ in Third() }
      .onDispose { _ in log.add("third") }.implements((any Held).self)
    let scope = container.makeScope()
    _ = try scope.resolve(First.self, name: "first")
    _ = try scope.resolve(Second.self, name: "second")
    _ = try scope.resolve(Third.self, name: "third")
    func holdsInstance() -> [Bool] {
      scope.registry.cells?.owned.map { $0.load().holdsInstance } ?? []
    }
    XCTAssertEqual(holdsInstance(), [true, true, true])
    for name: Name in ["second", "first", "third"] {
      _ = try scope.resolve((any Held).self, name: name)
    }
    XCTAssertEqual(holdsInstance(), [false, false, false])
    try scope.syncClose()
    XCTAssertEqual(log.entries, ["third", "second", "first"])
  }

  /// The cells around the one under construction are emptied before.
  func testTheRegistrationOfAnInstanceCompleteAfterTheCloseIsReleased() throws {
    let (begun, mayEnd) = (Gate(), Gate())
    let captured = LifetimeTracker()
    let names: [Name] = ["first", "second", "third"]
    for name in names {
      let held = captured.make()
      try container.register(Tracked.self, name: name, scope: .scoped) { [tracker] _ in
        if name == "second" {
          begun.open()
          mayEnd.wait()
        }
        return withExtendedLifetime(held) { tracker.make() }
      }
    }
    let scope = container.makeScope()
    _ = try scope.resolve(Tracked.self, name: names[0])
    let builder = JoinableThread { try scope.resolve(Tracked.self, name: names[1]).serial }
    begun.wait()
    _ = try scope.resolve(Tracked.self, name: names[2])
    for name in names { container.unregister(Tracked.self, name: name) }
    try scope.syncClose()
    settleReclamation()
    XCTAssertEqual(captured.alive, 1, "that of the instance under construction")
    mayEnd.open()
    XCTAssertEqual(try builder.join().get(), 3)
    settleReclamation()
    XCTAssertEqual(captured.alive, 0)
    XCTAssertEqual(tracker.alive, 0)
  }

  func testAnInstanceReportedAtTheEndOfItsConstructionIsNotDisposedOf() throws {
    Container.onUndisposed = { [log] in log.add("reported \($0.instances.map(\.key))") }
    defer { Container.onUndisposed = nil }
    let (container, tracker) = (container, tracker)
    try container.register(Tracked.self, scope: .scoped) { _ in
      try container.register(Tracked.self, scope: .scoped) { _ in tracker.make() }
      return tracker.make()
    }.onDispose { [log] _ in log.add("disposed") }
    let scope = container.makeScope()
    _ = try scope.resolve(Tracked.self)
    try scope.syncClose()
    XCTAssertEqual(log.entries, ["reported [Tracked]"])
    XCTAssertEqual(tracker.alive, 0)
  }
}
