// SPDX-License-Identifier: MIT

import TestSupport
import XCTest

@testable import Corinth

/// Actions that lack the instance of an enclosing construction, in small states made by hand.
final class PostponedActionTests: ManualTestCase {
  private let log = EventLog()

  /// An exposed instance inside of `outer`, whose action logs.
  private func beginInner(_ name: String, of outer: ManualConstruction) throws -> ManualConstruction
  {
    let inner = try outer.inside {
      try begin(Name(name), afterInit: { [log] _ in log.add(name) })
    }
    try inner.expose(tracker.make())
    return inner
  }

  /// The action has asked for the instance of `outer` and got the error.
  private func postpone(
    _ inner: ManualConstruction, until outer: ManualConstruction
  ) throws -> WaitForGraph.Postponement {
    XCTAssertEqual(inner.resolve(outer).verdict, .cycle([outer.key]))
    return try postpone(inner)
  }

  private func postpone(_ inner: ManualConstruction) throws -> WaitForGraph.Postponement {
    WaitForGraph.postpone(try XCTUnwrap(inner.instance), in: inner.construction)
  }

  private func next(of outer: ManualConstruction) -> UnpublishedInstance? {
    WaitForGraph.nextPostponed(until: outer.construction)
  }

  // MARK: - What is postponed

  func testAnActionThatLacksTheInstanceOfAnEnclosingFactoryIsPostponed() throws {
    let outer = try begin("outer")
    let inner = try beginInner("inner", of: outer)
    XCTAssertEqual(try postpone(inner, until: outer), .postponed)
    guard case .postponed(let instance, let blocker) = inner.links.phase else {
      return XCTFail(inner.links.phase.name)
    }
    XCTAssertTrue(instance === inner.instance && blocker === outer.construction)
    XCTAssertTrue(outer.construction.isLinked && inner.construction.isLinked)
  }

  func testAnActionThatLacksNothingHasFailed() throws {
    let outer = try begin("outer")
    let inner = try beginInner("inner", of: outer)
    XCTAssertEqual(try postpone(inner), .failed)
  }

  /// The error is that of a factory inside of the action, which nothing around it can help.
  func testACycleInsideOfAnActionDoesNotPostponeIt() throws {
    let outer = try begin("outer")
    let inner = try beginInner("inner", of: outer)
    let nested = try inner.inside { try begin("nested") }
    XCTAssertEqual(nested.resolve(nested).verdict, .cycle([nested.key]))
    XCTAssertEqual(try postpone(inner), .failed)
  }

  /// The resolver of the action was handed to a thread that builds something else, and that needs
  /// itself.
  func testACycleOfAThreadThatUsesTheResolverDoesNotPostponeTheAction() throws {
    let outer = try begin("outer")
    let inner = try beginInner("inner", of: outer)
    let other = try begin("other")
    let resolve = other.inside {
      ManualResolve(of: other, requestedBy: inner.construction)
    }
    XCTAssertEqual(resolve.verdict, .cycle([other.key]))
    XCTAssertEqual(try postpone(inner), .failed)
  }

  func testAnActionRunsAgainAtOnceWhenTheInstanceIsThereByNow() throws {
    let outer = try begin("outer")
    let inner = try beginInner("inner", of: outer)
    XCTAssertEqual(inner.resolve(outer).verdict, .cycle([outer.key]))
    try outer.expose(tracker.make())
    XCTAssertEqual(try postpone(inner), .again)
    XCTAssertEqual(try postpone(inner), .failed, "each instance that was missing counts once")
  }

  func testAnActionRunsAgainAtOnceWhenTheConstructionHasEnded() throws {
    let outer = try begin("outer")
    let inner = try beginInner("inner", of: outer)
    XCTAssertEqual(inner.resolve(outer).verdict, .cycle([outer.key]))
    outer.fail()
    XCTAssertEqual(try postpone(inner), .again)
  }

  func testAnActionRunsAgainAtOnceWhenAConstructionInBetweenHasEnded() throws {
    let outer = try begin("outer")
    let middle = try outer.inside { try begin("middle") }
    let inner = try beginInner("inner", of: middle)
    XCTAssertEqual(inner.resolve(outer).verdict, .cycle([outer.key]))
    middle.fail()
    XCTAssertEqual(try postpone(inner), .again)
    XCTAssertEqual(try postpone(inner), .failed, "there is no other error")
  }

  func testAnActionOfADoomedConstructionIsNotPostponed() throws {
    let lender = try beginExposed("lender")
    let outer = try begin("outer")
    let inner = try beginInner("inner", of: outer)
    let wait = lender.resolve(inner).wait
    XCTAssertEqual(inner.resolve(lender).verdict, .instance)
    WaitForGraph.withLock { _ in wait.end(.retry) }
    XCTAssertEqual(inner.resolve(outer).verdict, .cycle([outer.key]))
    lender.fail()
    XCTAssertEqual(try postpone(inner), .failed)
    XCTAssertNil(inner.fail(), "its caller retries: there is no cycle")
  }

  // MARK: - Whose action is postponed

  /// The action waits for another thread, and that for the factory around the action.
  func testAnActionOfAnotherThreadIsPostponedWhenItIsInTheWay() throws {
    let (outer, other) = (try begin("outer"), try begin("other"))
    let inner = try beginInner("inner", of: outer)
    let blocked = inner.resolve(other)
    XCTAssertEqual(other.resolve(outer).verdict, .waiting)
    XCTAssertEqual(blocked.verdict, .cycle([other.key, outer.key]))
    XCTAssertEqual(try postpone(inner), .postponed)
    XCTAssertTrue(next(of: outer) === inner.instance)
  }

  func testAFactoryOfAnotherThreadIsNotPostponed() throws {
    let (outer, other) = (try begin("outer"), try begin("other"))
    let inner = try outer.inside { try begin("inner") }
    let blocked = inner.resolve(other)
    XCTAssertEqual(other.resolve(outer).verdict, .cycle([outer.key, inner.key, other.key]))
    XCTAssertEqual(blocked.verdict, .waiting)
  }

  /// `other` waits for `inner`, and `outer` for `other`: a cycle as soon as `inner` waits for
  /// `outer`.
  func testAWaiterGetsTheInstanceEarlyWhenTheActionIsPostponed() throws {
    let (outer, other) = (try begin("outer"), try begin("other"))
    let inner = try beginInner("inner", of: outer)
    let (waiting, stranger) = (other.resolve(inner), ManualResolve(of: inner))
    XCTAssertEqual(waiting.verdict, .waiting)
    XCTAssertEqual(outer.resolve(other).verdict, .waiting)
    XCTAssertEqual(inner.resolve(outer).verdict, .cycle([outer.key]))
    XCTAssertEqual(try postpone(inner), .postponed)
    XCTAssertEqual(waiting.verdict, .instance)
    XCTAssertEqual(stranger.verdict, .waiting)
  }

  func testTheFactoryGetsTheInstanceEarlyWhoseActionsWaitForIt() throws {
    let outer = try begin("outer")
    let inner = try beginInner("inner", of: outer)
    XCTAssertEqual(try postpone(inner, until: outer), .postponed)
    XCTAssertEqual(outer.resolve(inner).verdict, .instance)
    XCTAssertTrue(outer.links.lenders.elementsEqual([inner.construction], by: ===))
  }

  // MARK: - When they go on

  func testPostponedActionsGoOnInTheOrderInWhichTheyWerePostponed() throws {
    let outer = try begin("outer")
    let inner = try ["a", "b", "c"].map { try beginInner($0, of: outer) }
    for each in inner { XCTAssertEqual(try postpone(each, until: outer), .postponed) }
    try outer.expose(tracker.make())
    for each in inner {
      let instance = try XCTUnwrap(next(of: outer))
      XCTAssertTrue(instance === each.instance)
      XCTAssertEqual(each.links.phase.name, "initializing")
      try instance.resume(inside: outer.construction)
      XCTAssertTrue(each.isPublished)
    }
    XCTAssertNil(next(of: outer))
    XCTAssertEqual(log.entries, ["a", "b", "c"])
  }

  /// It was ending just when they were postponed.
  func testActionsThatWerePostponedTooLateGoOnAtTheEndOfTheConstruction() throws {
    let outer = try begin("outer")
    let inner = try beginInner("inner", of: outer)
    XCTAssertEqual(try postpone(inner, until: outer), .postponed)
    outer.construction.drop()
    outer.construction.release()
    XCTAssertEqual(log.entries, ["inner"])
    XCTAssertTrue(inner.isPublished)
  }

  func testPostponedConstructionsAreDroppedWithTheFactoryThatTheyWaitFor() throws {
    let outer = try begin("outer")
    let inner = try beginInner("inner", of: outer)
    XCTAssertEqual(try postpone(inner, until: outer), .postponed)
    let waiter = ManualResolve(of: inner)
    outer.fail()
    XCTAssertTrue(inner.construction.isFinished)
    XCTAssertEqual(waiter.verdict, .retry)
    XCTAssertTrue(log.entries.isEmpty)
  }

  /// A factory that itself lacks the instance of an outer one fails because of that, and is run
  /// again.
  func testPostponedConstructionsMoveOutwardsWithAFactoryThatLacksAnInstance() throws {
    let outermost = try begin("outermost")
    let outer = try outermost.inside { try begin("outer") }
    let inner = try beginInner("inner", of: outer)
    XCTAssertEqual(try postpone(inner, until: outer), .postponed)
    XCTAssertEqual(outer.resolve(outermost).verdict, .cycle([outermost.key]))
    outer.fail()
    XCTAssertFalse(inner.construction.isFinished)
    XCTAssertTrue(next(of: outermost) === inner.instance)
  }

  func testPostponedConstructionsDoNotMoveToAFactoryThatHasReturned() throws {
    let outermost = try begin("outermost")
    let outer = try outermost.inside { try begin("outer") }
    let inner = try beginInner("inner", of: outer)
    XCTAssertEqual(try postpone(inner, until: outer), .postponed)
    XCTAssertEqual(outer.resolve(outermost).verdict, .cycle([outermost.key]))
    try outermost.expose(tracker.make())
    outer.fail()
    XCTAssertTrue(inner.construction.isFinished)
    XCTAssertNil(next(of: outermost))
  }

  func testADoomedConstructionThatIsPostponedIsDroppedAtOnce() throws {
    let lender = try beginExposed("lender")
    let outer = try begin("outer")
    let inner = try beginInner("inner", of: outer)
    let wait = lender.resolve(inner).wait
    XCTAssertEqual(inner.resolve(lender).verdict, .instance)
    WaitForGraph.withLock { _ in wait.end(.retry) }
    XCTAssertEqual(try postpone(inner, until: outer), .postponed)
    lender.fail()
    XCTAssertTrue(inner.construction.isFinished)
    XCTAssertNil(next(of: outer))
    try outer.expose(tracker.make())
    XCTAssertTrue(try outer.finish(), "it does not depend on the failed one")
  }

  // MARK: - In a container

  private func register(
    _ name: String, needing dependencies: [String] = [], action need: String? = nil,
    failing error: (any Error)? = nil
  ) throws {
    let registration = try container.register(Tracked.self, name: Name(name), scope: .singleton) {
      [tracker, log] resolver in
      for each in dependencies { _ = try? resolver.resolve(Tracked.self, name: Name(each)) }
      log.add("\(name) built")
      return tracker.make()
    }
    registration.afterInit { [log] resolver, _ in
      if let need { _ = try resolver.resolve(Tracked.self, name: Name(need)) }
      if let error { throw error }
      log.add("\(name) done")
    }
  }

  func testActionsRunAfterTheFactoryThatTheyNeedAndBeforeItsOwnActions() throws {
    try register("outer", needing: ["a", "b"])
    try register("a", action: "outer")
    try register("b", action: "outer")
    _ = try container.resolve(Tracked.self, name: "outer")
    XCTAssertEqual(
      log.entries, ["a built", "b built", "outer built", "a done", "b done", "outer done"])
  }

  /// The factory has the instance, and must not be published without it.
  func testAPostponedActionThatFailsFailsTheFactoryThatGotItsInstance() throws {
    try register("outer", needing: ["a"])
    try register("a", action: "outer", failing: FixtureError("refused"))
    XCTAssertThrowsError(try container.resolve(Tracked.self, name: "outer")) { error in
      XCTAssertEqual((error as? ResolutionError)?.path.map(\.name), ["outer", "a"])
    }
    XCTAssertEqual(log.entries, ["a built", "outer built"])
  }

  /// The factory in between has failed, so that nobody has the instance.
  func testAPostponedActionThatFailsDoesNotFailAFactoryThatHasNotGotItsInstance() throws {
    try register("outer", needing: ["between"])
    try container.register(Tracked.self, name: "between", scope: .singleton) { resolver in
      _ = try resolver.resolve(Tracked.self, name: "a")
      throw FixtureError("between")
    }
    try register("a", action: "outer", failing: FixtureError("refused"))
    XCTAssertNoThrow(try container.resolve(Tracked.self, name: "outer"))
    XCTAssertEqual(log.entries, ["a built", "outer built", "outer done"])
  }

  func testActionsAfterAPostponedOneWaitWithIt() throws {
    try register("outer", needing: ["a"])
    let registration = try container.register(Tracked.self, name: "a", scope: .singleton) {
      [tracker] _ in tracker.make()
    }
    for number in 1...3 {
      registration.afterInit { [log] resolver, _ in
        log.add("begun \(number)")
        if number == 2 { _ = try resolver.resolve(Tracked.self, name: "outer") }
        log.add("done \(number)")
      }
    }
    _ = try container.resolve(Tracked.self, name: "outer")
    XCTAssertEqual(
      log.entries,
      [
        "begun 1", "done 1", "begun 2", "outer built", "begun 2", "done 2", "begun 3", "done 3",
        "outer done",
      ])
  }
}
