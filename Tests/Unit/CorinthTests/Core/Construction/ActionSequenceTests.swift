// SPDX-License-Identifier: MIT

import TestSupport
import XCTest

@testable import Corinth

final class ActionSequenceTests: AsyncTestCase {
  private let log = EventLog()
  private let box: AnyInstanceBox = InstanceBox(7)
  private var resolver: Resolver { Resolver(registry: container.registry, construction: nil) }

  /// Logs its name, and throws as often as told to.
  private func action(_ name: String, throwing times: Int = 0) -> AfterInitAction {
    let left = AtomicCounter(times)
    return .synchronous { [log] _, box in
      log.add("\(name) of \(box.instance(of: Int.self))")
      if left.add(-1) >= 0 { throw FixtureError(name) }
    }
  }

  private func asyncAction(_ name: String, throwing times: Int = 0) -> AfterInitAction {
    let left = AtomicCounter(times)
    return .asynchronous { [log] _, box in
      await Task.yield()
      log.add("\(name) of \(box.instance(of: Int.self))")
      if left.add(-1) >= 0 { throw FixtureError(name) }
    }
  }

  func testActionsRunOnceInTheirOrder() throws {
    var actions = ActionSequence([action("a"), action("b"), action("c")])
    try actions.run(on: box, resolver)
    XCTAssertEqual(log.entries, ["a of 7", "b of 7", "c of 7"])
    try actions.run(on: box, resolver)
    XCTAssertEqual(log.entries.count, 3)
  }

  func testASequenceWithoutActionsIsDone() throws {
    var actions = ActionSequence([])
    XCTAssertNoThrow(try actions.run(on: box, resolver))
    XCTAssertTrue(log.entries.isEmpty)
  }

  func testActionsAfterOneThatThrowsDoNotRun() {
    var actions = ActionSequence([action("a"), action("b", throwing: 1), action("c")])
    XCTAssertThrowsError(try actions.run(on: box, resolver)) {
      XCTAssertEqual($0 as? FixtureError, FixtureError("b"))
    }
    XCTAssertEqual(log.entries, ["a of 7", "b of 7"])
  }

  func testTheActionThatThrewIsTheNextOneToRun() throws {
    var actions = ActionSequence([action("a"), action("b", throwing: 2), action("c")])
    for _ in 0..<2 { XCTAssertThrowsError(try actions.run(on: box, resolver)) }
    try actions.run(on: box, resolver)
    XCTAssertEqual(log.entries, ["a of 7", "b of 7", "b of 7", "b of 7", "c of 7"])
  }

  func testActionsGetTheResolver() throws {
    try container.register(String.self) { _ in "resolved" }
    var actions = ActionSequence([
      .synchronous { [log] resolver, _ in log.add(try resolver.resolve(String.self)) }
    ])
    try actions.run(on: box, resolver)
    XCTAssertEqual(log.entries, ["resolved"])
  }

  func testACopyRunsItsOwnRest() throws {
    var first = ActionSequence([action("a"), action("b", throwing: 1), action("c")])
    XCTAssertThrowsError(try first.run(on: box, resolver))
    var second = first
    try first.run(on: box, resolver)
    try second.run(on: box, resolver)
    XCTAssertEqual(log.entries, ["a of 7", "b of 7", "b of 7", "c of 7", "b of 7", "c of 7"])
  }

  // MARK: - Both kinds

  func testActionsOfBothKindsRunInOneOrder() async throws {
    var actions = ActionSequence([action("a"), asyncAction("b"), action("c"), asyncAction("d")])
    try await actions.runAsync(on: box, resolver)
    XCTAssertEqual(log.entries, ["a of 7", "b of 7", "c of 7", "d of 7"])
  }

  func testAnAsynchronousActionThatThrewIsTheNextOneToRun() async throws {
    var actions = ActionSequence([action("a"), asyncAction("b", throwing: 1), action("c")])
    do {
      try await actions.runAsync(on: box, resolver)
      XCTFail("no error")
    } catch {
      XCTAssertEqual(error as? FixtureError, FixtureError("b"))
    }
    try await actions.runAsync(on: box, resolver)
    XCTAssertEqual(log.entries, ["a of 7", "b of 7", "b of 7", "c of 7"])
  }
}
