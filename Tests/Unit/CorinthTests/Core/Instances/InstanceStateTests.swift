// SPDX-License-Identifier: MIT

import TestSupport
import XCTest

@testable import Corinth

final class InstanceStateTests: XCTestCase {
  private let state = InstanceState()
  private let tracker = LifetimeTracker()

  /// A box that holds an instance which the tracker counts.
  private func box() -> AnyInstanceBox { InstanceBox(tracker.make()) }

  func testAStateIsEmptyAtFirst() {
    XCTAssertTrue(state.load().isEmpty)
  }

  func testAClaimedStateIsBeingBuilt() {
    let owner = Mark()
    XCTAssertTrue(state.isClaimed(by: owner))
    XCTAssertTrue(state.isBuilding)
    state.end(owner, with: nil)
  }

  func testOnlyOneOfTwoClaimsSucceeds() {
    let first = Mark()
    XCTAssertTrue(state.isClaimed(by: first))
    XCTAssertFalse(state.isClaimed(by: Mark()))
    XCTAssertTrue(state.isBuilding)
    state.end(first, with: nil)
  }

  func testAConstructionLeavesItsInstance() {
    let owner = Mark()
    let box = box()
    XCTAssertTrue(state.isClaimed(by: owner))
    state.end(owner, with: box)
    XCTAssert(state.built === box)
    XCTAssertFalse(state.isClaimed(by: Mark()))
  }

  func testAConstructionThatLeavesNothingIsFollowedByAnother() {
    for _ in 0..<3 {
      let owner = Mark()
      XCTAssertTrue(state.isClaimed(by: owner))
      state.end(owner, with: nil)
      XCTAssertTrue(state.load().isEmpty)
    }
  }

  func testAClaimedStateKeepsItsOwner() {
    weak var held: Tracked?
    do {
      let owner = tracker.make()
      held = owner
      XCTAssertTrue(state.isClaimed(by: owner))
    }
    XCTAssertEqual(tracker.alive, 1)
    if let owner = held { state.end(owner, with: nil) }
    XCTAssertEqual(tracker.left, 0)
  }

  func testAFailedClaimKeepsNothing() {
    let owner = Mark()
    XCTAssertTrue(state.isClaimed(by: owner))
    XCTAssertFalse(state.isClaimed(by: tracker.make()))
    XCTAssertEqual(tracker.left, 0)
    state.end(owner, with: nil)
  }

  func testAStateReleasesItsInstanceWhenItGoesAway() {
    do {
      let state = InstanceState()
      let owner = Mark()
      XCTAssertTrue(state.isClaimed(by: owner))
      state.end(owner, with: box())
      XCTAssertEqual(tracker.alive, 1)
    }
    XCTAssertEqual(tracker.left, 0)
  }

  // MARK: - Waiting

  func testOnlyAStateThatIsBeingBuiltIsJoined() {
    XCTAssertNil(state.joinAssumingWaitsLockHeld(AnyObject.self))
    let owner = Mark()
    XCTAssertTrue(state.isClaimed(by: owner))
    XCTAssert(state.joinAssumingWaitsLockHeld(AnyObject.self) === owner)
    XCTAssert(state.joinAssumingWaitsLockHeld(AnyObject.self) === owner)
    XCTAssertTrue(state.isBuilding)
    XCTAssertTrue(state.exchange(with: box()).isContended, "a resolve has joined it")
    unsafe Unmanaged.passUnretained(owner).release()
    XCTAssertNil(state.joinAssumingWaitsLockHeld(AnyObject.self))
  }

  func testAConstructionThatNobodyJoinedIsNotContended() {
    let owner = Mark()
    XCTAssertTrue(state.isClaimed(by: owner))
    XCTAssertFalse(state.exchange(with: nil).isContended)
    unsafe Unmanaged.passUnretained(owner).release()
  }

  func testAnAbandonedStateIsBuiltAnew() {
    let lost = Mark()
    XCTAssertTrue(state.isClaimed(by: lost))
    state.abandonAssumingWaitsLockHeld()
    // The reference that the state had.
    unsafe Unmanaged.passUnretained(lost).release()
    XCTAssertTrue(state.load().isEmpty)
    let owner = Mark()
    XCTAssertTrue(state.isClaimed(by: owner))
    state.end(owner, with: nil)
  }

  // MARK: - Replacement

  func testAnOutdatedBoxIsClaimedOnceAndIsThenTheClaimants() throws {
    let dead = box()
    let first = Mark()
    XCTAssertTrue(state.isClaimed(by: first))
    state.end(first, with: dead)

    XCTAssertFalse(state.isClaimed(by: Mark(), replacing: box()), "of another box")
    let second = Mark()
    XCTAssertTrue(state.isClaimed(by: second, replacing: dead))
    XCTAssertFalse(state.isClaimed(by: Mark(), replacing: dead))
    XCTAssertTrue(state.isBuilding)
    // The reference that the state had.
    unsafe Unmanaged.passUnretained(dead).release()
    let newer = box()
    state.end(second, with: newer)
    XCTAssert(state.built === newer)
  }

  func testANewerBoxTakesThePlaceOfTheOlderOneOnce() {
    let owner = Mark()
    let older = box()
    XCTAssertTrue(state.isClaimed(by: owner))
    state.end(owner, with: older)
    let newer = box()
    let former = state.load()
    XCTAssertTrue(state.replace(former, with: newer))
    XCTAssertFalse(state.replace(former, with: box()), "another refresh has come first")
    XCTAssert(state.built === newer)
    XCTAssertEqual(tracker.alive, 2)
  }

  // MARK: - Sealing

  func testASealedStateIsNotClaimed() {
    XCTAssertTrue(state.seal())
    XCTAssertTrue(state.isSealed)
    XCTAssertFalse(state.isClaimed(by: Mark()))
    XCTAssertTrue(state.seal())
    XCTAssertNil(state.joinAssumingWaitsLockHeld(AnyObject.self))
  }

  func testAnInstanceThatIsThereStaysInASealedState() {
    let owner = Mark()
    let box = box()
    XCTAssertTrue(state.isClaimed(by: owner))
    state.end(owner, with: box)
    XCTAssertTrue(state.seal())
    XCTAssert(state.built === box)
  }

  func testAStateIsSealedOnceNothingIsBeingBuilt() {
    let owner = Mark()
    XCTAssertTrue(state.isClaimed(by: owner))
    XCTAssertFalse(state.seal(), "an instance is being built")
    XCTAssertTrue(state.isBuilding)
    state.end(owner, with: nil)
    XCTAssertTrue(state.seal())
    XCTAssertTrue(state.isSealed)
  }

  // MARK: - Threads

  func testOfTwoThreadsOneClaimsAState() throws {
    let states = (0..<StressSize.scaled(2000)).map { _ in InstanceState() }
    let claims = try race(for: states) { state, _ -> Mark? in
      let owner = Mark()
      return state.isClaimed(by: owner) ? owner : nil
    }
    XCTAssertEqual(claims.count { ($0[0] == nil) == ($0[1] == nil) }, 0)
    for (state, claim) in zip(states, claims) {
      for owner in claim { owner.map { state.end($0, with: nil) } }
    }
  }

  /// Once a state is sealed there is an instance, or there will never be one.
  func testASealedStateDoesNotChange() throws {
    let states = (0..<StressSize.scaled(2000)).map { (number: $0, state: InstanceState()) }
    let haveChanged = try race(for: states) { [tracker] subject, thread -> Bool in
      let state = subject.state
      if thread == 1 {
        let owner = Mark()
        if state.isClaimed(by: owner) {
          state.end(owner, with: subject.number % 2 == 0 ? nil : InstanceBox(tracker.make()))
        }
        return false
      }
      while !state.seal() {}
      let had = state.built != nil
      return (0..<100).contains { _ in (state.built != nil) != had }
    }
    XCTAssertEqual(haveChanged.count { $0[0] }, 0)
  }
}

extension InstanceState {
  fileprivate func isClaimed(by owner: AnyObject, replacing box: AnyObject? = nil) -> Bool {
    let reference = unsafe Unmanaged.passRetained(owner)
    let former = box.map { unsafe PlaceWord(.passUnretained($0), isInstance: false) }
    let isClaimed = unsafe claim(reference, replacing: former ?? .empty)
    if !isClaimed { unsafe reference.release() }
    return isClaimed
  }

  /// Ends the construction of an owner that has claimed the state.
  fileprivate func end(_ owner: AnyObject, with box: AnyObject?) {
    _ = exchange(with: box)
    unsafe Unmanaged.passUnretained(owner).release()
  }

  /// The box of a state that has one.
  fileprivate var built: AnyObject? {
    // SAFETY: no test replaces it meanwhile.
    unsafe load().builtContent(as: AnyObject.self)?.takeUnretainedValue()
  }
}
