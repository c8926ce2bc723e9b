// SPDX-License-Identifier: MIT

import TestSupport
import XCTest

@testable import Corinth

final class ResolutionContextTests: ManualTestCase {
  /// A context that begins while the thread is running `enclosing`, and that `requester` asks for.
  private func context(
    in enclosing: ResolutionContext? = nil, requestedBy requester: ResolutionContext? = nil
  ) -> ResolutionContext {
    func made() -> ResolutionContext { ResolutionContext(requestedBy: requester) }
    return enclosing?.whileRunning(made) ?? made()
  }

  private func assertChain(
    _ found: [ResolutionContext], _ expected: [ResolutionContext], line: UInt = #line
  ) {
    XCTAssertTrue(found.elementsEqual(expected, by: ===), "\(found.count) contexts", line: line)
  }

  // MARK: - Letting go

  /// Chains of contexts are let go of in a loop, to which each hands the next. One that has two
  /// must lose neither.
  func testAContextBetweenTwoOthersLetsGoOfBoth() {
    weak var enclosing: ResolutionContext?
    weak var requesting: ResolutionContext?
    func makeInnermost() -> ResolutionContext {
      let (outer, asker) = (context(), context())
      (enclosing, requesting) = (outer, asker)
      return context(in: context(in: outer, requestedBy: asker))
    }
    _ = makeInnermost()
    XCTAssertNil(enclosing)
    XCTAssertNil(requesting)
  }

  // MARK: - The running context

  func testAThreadRunsNoContextUntilItEntersOne() {
    XCTAssertNil(ResolutionContext.current)
    let outer = context()
    outer.whileRunning {
      XCTAssertTrue(ResolutionContext.running === outer && ResolutionContext.current === outer)
      let inner = context()
      inner.whileRunning { XCTAssertTrue(ResolutionContext.current === inner) }
      XCTAssertTrue(ResolutionContext.current === outer)
    }
    XCTAssertNil(ResolutionContext.current)
  }

  func testEachThreadRunsAContextOfItsOwn() throws {
    let context = context()
    let isRunning = try context.whileRunning {
      try onThreads(1) { _ in ResolutionContext.current != nil }
    }
    XCTAssertEqual(isRunning, [false])
  }

  func testAContextIsEnclosedByTheOneThatTheThreadWasRunning() {
    let outer = context()
    let inner = context(in: outer, requestedBy: outer)
    XCTAssertTrue(inner.enclosing === outer)
    XCTAssertNil(inner.requesting, "it is the enclosing one")
    let handed = context(in: outer, requestedBy: context())
    XCTAssertTrue(handed.enclosing === outer)
    XCTAssertNotNil(handed.requesting)
  }

  // MARK: - Chains

  func testAChainLeadsOutwards() {
    let outer = context()
    let middle = context(in: outer)
    let inner = context(in: middle)
    assertChain(inner.unfinishedChain, [inner, middle, outer])
    assertChain(outer.unfinishedChain, [outer])
  }

  func testAChainLeadsToBothOthersTheThreadsOwnFirst() {
    let thread = context(in: context())
    let requester = context(in: context())
    let inner = context(in: thread, requestedBy: requester)
    assertChain(
      inner.unfinishedChain,
      [inner, thread, thread.enclosing, requester, requester.enclosing].compactMap { $0 })
  }

  func testAContextIsInAChainOnceThoughTwoWaysLeadThere() {
    let outer = context()
    let (left, right) = (context(in: outer), context(in: outer))
    let inner = context(in: left, requestedBy: right)
    assertChain(inner.unfinishedChain, [inner, left, outer, right])
  }

  func testAChainEndsAtAContextThatIsFinished() {
    let outer = context()
    let middle = context(in: outer)
    let inner = context(in: middle)
    middle.finish()
    assertChain(inner.unfinishedChain, [inner])
    XCTAssertFalse(inner.isNested(in: outer))
    XCTAssertTrue(inner.hasBegun(inside: outer), "it began there all the same")
    inner.finish()
    assertChain(inner.unfinishedChain, [])
  }

  func testWhatATaskBuildsIsBlockedByNothingAround() throws {
    let outer = try begin("outer").construction
    let task = try context(in: outer).whileRunning {
      try begin("task", isAsynchronous: true).construction
    }
    let inner = context(in: task)
    assertChain(inner.blockedChain, [inner, task])
    XCTAssertTrue(inner.unfinishedChain.contains { $0 === outer })
    assertChain(context(in: outer).blockedChain.dropFirst().map { $0 }, [outer])
  }

  func testTheChainsOfSeveralContextsFollowEachOther() {
    let (outer, other) = (context(), context())
    let (left, right) = (context(in: outer), context(in: other))
    assertChain(ResolutionContext.blockedChain(of: [left, right]), [left, outer, right, other])
    assertChain(ResolutionContext.blockedChain(of: [right, left]), [right, other, left, outer])
    assertChain(ResolutionContext.blockedChain(of: [left, outer]), [left, outer])
  }

  func testTheFirstContextInAChainThatSatisfiesAConditionIsFound() {
    let outer = context()
    let middle = context(in: outer)
    let plain = context(in: middle)
    let joined = context(in: middle, requestedBy: context())
    for inner in [plain, joined] {
      XCTAssertTrue(inner.firstInChain { _ in true } === inner)
      XCTAssertTrue(inner.firstInChain { $0 !== inner } === middle)
      XCTAssertTrue(inner.firstInChain { $0 === outer } === outer)
      XCTAssertNil(inner.firstInChain { _ in false })
    }
    middle.finish()
    XCTAssertNil(plain.firstInChain { $0 === outer })
    XCTAssertNil(joined.firstInChain { $0 === outer })
  }

  func testAContextHasBegunInsideOfAllThatLeadToIt() {
    let (outer, other) = (context(), context())
    let inner = context(in: context(in: outer), requestedBy: context(in: other))
    XCTAssertTrue(inner.hasBegun(inside: inner))
    XCTAssertTrue(inner.hasBegun(inside: outer) && inner.hasBegun(inside: other))
    XCTAssertFalse(outer.hasBegun(inside: inner))
  }

  // MARK: - Innermost contexts

  func testTheInnermostContextIsTheMoreDeeplyNestedOne() {
    let outer = context()
    let inner = context(in: outer)
    XCTAssertNil(ResolutionContext.innermost(within: nil))
    XCTAssertTrue(ResolutionContext.innermost(within: inner) === inner, "the thread runs nothing")
    outer.whileRunning {
      XCTAssertTrue(ResolutionContext.innermost(within: nil) === outer)
      XCTAssertTrue(ResolutionContext.innermost(within: inner) === inner)
    }
    inner.whileRunning { XCTAssertTrue(ResolutionContext.innermost(within: outer) === inner) }
  }

  func testAFinishedContextIsNotTheInnermostOfAThreadThatRunsAnother() {
    let (running, over) = (context(), context())
    over.finish()
    running.whileRunning { XCTAssertTrue(ResolutionContext.innermost(within: over) === running) }
  }

  func testTwoContextsThatDoNotEncloseEachOtherAreJoined() throws {
    let (thread, requester) = (context(), context())
    let join = try XCTUnwrap(thread.whileRunning { ResolutionContext.innermost(within: requester) })
    XCTAssertTrue(join is RoleContext)
    assertChain(join.unfinishedChain, [join, thread, requester])
    XCTAssertTrue(join.isNested(in: thread) && join.isNested(in: requester))
  }

  func testAJoinIsFinishedWhenBothOfItsContextsAre() {
    let (thread, requester) = (context(), context())
    let join = RoleContext(.join, enclosedBy: thread, requestedBy: requester)
    XCTAssertFalse(join.isFinished)
    thread.finish()
    XCTAssertFalse(join.isFinished)
    assertChain(join.unfinishedChain, [join, requester])
    requester.finish()
    XCTAssertTrue(join.isFinished)
    XCTAssertTrue(ResolutionContext.isOver(join))
    XCTAssertNil(ResolutionContext.unfinished(join))
  }

  // MARK: - Resumptions

  /// Its own first: else the path of an error would lack it.
  func testAResumptionLeadsToTheConstructionWhoseActionsRunAndThenToTheOneAround() {
    let outer = context()
    let enclosing = context(in: outer)
    let resumed = context(in: context())
    let resumption = RoleContext(.resumption, enclosedBy: enclosing, requestedBy: resumed)
    assertChain(resumption.unfinishedChain, [resumption, resumed, enclosing, outer])
  }

  /// The contexts in which the construction began do not wait for its actions any more.
  func testAResumptionIsNotNestedInWhatItsConstructionBeganIn() {
    let former = context()
    let resumed = context(in: former)
    let resumption = RoleContext(.resumption, enclosedBy: context(), requestedBy: resumed)
    XCTAssertFalse(resumption.isNested(in: former))
    XCTAssertTrue(resumed.isNested(in: former))
  }

  func testAResumptionOfWhatItRunsInsideOfIsNestedInThatOnce() {
    let enclosing = context()
    let resumed = context(in: enclosing)
    let resumption = RoleContext(.resumption, enclosedBy: resumed, requestedBy: resumed)
    assertChain(resumption.unfinishedChain, [resumption, resumed])
    let finished = context()
    finished.finish()
    let other = RoleContext(.resumption, enclosedBy: enclosing, requestedBy: finished)
    assertChain(other.unfinishedChain, [other, enclosing])
  }

  // MARK: - Open resolutions

  func testAResolutionThatBeginsWithAResolveEndsWithIt() {
    let container = Container()
    let open = OpenResolution(beginningIn: container.registry)
    let root = open.context
    XCTAssert(root?.root === root)
    XCTAssertNil(ResolutionContext.current)
    open.end()
    XCTAssertEqual(root?.isFinished, true)
  }

  func testAResolutionThatGoesOnIsRunByTheThreadMeanwhile() {
    let (outer, handed) = (context(), context())
    outer.whileRunning {
      let open = OpenResolution(continuing: handed)
      XCTAssertTrue(ResolutionContext.current === handed)
      open.end()
      XCTAssertTrue(ResolutionContext.current === outer)
      XCTAssertFalse(handed.isFinished)
    }
  }

  func testAResolutionThatIsOverIsNotRunAgain() {
    let (outer, over) = (context(), context())
    over.finish()
    outer.whileRunning {
      let open = OpenResolution(continuing: over)
      XCTAssertTrue(ResolutionContext.current === outer)
      open.end()
      XCTAssertTrue(ResolutionContext.current === outer)
    }
  }
}
