// SPDX-License-Identifier: MIT

import RandomGraphs
import TestSupport
import XCTest

/// Tests of the test: the oracle checks a run against another graph.
final class GraphOracleTests: XCTestCase {
  override func setUpWithError() throws { try skipUnderThreadSanitizer() }

  private func kinds(
    _ text: String, checkedAs expected: String? = nil
  ) throws -> Set<GraphProblem.Kind> {
    let graph = try GraphDescription(text: text)
    let checked = try expected.map { try GraphDescription(text: $0) } ?? graph
    return Set(RandomGraph.problems(of: graph, checkedAs: checked).map(\.kind))
  }

  func testWorkingGraphHasNoProblem() throws {
    XCTAssertEqual(
      try kinds(
        """
        s0 singleton in c0 factory s1 s2 action s2 disposer:sync
        s1 async singleton in c0 disposer:async
        s2 transient in c0
        caller task in c0 s1
        caller thread in c0 s2
        """), [])
  }

  func testErrorWithoutACauseIsCaught() throws {
    XCTAssertEqual(
      try kinds(
        "s0 singleton in c0 fails:factory:once\ncaller thread in c0 s0",
        checkedAs: "s0 singleton in c0\ncaller thread in c0 s0"), [.error])
  }

  func testCycleErrorWithoutACycleIsCaught() throws {
    XCTAssertEqual(
      try kinds(
        "s0 singleton in c0 factory s1\ns1 singleton in c0 factory s0\ncaller thread in c0 s0",
        checkedAs: "s0 singleton in c0 factory s1\ns1 singleton in c0\ncaller thread in c0 s0"),
      [.falseCycle])
  }

  func testPathThatLeadsAlongNoDependencyIsCaught() throws {
    let cycle = """
      s1 singleton in c0 factory s2
      s2 singleton in c0 factory s1
      s3 singleton in c0 factory s3
      caller thread in c0 s0
      """
    let graph = "s0 singleton in c0 factory s1\n" + cycle
    XCTAssertEqual(try kinds(graph), [])
    XCTAssertEqual(
      try kinds(graph, checkedAs: "s0 singleton in c0 factory s3\n" + cycle), [.path])
  }

  func testMissingDependencyIsCaught() throws {
    let graph = """
      s0 singleton in c0 factory s1?
      s1 singleton in c0 fails:factory:always
      caller thread in c0 s0
      """
    XCTAssertEqual(try kinds(graph), [])
    XCTAssertEqual(
      try kinds(graph, checkedAs: graph.replacingOccurrences(of: "?", with: "")), [.incomplete])
  }

  func testUnfinishedActionsAreCaught() throws {
    XCTAssertEqual(
      try kinds(
        "s0 singleton in c0\ncaller thread in c0 s0",
        checkedAs: "s0 singleton in c0 action\ncaller thread in c0 s0"), [.incomplete])
  }

  func testBehaviorThatIsToldTooLittleIsCaught() throws {
    let graph = """
      s0 singleton in c0 fails:factory:once disposer:sync
      caller thread in c0 s0 s0

      """
    for (events, other) in [("constructions", "ends"), ("ends", "resolves"), ("resolves", "ends")] {
      let watched = graph + "watcher in c0 \(events)"
      XCTAssertEqual(try kinds(watched), [])
      XCTAssertEqual(
        try kinds(graph + "watcher in c0 \(other)", checkedAs: watched), [.watching], events)
    }
  }

  func testSecondInstanceIsCaught() throws {
    XCTAssertEqual(
      try kinds(
        "s0 transient in c0\ncaller thread in c0 s0 s0",
        checkedAs: "s0 singleton in c0\ncaller thread in c0 s0 s0"), [.builtTwice, .different])
  }

  func testGraphWithDecoratorsAndWiringHasNoProblem() throws {
    XCTAssertEqual(
      try kinds(
        """
        c0 root
        c1 child of c0
        s0 wired singleton in c0 factory s1 s2by:lazy s3by:maybe decorator:c0 s4 decorator:c0
        s1 async wired transient in c0 factory s4 s2by:lazy decorator:c1 decorator:c0 s2 action s4
        s2 wired graph in c0 factory s4by:provider decorator:c0 s4by:lazy
        s3 singleton in c0 decorator:c0 fails:decorator:once disposer:sync
        s4 singleton in c0 decorator:c1 s3
        caller task in c1 s1 s2 s1
        caller thread in c0 s2
        """), [])
  }

  func testCycleThroughADecoratorIsAnError() throws {
    let cycle = """
      s0 singleton in c0 decorator:c0 s1
      s1 wired singleton in c0 factory s0
      caller thread in c0 s0 s1
      """
    XCTAssertEqual(try kinds(cycle), [])
    XCTAssertEqual(
      try kinds(cycle, checkedAs: cycle.replacingOccurrences(of: "c0 s1\n", with: "c0\n")),
      [.falseCycle])
  }

  func testMissingDecoratorIsCaught() throws {
    XCTAssertEqual(
      try kinds(
        "s0 singleton in c0\ncaller thread in c0 s0",
        checkedAs: "s0 singleton in c0 decorator:c0\ncaller thread in c0 s0"), [.incomplete])
  }

  func testMissingDecoratorOfADependencyIsCaught() throws {
    let graph = "s0 wired singleton in c0 factory s1\ns1 singleton in c0\ncaller thread in c0 s0"
    XCTAssertEqual(
      try kinds(
        graph,
        checkedAs: graph.replacingOccurrences(of: "c0\nc", with: "c0 decorator:c0\nc")),
      [.incomplete])
  }

  func testDecoratorsInAnotherOrderAreCaught() throws {
    let containers = "c0 root\nc1 child of c0\n"
    XCTAssertEqual(
      try kinds(
        containers + "s0 transient in c0 decorator:c0 decorator:c1\ncaller thread in c1 s0",
        checkedAs: containers
          + "s0 transient in c0 decorator:c1 decorator:c0\ncaller thread in c1 s0"),
      [.incomplete])
  }

  func testFailureOfADecoratorWithoutACauseIsCaught() throws {
    XCTAssertEqual(
      try kinds(
        "s0 singleton in c0 decorator:c0 fails:decorator:once\ncaller thread in c0 s0",
        checkedAs: "s0 singleton in c0 decorator:c0\ncaller thread in c0 s0"), [.error])
  }

  func testMissingDependencyOfADecoratorIsCaught() throws {
    let graph = """
      s0 singleton in c0 decorator:c0 s1?
      s1 singleton in c0 fails:factory:always
      caller thread in c0 s0
      """
    XCTAssertEqual(try kinds(graph), [])
    XCTAssertEqual(
      try kinds(graph, checkedAs: graph.replacingOccurrences(of: "?", with: "")), [.incomplete])
  }

  func testMissingDisposalIsCaught() throws {
    XCTAssertEqual(
      try kinds(
        "s0 singleton in c0\ns1 singleton in c0 disposer:sync\ncaller thread in c0 s0 s1",
        checkedAs: """
          s0 singleton in c0 disposer:sync
          s1 singleton in c0 disposer:sync
          caller thread in c0 s0 s1
          """), [.disposal])
  }

  func testInstancesThatKeepEachOtherAliveAreCaught() throws {
    // The graph that it is checked as hides the cycle, which the action is told of when it is
    // postponed.
    XCTAssertTrue(
      try kinds(
        "s0 singleton in c0 factory s1\ns1 singleton in c0 action s0\ncaller thread in c0 s0",
        checkedAs: "s0 singleton in c0\ns1 singleton in c0 action s0\ncaller thread in c0 s0"
      ).contains(.leak))
  }

  /// The end of s2 builds s0 inside of s1, which fails: s0 is lost with it, and built again by its
  /// end.
  func testInstanceThatADeinitBuildsMayBeLostWithTheOneAroundIt() throws {
    XCTAssertEqual(
      try kinds(
        """
        s0 singleton in c0 action s1
        s1 singleton in c0 action s2? fails:action:once deinit:s0
        s2 singleton in c0 action fails:action:always deinit:s0
        caller thread in c0 s1
        """), [])
  }

  func testEndlessRunOfAFactoryIsCaught() throws {
    XCTAssertTrue(
      try kinds("s0 transient in c0 factory s0by:thread\ncaller thread in c0 s0").contains(
        .endless))
  }

  func testDependencyDisposedOfFirstIsCaught() {
    let user = DisposedInstance(
      name: "user", returned: 2, seen: 3, serial: 2, uses: [1, 2])
    let used = DisposedInstance(name: "used", returned: 1, seen: 2, serial: 1, uses: [1])
    XCTAssertNil(DisposedInstance.firstOutOfOrder(in: [user, used])?.first)
    XCTAssertEqual(DisposedInstance.firstOutOfOrder(in: [used, user])?.first, "used")
  }

  func testInstancesOfACycleAreDisposedOfAsTheirFactoriesReturned() {
    func make(_ name: String, _ returned: Int, seen: Int) -> DisposedInstance {
      DisposedInstance(
        name: name, returned: returned, seen: seen, serial: returned, uses: [1, 2])
    }
    let first = make("first", 1, seen: 1)
    let second = make("second", 2, seen: 2)
    XCTAssertNil(DisposedInstance.firstOutOfOrder(in: [second, first])?.first)
    XCTAssertEqual(DisposedInstance.firstOutOfOrder(in: [first, second])?.first, "first")
    let overlapping = make("overlapping", 1, seen: 5)
    XCTAssertNil(DisposedInstance.firstOutOfOrder(in: [overlapping, second])?.first)
  }

  /// The first has got a released instance, and comes before the next one, which it seems to need.
  func testInstanceThatMovesBeforeTheNextOfAReleasedOneMayLeaveItsUsersBehind() {
    func make(_ serial: Int, uses: Set<Int>, seemsToNeed: Set<Int> = []) -> DisposedInstance {
      DisposedInstance(
        name: "\(serial)", returned: serial, seen: serial, serial: serial, uses: uses,
        seemsToNeed: seemsToNeed)
    }
    let moved = make(1, uses: [1], seemsToNeed: [3])
    let user = make(2, uses: [1, 2])
    let next = make(3, uses: [1, 3])
    XCTAssertNil(DisposedInstance.firstOutOfOrder(in: [moved, next, user])?.first)
    XCTAssertEqual(DisposedInstance.firstOutOfOrder(in: [moved, user, next])?.second, "2")
  }

  func testDisposalsOfDifferentContainersHaveNoOrder() {
    let user = DisposedInstance(
      name: "user", returned: 2, seen: 3, serial: 2, uses: [1, 2])
    let used = DisposedInstance(
      name: "used", container: 1, returned: 1, seen: 2, serial: 1, uses: [1])
    XCTAssertNil(DisposedInstance.firstOutOfOrder(in: [used, user])?.first)
  }
}
