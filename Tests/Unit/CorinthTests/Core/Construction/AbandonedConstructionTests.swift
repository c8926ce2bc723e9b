// SPDX-License-Identifier: MIT

import TestSupport
import XCTest

@testable import Corinth

/// What a failure does to the constructions that have an early reference to the one that failed.
final class AbandonedConstructionTests: ManualTestCase {
  /// `borrower` has the instance of `lender`, which has waited for it and can fail now.
  private func beginPair() throws -> (lender: ManualConstruction, borrower: ManualConstruction) {
    let (lender, borrower) = (try beginExposed("lender"), try begin("borrower"))
    lend(lender, to: borrower)
    return (lender, borrower)
  }

  private func lend(_ lender: ManualConstruction, to borrower: ManualConstruction) {
    let resolve = lender.resolve(borrower)
    XCTAssertEqual(borrower.resolve(lender).verdict, .instance)
    WaitForGraph.withLock { _ in resolve.wait.end(.retry) }
  }

  private func isDoomed(_ manual: ManualConstruction) -> Bool {
    WaitForGraph.withLock { _ in manual.construction.links.isDoomed }
  }

  // MARK: - Who is doomed

  func testAFailureDoomsThoseThatBorrowedDirectlyOrThroughOthers() throws {
    let (lender, borrower) = try beginPair()
    try borrower.expose(tracker.make())
    let (next, stranger) = (try begin("next"), try begin("stranger"))
    lend(borrower, to: next)
    lender.fail()
    XCTAssertTrue(isDoomed(borrower) && isDoomed(next))
    XCTAssertFalse(isDoomed(stranger))
    XCTAssertTrue(borrower.links.lenders.isEmpty && next.links.lenders.isEmpty)
  }

  func testAFailureDoomsNoLender() throws {
    let (lender, borrower) = try beginPair()
    borrower.fail()
    XCTAssertFalse(isDoomed(lender))
    XCTAssertTrue(try lender.finish())
  }

  func testAHeldBorrowerIsDroppedAtOnce() throws {
    let (lender, borrower) = try beginPair()
    try borrower.expose(tracker.make())
    XCTAssertFalse(try borrower.finish())
    let waiter = ManualResolve(of: borrower)
    lender.fail()
    XCTAssertTrue(borrower.construction.isFinished)
    XCTAssertFalse(borrower.isPublished)
    XCTAssertEqual(waiter.verdict, .retry)
  }

  func testARunningBorrowerIsDroppedAtItsEnd() throws {
    let (lender, borrower) = try beginPair()
    try borrower.expose(tracker.make())
    lender.fail()
    XCTAssertFalse(borrower.construction.isFinished)
    XCTAssertFalse(try borrower.finish(), "its caller retries")
    XCTAssertTrue(borrower.construction.isFinished)
    XCTAssertFalse(borrower.isPublished)
  }

  /// A thread that it did not wait for got `lender` for it when it had no work left. It stayed in
  /// the list of `lender` beyond its end, and the last reference to it went with the mutex held.
  func testAPublishedBorrowerIsInNoList() throws {
    let (lender, borrower) = try beginPair()
    UnpublishedInstance.publish([try borrower.returnInstance(tracker.make())])
    XCTAssertTrue(borrower.isPublished)
    XCTAssertTrue(lender.links.borrowers.isEmpty && borrower.links.lenders.isEmpty)
    lender.fail()
  }

  // MARK: - Resolves inside of a doomed one

  func testAWaitInsideOfADoomedConstructionEnds() throws {
    let (lender, borrower) = try beginPair()
    let inner = try borrower.inside { try begin("inner") }
    let other = try begin("other")
    let resolves = [inner.resolve(other), borrower.resolve(other)]
    let stranger = ManualResolve(of: other)
    lender.fail()
    XCTAssertEqual(resolves.map(\.verdict), [.abandoned, .abandoned])
    XCTAssertEqual(stranger.verdict, .waiting)
  }

  func testNoWaitBeginsInsideOfADoomedConstruction() throws {
    let (lender, borrower) = try beginPair()
    let inner = try borrower.inside { try begin("inner") }
    lender.fail()
    let other = try beginExposed("other")
    XCTAssertEqual(inner.resolve(other).verdict, .abandoned)
    XCTAssertEqual(borrower.resolve(other).verdict, .abandoned)
    XCTAssertEqual(other.resolve(borrower).verdict, .waiting, "from the outside")
  }

  /// Its instance refers to one that will never be complete: nobody else may get it.
  func testADoomedConstructionGivesNoEarlyReference() throws {
    let (lender, borrower) = try beginPair()
    try borrower.expose(tracker.make())
    lender.fail()
    let inner = try borrower.inside { try begin("inner") }
    XCTAssertEqual(inner.resolve(borrower).verdict, .abandoned)
    let state = borrower.record
    XCTAssertNil(
      inner.inside { WaitForGraph.earlyReference(from: .state(state), requestedBy: nil) })
    XCTAssertTrue(borrower.links.borrowers.isEmpty)
  }

  /// A resolve in there would begin what the doomed construction cannot use, and what it needs
  /// itself may fail.
  func testNoConstructionBeginsInsideOfADoomedOne() throws {
    let runs = AtomicCounter()
    try container.register(Int.self, scope: .singleton) { _ in runs.add() }
    let (lender, borrower) = try beginPair()
    let inner = try borrower.inside { try begin("inner") }
    lender.fail()
    for manual in [borrower, inner] {
      XCTAssertThrowsError(try manual.inside { try container.resolve(Int.self) }) { error in
        let cause = (error as? ResolutionError)?.underlyingError
        XCTAssertTrue(cause is AbandonedConstruction, "\(error)")
      }
      let resolver = manual.construction.resolver
      XCTAssertThrowsError(try resolver.resolve(Int.self), "from another thread")
    }
    XCTAssertEqual(runs.value, 0)
    XCTAssertEqual(try container.resolve(Int.self), 1, "on the outside")
  }

  func testADoomedConstructionFindsWhatIsBuiltAlready() throws {
    try container.register(Int.self, scope: .singleton) { _ in 7 }
    _ = try container.resolve(Int.self)
    let (lender, borrower) = try beginPair()
    lender.fail()
    XCTAssertEqual(try borrower.inside { try container.resolve(Int.self) }, 7)
  }

  // MARK: - Who retries

  /// Nothing that they have done is wrong: the caller of the doomed construction begins again, and
  /// with it all between that and the resolve.
  func testTheCallersOfTheDoomedConstructionAndOfThoseInsideRetry() throws {
    let outer = try begin("outer")
    let lender = try beginExposed("lender")
    let borrower = try outer.inside { try begin("borrower") }
    lend(lender, to: borrower)
    let inner = try borrower.inside { try begin("inner") }
    let innermost = try inner.inside { try begin("innermost") }
    let other = try begin("other")
    let resolve = innermost.resolve(other)
    lender.fail()
    XCTAssertEqual(resolve.verdict, .abandoned)
    XCTAssertNil(innermost.fail(AbandonedConstruction()))
    XCTAssertNil(inner.fail(AbandonedConstruction()))
    XCTAssertNil(borrower.fail(AbandonedConstruction()))
    XCTAssertNotNil(outer.fail(), "it is not a part of the doomed one")
  }

  func testTheSameHoldsForResolvesThatComeLater() throws {
    let (lender, borrower) = try beginPair()
    let inner = try borrower.inside { try begin("inner") }
    let other = try begin("other")
    lender.fail()
    XCTAssertEqual(inner.resolve(other).verdict, .abandoned)
    XCTAssertNil(inner.fail(AbandonedConstruction()))
    XCTAssertNil(borrower.fail(AbandonedConstruction()))
  }

  func testADoomedConstructionThatFailsByItselfDoesNotRetry() throws {
    let (lender, borrower) = try beginPair()
    lender.fail()
    XCTAssertNotNil(borrower.fail())
  }

  /// A retry would begin the failed one again, without end.
  func testTheCallerGetsTheErrorOfAConstructionThatBeganInside() throws {
    let borrower = try begin("borrower")
    let lender = try borrower.inside { try begin("lender", isAsynchronous: true) }
    try lender.expose(tracker.make())
    try lendThroughAThird(lender, to: borrower)
    lender.fail()
    XCTAssertEqual(borrower.resolve(try begin("other")).verdict, .abandoned)
    assertGets(borrower.fail(AbandonedConstruction()), errorOf: lender)
  }

  /// `s2` failed each time that `s0`, which had waited for it, had begun the next `s2`, and what
  /// `s0` had got early failed with the first. Both began again without end: found once in 45,500
  /// random graphs.
  func testTheCallerGetsTheErrorOfAStrangerWhenItHasRetriedTooOften() throws {
    var previous: ManualConstruction?
    for attempt in 0...Construction.retriesAtMost {
      let (lender, borrower) = try beginPair()
      if let previous { borrower.construction.follow(previous.construction) }
      lender.fail()
      XCTAssertEqual(borrower.resolve(try begin("other")).verdict, .abandoned)
      let error = borrower.fail(AbandonedConstruction())
      if attempt < Construction.retriesAtMost {
        XCTAssertNil(error)
      } else {
        assertGets(error, errorOf: lender)
      }
      previous = borrower
    }
  }

  /// The path began with the construction that had failed, and lacked those around it.
  func testThePathOfThatErrorLeadsThroughAllThatTheFailedConstructionBeganIn() throws {
    for isRunningOn in [false, true] {
      let borrower = try begin("borrower")
      let between = try borrower.inside { try begin("between") }
      let lender = try between.inside { try begin("lender", isAsynchronous: true) }
      try lender.expose(tracker.make())
      try lendThroughAThird(lender, to: borrower)
      between.fail()
      lender.fail()
      let path = [borrower, between, lender].map(\.key)
      if isRunningOn {
        try borrower.expose(tracker.make())
        XCTAssertThrowsError(try borrower.finish()) {
          XCTAssertEqual(($0 as? ResolutionError)?.path, path)
        }
      } else {
        XCTAssertEqual(borrower.resolve(try begin("other")).verdict, .abandoned)
        XCTAssertEqual(borrower.fail(AbandonedConstruction())?.path, path)
      }
    }
  }

  /// A postponed action fails inside of the construction that it had to wait for: the path lacked
  /// what is in between.
  func testThePathOfAPostponedActionThatFailsLeadsThroughThemToo() throws {
    try container.register(Int.self, scope: .singleton) { try $0.resolve(String.self).count }
    try container.register(String.self, scope: .singleton) { "\(try $0.resolve(Double.self))" }
    try container.register(Double.self, scope: .singleton) { _ in 1 }.afterInit { resolver, _ in
      _ = try resolver.resolve(Int.self)
      throw FixtureError("refused")
    }
    XCTAssertThrowsError(try container.resolve(Int.self)) { error in
      let products = (error as? ResolutionError)?.path.map { "\($0.product)" }
      XCTAssertEqual(products, ["Int", "String", "Double"])
    }
  }

  /// `inner`, which a thread with the resolver of `borrower` may build, had the error of `lender`
  /// for its own: a cycle that it is not on, in a random graph.
  func testWhatIsAPartOfTheDoomedConstructionDoesNotGetTheErrorOfAStranger() throws {
    let borrower = try begin("borrower")
    let lender = try borrower.inside { try begin("lender", isAsynchronous: true) }
    try lender.expose(tracker.make())
    try lendThroughAThird(lender, to: borrower)
    let inner = try begin("inner", requestedBy: borrower.construction)
    let resolve = inner.resolve(try begin("other"))
    lender.fail()
    XCTAssertEqual(resolve.verdict, .abandoned)
    let thrown = inner.fail(AbandonedConstruction())
    XCTAssertEqual(thrown?.path, [inner.key])
    XCTAssertTrue(thrown?.underlyingError is AbandonedConstruction, "\(thrown as Any)")
    assertGets(borrower.fail(AbandonedConstruction()), errorOf: lender)
  }

  /// `borrower` waits for `lender`, that for a third one, and the third for `borrower`.
  private func lendThroughAThird(
    _ lender: ManualConstruction, to borrower: ManualConstruction
  ) throws {
    let third = try begin(Name("third for \(lender.key)"))
    XCTAssertEqual(lender.resolve(third).verdict, .waiting)
    let resolve = borrower.resolve(lender)
    XCTAssertEqual(resolve.verdict, .waiting)
    XCTAssertEqual(third.resolve(borrower).verdict, .waiting)
    XCTAssertEqual(resolve.verdict, .instance)
    XCTAssertTrue(borrower.links.lenders.contains { $0 === lender.construction })
  }

  private func assertGets(
    _ thrown: ResolutionError?, errorOf failed: ManualConstruction, line: UInt = #line
  ) {
    XCTAssertEqual(thrown?.key, failed.key, line: line)
    XCTAssertTrue(thrown?.underlyingError is FixtureError, "\(thrown as Any)", line: line)
  }

  // MARK: - A failure that follows from another one

  /// `inner` is nested in `borrower`, whose task began in `outer`; and `outer` has an early
  /// reference to `inner`. `lender`, which `borrower` has an early reference to, fails. `inner`
  /// gave up because of that, and its error became that of `outer`: a caller that could have begun
  /// again was told that the construction was abandoned.
  func testAConstructionThatGivesUpIsNotTheCauseOfAFailure() throws {
    let outer = try begin("outer")
    let lender = try beginExposed("lender")
    let borrower = try outer.inside { try begin("borrower", isAsynchronous: true) }
    lend(lender, to: borrower)
    let inner = try beginInner(of: borrower, lentTo: outer)
    lender.fail()
    try failInside(outer, borrower, inner)
    XCTAssertNil(outer.fail(AbandonedConstruction()))
  }

  /// The same where `lender` has begun inside of all of them: it would begin again with `outer`.
  func testTheCauseOfAFailureIsTheConstructionThatWasTheFirstToFail() throws {
    let outer = try begin("outer")
    let borrower = try outer.inside { try begin("borrower", isAsynchronous: true) }
    let lender = try borrower.inside { try begin("lender", isAsynchronous: true) }
    try lender.expose(tracker.make())
    try lendThroughAThird(lender, to: borrower)
    let inner = try beginInner(of: borrower, lentTo: outer)
    lender.fail()
    try failInside(outer, borrower, inner)
    assertGets(outer.fail(AbandonedConstruction()), errorOf: lender)
  }

  private func beginInner(
    of borrower: ManualConstruction, lentTo outer: ManualConstruction
  ) throws -> ManualConstruction {
    let inner = try borrower.inside { try begin("inner") }
    try inner.expose(tracker.make())
    try lendThroughAThird(inner, to: outer)
    return inner
  }

  /// The resolve in `inner` has ended, and its error passes through all of them.
  private func failInside(
    _ outer: ManualConstruction, _ borrower: ManualConstruction, _ inner: ManualConstruction
  ) throws {
    inner.fail(AbandonedConstruction())
    borrower.fail(AbandonedConstruction())
    XCTAssertTrue(isDoomed(outer))
    XCTAssertEqual(outer.resolve(try begin("other")).verdict, .abandoned)
  }
}
