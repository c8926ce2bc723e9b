// SPDX-License-Identifier: MIT

import Foundation
import RandomGraphs
import TestSupport
import XCTest

/// Random graphs of services, checked against the promises of the guides.
///
/// They run in a child process: a graph that hangs or crashes is reported and shrunk.
/// `CORINTH_STRESS` sizes the runs and `CORINTH_SEED` chooses other graphs.
final class RandomGraphTests: XCTestCase {
  private func check(_ profile: String, line: UInt = #line) {
    let seed = ProcessInfo.processInfo.environment["CORINTH_SEED"] ?? "1"
    check(
      ["--profile", profile, "--count", "\(StressSize.scaled(250))", "--seed", seed], line: line)
  }

  private func check(graph: String, line: UInt = #line) {
    check(["--graph", graph, "--rounds", "4"], line: line)
  }

  private func check(_ arguments: [String], line: UInt) {
    let child = ChildRun(.product("RandomGraphRun"), arguments + ["--patience", "60"], limit: nil)
    XCTAssertEqual(child.status, 0, child.describe(), line: line)
  }

  /// Graphs that once failed in some rounds, each with its story.
  func testGraphsThatOnceFailed() throws {
    let graphs = try FileManager.default.contentsOfDirectory(
      at: URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Graphs"),
      includingPropertiesForKeys: nil)
    XCTAssertFalse(graphs.isEmpty)
    for graph in graphs {
      check(
        ["--graph", graph.path, "--rounds", "\(StressSize.scaled(250, sanitized: 60))"], line: #line
      )
    }
  }

  func testCleanGraphs() { check("clean") }
  func testAcyclicGraphs() { check("acyclic") }
  func testGraphsWithoutActions() { check("no-after-init") }
  func testSynchronousGraphs() { check("sync") }
  func testAsynchronousGraphs() { check("async") }
  func testMixedGraphs() { check("mixed") }
  func testGraphsWithAllFeatures() { check("chaos") }
  func testGraphsWithAsynchronousDependenciesOfSynchronousCode() { check("crossing") }
  func testGraphsThatAreClosedMeanwhile() { check("closing") }
  func testGraphsWithDecoratorsAndWiring() { check("composition") }
  func testGraphsWithDecoratorsThatAreClosedMeanwhile() { check("composition-closing") }
  func testGraphsWithNamedScopes() { check("named-scopes") }
  func testGraphsWithNamedScopesThatAreClosedMeanwhile() { check("named-scopes-closing") }
  func testGraphsWithBehaviors() { check("watched") }
  func testGraphsWithBehaviorsThatAreClosedMeanwhile() { check("watched-closing") }

  /// The last reference to an instance whose action failed went with the mutex of the wait-for
  /// graph held, and its deinit waited for that. So did that of a weak instance that was let go of
  /// at the end of its construction.
  func testInstancesThatFailOrAreLetGoOfMayResolveInTheirDeinits() {
    check(
      graph: """
        c0 root
        s0 singleton in c0 action s1 fails:action:once deinit:resolve deinit:join
        s1 weak in c0 action s0? deinit:injected deinit:scope
        s2 async singleton in c0 factory s0? asyncAction s1 fails:action:once deinit:child deinit:s1
        caller thread in c0 s0 s1
        caller task in c0 s2 s1
        """)
  }

  /// Each failure left a task that had been handed the resolver of a cancelled construction, and
  /// which began again what had failed.
  func testTasksOfCancelledConstructionsBeginNothing() {
    check(
      graph: """
        c0 root
        c1 child of c0
        s0 async singleton in c0 asyncAction s18 asyncAction s6
        s1 async transient in c0 asyncAction s4 s5by:childTask
        s2 async cached in c1 factory s6by:detachedTask s4by:detachedTask action s0by:unrelatedTask s5by:unrelatedTask
        s3 async custom in c0 factory s9by:unrelatedTask s4by:container s5 asyncAction asyncAction s11by:spawnedTask s13by:detachedTask
        s4 async cached in c0 factory s7? s11by:container action
        s5 async transient in c0 factory s11by:childTask s3by:childTask s10by:childTask action
        s6 async cached in c0 asyncAction s9by:container
        s7 async singleton in c0 factory s0
        s8 async singleton in c1 action
        s9 async transient in c0 factory s10 asyncAction s3 s10
        s10 async graph in c0 asyncAction s13by:task s14by:task
        s11 async singleton in c0 factory s12 s9by:childTask s12by:spawnedTask asyncAction s12by:childTask disposer:sync
        s12 async singleton in c0 factory s16by:spawnedTask s14by:spawnedTask s6? action
        s13 async graph in c0 asyncAction s17by:task
        s14 async singleton in c0 factory s9by:task action
        s15 async cached in c0 factory s9 s17by:detachedTask action
        s16 async custom in c0 action
        s17 async transient in c0 factory s7by:childTask asyncAction
        s18 async transient in c0 factory s19 s19 s19by:detachedTask action
        s19 async singleton in c0 asyncAction s14by:task
        caller task in c1 s8
        caller task in c0 s6 s11 s17
        change s18 release after:17
        """)
  }

  /// A construction that gave up left a graph instance behind, which began the same again, and gave
  /// up, and left another one behind.
  func testAConstructionThatGivesUpLeavesNothingBehindThatBeginsItAgain() {
    check(
      graph: """
        c0 root
        s0 async singleton in c0 factory s4 asyncAction s13 disposer:sync
        s1 async transient in c0 asyncAction s5 s4
        s2 async weak in c0 factory s7 s15by:unrelatedTask action fails:action:once pause:sleep
        s3 async graph in c0 factory s4? s7 s5 asyncAction s6 s2
        s4 async cached in c0 factory s7 action pause:sleep
        s5 async transient in c0 factory s10 pause:yield
        s6 async singleton in c0 factory s11? s9 s11 action disposer:sync
        s7 async custom in c0 factory s9 s9 s9 action fails:action:always
        s8 async singleton in c0 factory s12 s10 s9 action asyncAction s11?
        s9 async singleton in c0 factory s11 s10 s10? asyncAction s3 disposer:sync
        s10 async cached in c0 factory s14 asyncAction s15by:container s3by:container asyncAction s14by:task s13by:task
        s11 async singleton in c0 factory s14 s12 s15
        s12 async cached in c0 asyncAction s14by:unrelatedTask
        s13 async singleton in c0 factory s15 s14 s15 asyncAction s12 s4 disposer:sync pause:yield
        s14 async cached in c0 factory s15 asyncAction s0 s15?
        s15 async graph in c0 factory s16 s16 s16 asyncAction s16?
        s16 async singleton in c0 action disposer:sync
        caller task in c0 s1 s1 s3
        caller task in c0 s2 s15 s1
        caller task in c0 s1
        change s13 release after:0
        """)
  }
}
