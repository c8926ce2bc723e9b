// SPDX-License-Identifier: MIT

import TestSupport
import XCTest

@testable import Corinth

/// The state of a scope, whose table is made by the thread that makes the subject.
private final class Subject: Sendable {
  private let table = SlotTable(fingerprintBits: 64, isScopeFork: true)
  var state: ClosingState { table.closingState }

  /// Asks for admission to the cells, as a resolve does.
  func admit() -> Bool {
    let section = Section.enter()
    defer { section.leave() }
    return table.cells?.admit(section) ?? false
  }
}

/// With a reference of the state's own, as for one that the caller keeps.
private func claim(_ subject: Subject, _ closing: AnyObject) -> Bool {
  let reference = unsafe Unmanaged.passRetained(closing)
  if unsafe subject.state.claim(reference) { return true }
  unsafe reference.release()
  return false
}

@discardableResult
private func end(_ subject: Subject, _ closing: AnyObject) -> Bool {
  defer { unsafe Unmanaged.passUnretained(closing).release() }
  return subject.state.finish()
}

final class ClosingStateTests: XCTestCase {
  private let subject = Subject()
  private let tracker = LifetimeTracker()

  private func phase(_ subject: Subject) -> String {
    if subject.state.joinAssumingWaitsLockHeld(AnyObject.self) != nil { return "closing" }
    return subject.state.isOpen ? "open" : subject.state.isClosed ? "closed" : "sealed"
  }

  func testAStateIsOpenUntilItIsSealed() {
    XCTAssertTrue(subject.state.isOpen)
    XCTAssertEqual(phase(subject), "open")
    XCTAssertTrue(subject.state.seal())
    XCTAssertFalse(subject.state.isOpen)
    XCTAssertEqual(phase(subject), "sealed")
    XCTAssertFalse(subject.state.seal(), "the call before has")
  }

  func testOnlyASealedStateIsClaimedAndOnlyOnce() {
    let closing = Mark()
    XCTAssertFalse(claim(subject, closing))
    _ = subject.state.seal()
    XCTAssertTrue(claim(subject, closing))
    XCTAssertFalse(claim(subject, Mark()))
    XCTAssertFalse(subject.state.seal(), "the call before has")
    end(subject, closing)
    XCTAssertFalse(claim(subject, Mark()))
    XCTAssertFalse(subject.state.seal())
    XCTAssertEqual(phase(subject), "closed")
  }

  func testASealedStateEndsWithoutAClosingOnlyOnce() {
    XCTAssertFalse(subject.state.end(), "it is open")
    _ = subject.state.seal()
    XCTAssertTrue(subject.state.end())
    XCTAssertFalse(subject.state.end())
    XCTAssertFalse(claim(subject, Mark()))
    XCTAssertEqual(phase(subject), "closed")
  }

  func testAClaimedStateDoesNotEndWithoutItsClosing() {
    let closing = Mark()
    _ = subject.state.seal()
    XCTAssertTrue(claim(subject, closing))
    XCTAssertFalse(subject.state.end())
    XCTAssertEqual(phase(subject), "closing")
    end(subject, closing)
  }

  func testAFinishedClosingKnowsWhetherSomebodyHasJoinedIt() {
    for isJoined in [false, true] {
      let subject = Subject()
      let closing = Mark()
      _ = subject.state.seal()
      XCTAssertTrue(claim(subject, closing))
      if isJoined {
        for _ in 0..<2 {
          guard let found = subject.state.joinAssumingWaitsLockHeld(AnyObject.self) else {
            return XCTFail("it is closing")
          }
          XCTAssertTrue(found === closing)
        }
      }
      XCTAssertEqual(end(subject, closing), isJoined)
    }
  }

  func testAStateKeepsItsClosingAndNoOther() {
    weak var kept: Tracked?
    _ = subject.state.seal()
    do {
      let closing = tracker.make()
      kept = closing
      XCTAssertTrue(claim(subject, closing))
      XCTAssertFalse(claim(subject, tracker.make()))
    }
    XCTAssertEqual(tracker.alive, 1)
    if let closing = kept {
      end(subject, closing)
    }
    XCTAssertEqual(tracker.left, 0)
  }

  func testAStateWithOneUserIsClosedInOneStep() {
    XCTAssertTrue(subject.admit(), "by the first user")
    XCTAssertTrue(subject.state.closeAlone())
    XCTAssertEqual(phase(subject), "closed")
    XCTAssertFalse(subject.state.seal())
    XCTAssertFalse(claim(subject, Mark()))
    XCTAssertFalse(subject.state.closeAlone())
    subject.state.reopenForClosers()
    XCTAssertEqual(phase(subject), "sealed")
  }

  /// A second closer sealed the cells meanwhile. An old look at a cell, which the only user had let
  /// go of since, then sealed a free cell, in which the next scope with these cells built nothing.
  func testAStateClosedByItsOnlyUserTellsOtherClosersToLeaveTheCellsAlone() {
    let closing = Mark()
    XCTAssertTrue(subject.admit(), "by the first user")
    XCTAssertTrue(unsafe subject.state.claimAlone(.passRetained(closing)))
    XCTAssertFalse(subject.state.seal())
    XCTAssertTrue(subject.state.isAlone)
    subject.state.admitUsers()
    XCTAssertFalse(subject.state.isAlone)
    end(subject, closing)
    XCTAssertFalse(subject.state.isAlone)
  }

  /// The end of a closing let users in again. A thread that had found a free cell before built
  /// there: nobody disposed of the instance.
  func testAStateClosedByItsOnlyUserAdmitsNobodyAfterItsClosing() throws {
    let subject = subject
    let closing = Mark()
    XCTAssertTrue(unsafe subject.state.claimAlone(.passRetained(closing)))
    XCTAssertEqual(try onThreads(1) { _ in subject.admit() }, [false])
    end(subject, closing)
    XCTAssertEqual(phase(subject), "closed")
    XCTAssertEqual(try onThreads(1) { _ in subject.admit() }, [false])
  }

  func testASecondUserKeepsTheStateFromBeingClosedInOneStep() throws {
    let subject = subject
    XCTAssertEqual(try onThreads(1) { _ in subject.admit() }, [true])
    XCTAssertEqual(phase(subject), "open")
    XCTAssertFalse(subject.state.closeAlone())
    XCTAssertTrue(subject.state.seal())
    XCTAssertEqual(try onThreads(1) { _ in subject.admit() }, [true], "the closing heeds it")
  }

  func testOfASecondUserAndALoneCloserOneComesFirst() throws {
    let subjects = (0..<StressSize.scaled(1000)).map { _ in Subject() }
    let wins = try race(for: subjects) { subject, index in
      index == 0 ? subject.state.closeAlone() : subject.admit()
    }
    XCTAssertEqual(wins.count { $0[0] == $0[1] }, 0)
    XCTAssertEqual(wins.count { $0[0] } + subjects.count { $0.state.isOpen }, subjects.count)
  }

  func testOfTwoThreadsOneClaimsASealedState() throws {
    let subjects = (0..<StressSize.scaled(1000)).map { _ in Subject() }
    let claims = try race(for: subjects) { subject, _ -> Mark? in
      let closing = Mark()
      _ = subject.state.seal()
      return claim(subject, closing) ? closing : nil
    }
    XCTAssertEqual(claims.count { ($0[0] == nil) == ($0[1] == nil) }, 0)
    for (subject, claim) in zip(subjects, claims) {
      for closing in claim.compactMap(\.self) {
        end(subject, closing)
      }
    }
  }
}
