// SPDX-License-Identifier: MIT

import TestSupport
import XCTest

@testable import Corinth

/// What becomes of a resolve that finds a construction under way, in small states made by hand.
final class WaitDecisionTests: ManualTestCase {
  // MARK: - Waits that end by themselves

  func testAResolveWaitsForAStranger() throws {
    let (a, b) = (try begin("a"), try begin("b"))
    XCTAssertEqual(a.resolve(b).verdict, .waiting)
  }

  /// It is not published yet, and it soon will be.
  func testAResolveWaitsForAStrangerWhoseActionsRun() throws {
    let (a, b) = (try begin("a"), try beginExposed("b"))
    XCTAssertEqual(a.resolve(b).verdict, .waiting)
  }

  func testAResolveThatIsAPartOfNothingWaits() throws {
    let a = try beginExposed("a")
    XCTAssertEqual(ManualResolve(of: a).verdict, .waiting)
  }

  func testAWaiterGetsTheInstance() throws {
    let (a, b) = (try begin("a"), try begin("b"))
    let resolve = a.resolve(b)
    try b.expose(tracker.make())
    XCTAssertEqual(resolve.verdict, .waiting)
    XCTAssertTrue(try b.finish())
    XCTAssertEqual(resolve.verdict, .instance)
  }

  func testAResolveThatComesTooLateForTheConstructionRetries() throws {
    let (a, b) = (try begin("a"), try beginExposed("b"))
    try b.finish()
    XCTAssertEqual(a.resolve(b).verdict, .retry)
  }

  func testAResolveOfACancelledTaskDoesNotWait() throws {
    let a = try begin("a")
    let wait = Wait(requestedBy: nil)
    wait.isCancelled = true
    let decision = WaitForGraph.withLock { resumed in
      WaitForGraph.decide(on: .state(a.record), wait, &resumed)
    }
    guard case .conclude(.cancelled) = decision else { return XCTFail("\(decision)") }
  }

  // MARK: - Failures

  func testAWaiterRetriesWhenAnothersConstructionFails() throws {
    let (a, b) = (try begin("a"), try begin("b"))
    let resolve = a.resolve(b)
    b.fail()
    XCTAssertEqual(resolve.verdict, .retry)
  }

  func testTheWaiterThatHasBegunTheConstructionSharesItsFailure() throws {
    let a = try begin("a")
    let begun = ManualResolve(of: a, begun: a.construction)
    let other = ManualResolve(of: a)
    a.fail()
    XCTAssertEqual(begun.verdict, .failed(a.key))
    XCTAssertEqual(other.verdict, .retry)
  }

  /// A resolve in a construction that began inside of `a`, and that what lies in between has
  /// outlived.
  func testAWaiterThatBeganInsideTheConstructionSharesItsFailure() throws {
    let a = try begin("a")
    let between = a.inside { ResolutionContext(requestedBy: nil) }
    let b = try between.whileRunning { try begin("b") }
    between.finish()
    let resolve = b.resolve(a)
    XCTAssertEqual(resolve.verdict, .waiting, "what lies in between has ended")
    a.fail()
    XCTAssertEqual(resolve.verdict, .failed(a.key))
  }

  // MARK: - Cycles of factories

  func testAFactoryThatNeedsItselfIsACycle() throws {
    let a = try begin("a")
    XCTAssertEqual(a.resolve(a).verdict, .cycle([a.key]))
  }

  func testTheSecondOfTwoThreadsThatNeedEachOtherFindsTheCycle() throws {
    let (a, b) = (try begin("a"), try begin("b"))
    XCTAssertEqual(a.resolve(b).verdict, .waiting)
    XCTAssertEqual(b.resolve(a).verdict, .cycle([a.key, b.key]))
  }

  /// Thread 1 builds `a` and in it `b`, thread 2 `c` and in it `d`.
  func testTheKeysOfACyclePassThroughNestedConstructions() throws {
    let a = try begin("a")
    let b = try a.inside { try begin("b") }
    let c = try begin("c")
    let d = try c.inside { try begin("d") }
    XCTAssertEqual(b.resolve(c).verdict, .waiting)
    XCTAssertEqual(d.resolve(a).verdict, .cycle([a.key, b.key, c.key]))
  }

  func testAWaitForAnEnclosingConstructionOfAnotherThreadIsNoCycle() throws {
    let a = try begin("a")
    let b = try a.inside { try begin("b") }
    let c = try begin("c")
    XCTAssertEqual(c.resolve(a).verdict, .waiting)
    XCTAssertEqual(b.resolve(b).verdict, .cycle([b.key]))
  }

  func testACycleThroughAHandedResolverIsFound() throws {
    let (a, b) = (try begin("a"), try begin("b"))
    let resolve = b.inside { ManualResolve(of: a, requestedBy: a.construction) }
    XCTAssertEqual(resolve.verdict, .cycle([a.key]))
  }

  /// What a task builds is waited for by an edge of its own, which ends when the waiting task is
  /// cancelled.
  func testAResolveInATaskIsNestedInNothingAroundTheTask() throws {
    let a = try begin("a")
    let b = try a.inside { try begin("b", isAsynchronous: true) }
    XCTAssertEqual(b.resolve(a).verdict, .waiting)
    XCTAssertEqual(a.resolve(b).verdict, .cycle([b.key, a.key]))
  }

  // MARK: - Early references

  func testAResolveInsideOfAnInstancesOwnActionsGetsItEarly() throws {
    let a = try beginExposed("a")
    let b = try a.inside { try begin("b") }
    let resolve = b.resolve(a)
    XCTAssertEqual(resolve.verdict, .instance)
    XCTAssertTrue(resolve.box === a.instance?.earlyReference)
    XCTAssertTrue(b.links.lenders.elementsEqual([a.construction], by: ===))
  }

  func testAResolveThatWouldCloseACycleGetsTheInstanceEarly() throws {
    let (a, b) = (try begin("a"), try beginExposed("b"))
    XCTAssertEqual(b.resolve(a).verdict, .waiting)
    XCTAssertEqual(a.resolve(b).verdict, .instance)
  }

  /// The wait of the other one hides an incomplete instance: it ends, and this one waits.
  func testAnotherWaitOnTheCycleEndsWithAnEarlyReference() throws {
    let (a, b) = (try begin("a"), try beginExposed("b"))
    let hidden = a.resolve(b)
    XCTAssertEqual(hidden.verdict, .waiting)
    XCTAssertEqual(b.resolve(a).verdict, .waiting)
    XCTAssertEqual(hidden.verdict, .instance)
    XCTAssertTrue(a.links.lenders.elementsEqual([b.construction], by: ===))
  }

  /// The instance of a transient's resolve goes to what the transient is built for.
  func testTheBorrowerIsTheInnermostConstructionThatIsShared() throws {
    let a = try beginExposed("a")
    let b = try a.inside { try begin("b") }
    let unshared = b.inside {
      Construction.begun(of: b.record, in: container.registry, requestedBy: nil, isShared: false)
    }
    unshared.whileRunning { XCTAssertEqual(ManualResolve(of: a).verdict, .instance) }
    XCTAssertTrue(unshared.isLinked && unshared.links.lenders.isEmpty)
    XCTAssertTrue(b.links.lenders.elementsEqual([a.construction], by: ===))
  }

  /// Both may keep the instance: the thread's construction, and the one whose resolver it uses.
  func testThereAreTwoBorrowersWhereAResolverWasHanded() throws {
    let a = try beginExposed("a")
    let b = try a.inside { try begin("b") }
    let c = try begin("c")
    let resolve = c.inside { ManualResolve(of: a, requestedBy: b.construction) }
    XCTAssertEqual(resolve.verdict, .instance)
    XCTAssertTrue(a.links.borrowers.contains { $0 === b.construction })
    XCTAssertTrue(a.links.borrowers.contains { $0 === c.construction })
  }

  func testTheLendersOfAHeldConstructionLendInItsPlace() throws {
    let a = try beginExposed("a")
    let b = try a.inside { try begin("b") }
    XCTAssertEqual(b.resolve(a).verdict, .instance)
    try b.expose(tracker.make())
    XCTAssertFalse(try b.finish(), "it is held by its lender")
    let c = try a.inside { try begin("c") }
    XCTAssertEqual(c.resolve(b).verdict, .instance)
    XCTAssertTrue(c.links.lenders.elementsEqual([a.construction], by: ===))
  }

  // MARK: - Edges that appear when a construction is held

  /// `c` waits for `b`. When `b` is held by `a`, which waits for `c`, that is a cycle.
  func testAWaiterGetsTheInstanceEarlyWhenTheConstructionIsHeld() throws {
    let a = try beginExposed("a")
    let b = try a.inside { try begin("b") }
    XCTAssertEqual(b.resolve(a).verdict, .instance)
    try b.expose(tracker.make())
    let c = try begin("c")
    let (waiting, stranger) = (c.resolve(b), ManualResolve(of: b))
    XCTAssertEqual(waiting.verdict, .waiting)
    XCTAssertEqual(a.inside { ManualResolve(of: c) }.verdict, .waiting)
    XCTAssertFalse(try b.finish())
    XCTAssertEqual(waiting.verdict, .instance)
    XCTAssertEqual(stranger.verdict, .waiting, "it is no part of the cycle")
  }

  /// `b` is held by `c`, and that by `a` in the end: a wait for `b` closes a cycle as well.
  func testAWaiterOfAHeldBorrowerGetsItsInstanceEarlyToo() throws {
    let (a, c) = (try beginExposed("a"), try beginExposed("c"))
    XCTAssertEqual(a.resolve(c).verdict, .waiting)
    XCTAssertEqual(c.resolve(a).verdict, .instance)
    let b = try c.inside { try beginExposed("b") }
    XCTAssertEqual(b.resolve(c).verdict, .instance)
    XCTAssertFalse(try b.finish())
    let d = try begin("d")
    let waiting = d.resolve(b)
    XCTAssertEqual(a.inside { ManualResolve(of: d) }.verdict, .waiting)
    XCTAssertEqual(waiting.verdict, .waiting)
    XCTAssertFalse(try c.finish())
    XCTAssertEqual(waiting.verdict, .instance)
  }

  // MARK: - A resolve that may not wait

  func testAThreadGetsAnInstanceEarlyWhereItMayNotWait() throws {
    let a = try beginExposed("a")
    let state = a.record
    XCTAssertNil(
      WaitForGraph.earlyReference(from: .state(state), requestedBy: nil), "a wait would end")
    let box = a.inside { WaitForGraph.earlyReference(from: .state(state), requestedBy: nil) }
    XCTAssertTrue(box === a.instance?.earlyReference)
    let b = try begin("b")
    XCTAssertNil(b.inside { WaitForGraph.earlyReference(from: .state(state), requestedBy: nil) })
    XCTAssertNil(
      b.inside { WaitForGraph.earlyReference(from: .state(b.record), requestedBy: nil) },
      "there is no instance")
  }
}
