// SPDX-License-Identifier: MIT

import TestSupport
import XCTest

@testable import Corinth

final class InstanceStateTests: XCTestCase {
  private let state = InstanceState()
  private let tracker = LifetimeTracker()

  /// A box that holds an instance which the tracker counts.
  private func box() -> AnyInstanceBox { InstanceBox(tracker.make()) }

  /// The box of a state that has one.
  private func built(_ state: InstanceState) -> AnyObject? {
    guard case .built(let box) = state.current else { return nil }
    // SAFETY: the state keeps it for as long as the test does.
    return unsafe box.takeUnretainedValue()
  }

  private func isEmpty(_ state: InstanceState) -> Bool {
    if case .empty = state.current { true } else { false }
  }

  private func isBuilding(_ state: InstanceState) -> Bool {
    if case .building = state.current { true } else { false }
  }

  private func isSealed(_ state: InstanceState) -> Bool {
    if case .sealed = state.current { true } else { false }
  }

  func testAStateIsEmptyAtFirst() {
    XCTAssertTrue(isEmpty(state))
  }

  func testAClaimedStateIsBeingBuilt() {
    let construction = Construction.resolution()
    XCTAssertTrue(unsafe state.claim(construction, replacing: nil))
    XCTAssertTrue(isBuilding(state))
    state.finish(construction, with: nil)
  }

  func testOnlyOneOfTwoClaimsSucceeds() {
    let first = Construction.resolution()
    let second = Construction.resolution()
    XCTAssertTrue(unsafe state.claim(first, replacing: nil))
    XCTAssertFalse(unsafe state.claim(second, replacing: nil))
    XCTAssertTrue(isBuilding(state))
    state.finish(first, with: nil)
    XCTAssertTrue(first.isFinished)
    XCTAssertFalse(second.isFinished)
  }

  func testAFinishedConstructionLeavesItsInstance() {
    let construction = Construction.resolution()
    let box = box()
    XCTAssertTrue(unsafe state.claim(construction, replacing: nil))
    state.finish(construction, with: box)
    XCTAssert(built(state) === box)
    XCTAssertTrue(construction.isFinished)
    XCTAssertFalse(unsafe state.claim(Construction.resolution(), replacing: nil))
  }

  func testAConstructionThatLeavesNothingIsFollowedByAnother() {
    for _ in 0..<3 {
      let construction = Construction.resolution()
      XCTAssertTrue(unsafe state.claim(construction, replacing: nil))
      state.finish(construction, with: nil)
      XCTAssertTrue(isEmpty(state))
    }
  }

  func testAClaimedStateKeepsItsConstruction() {
    weak var held: Construction?
    do {
      let construction = Construction.resolution()
      held = construction
      XCTAssertTrue(unsafe state.claim(construction, replacing: nil))
    }
    XCTAssertNotNil(held)
    if let construction = held { state.finish(construction, with: nil) }
    XCTAssertNil(held)
  }

  func testAFailedClaimKeepsNothing() {
    let first = Construction.resolution()
    XCTAssertTrue(unsafe state.claim(first, replacing: nil))
    weak var held: Construction?
    do {
      let second = Construction.resolution()
      held = second
      XCTAssertFalse(unsafe state.claim(second, replacing: nil))
    }
    XCTAssertNil(held)
    state.finish(first, with: nil)
  }

  func testAStateReleasesItsInstanceWhenItGoesAway() {
    do {
      let state = InstanceState()
      let construction = Construction.resolution()
      XCTAssertTrue(unsafe state.claim(construction, replacing: nil))
      state.finish(construction, with: box())
      XCTAssertEqual(tracker.alive, 1)
    }
    XCTAssertEqual(tracker.alive, 0)
  }

  // MARK: - Replacement

  func testADeadBoxIsClaimedOnceAndIsThenTheClaimants() throws {
    let first = Construction.resolution()
    let dead = box()
    XCTAssertTrue(unsafe state.claim(first, replacing: nil))
    state.finish(first, with: dead)

    let other = Construction.resolution()
    XCTAssertFalse(unsafe state.claim(other, replacing: Unmanaged.passUnretained(other)))
    let second = Construction.resolution()
    XCTAssertTrue(unsafe state.claim(second, replacing: Unmanaged.passUnretained(dead)))
    XCTAssertFalse(unsafe state.claim(other, replacing: Unmanaged.passUnretained(dead)))
    XCTAssertTrue(isBuilding(state))
    // The reference that the state had.
    unsafe Unmanaged.passUnretained(dead).release()
    let newer = box()
    state.finish(second, with: newer)
    XCTAssert(built(state) === newer)
  }

  func testANewerBoxTakesThePlaceOfTheOlderOne() {
    let construction = Construction.resolution()
    let older = box()
    XCTAssertTrue(unsafe state.claim(construction, replacing: nil))
    state.finish(construction, with: older)
    let newer = box()
    state.replace(older, with: newer)
    XCTAssert(built(state) === newer)
    // The reference that the state had.
    unsafe Unmanaged.passUnretained(older).release()
  }

  // MARK: - Sealing

  func testASealedStateIsNotClaimed() {
    XCTAssertTrue(state.seal())
    XCTAssertTrue(isSealed(state))
    XCTAssertFalse(unsafe state.claim(Construction.resolution(), replacing: nil))
    XCTAssertTrue(state.seal())
  }

  func testAnInstanceThatIsThereStaysInASealedState() {
    let construction = Construction.resolution()
    let box = box()
    XCTAssertTrue(unsafe state.claim(construction, replacing: nil))
    state.finish(construction, with: box)
    XCTAssertTrue(state.seal())
    XCTAssert(built(state) === box)
  }

  func testAStateIsSealedOnceNothingIsBeingBuilt() {
    let construction = Construction.resolution()
    XCTAssertTrue(unsafe state.claim(construction, replacing: nil))
    XCTAssertFalse(state.seal(), "an instance is being built")
    XCTAssertTrue(isBuilding(state))
    state.finish(construction, with: nil)
    XCTAssertTrue(state.seal())
    XCTAssertTrue(isSealed(state))
  }

  // MARK: - Threads

  func testOfTwoThreadsOneClaimsAState() throws {
    let states = (0..<StressSize.scaled(5000)).map { _ in InstanceState() }
    let claims = try race(for: states) { state, _ in
      let construction = Construction.resolution()
      let isClaimed = unsafe state.claim(construction, replacing: nil)
      return isClaimed ? construction : nil
    }
    XCTAssertEqual(claims.count { ($0[0] == nil) == ($0[1] == nil) }, 0)
    for (state, claim) in zip(states, claims) {
      for construction in claim { construction.map { state.finish($0, with: nil) } }
    }
  }

  /// Once a state is sealed there is an instance, or there will never be one.
  func testASealedStateDoesNotChange() throws {
    let states = (0..<StressSize.scaled(5000)).map { _ in InstanceState() }
    let haveChanged = try race(for: states) { [tracker] state, thread -> Bool in
      if thread == 1 {
        let construction = Construction.resolution()
        if unsafe state.claim(construction, replacing: nil) {
          let fails = construction.number % 2 == 0
          state.finish(construction, with: fails ? nil : InstanceBox(tracker.make()))
        }
        return false
      }
      func hasInstance() -> Bool {
        if case .built = state.current { true } else { false }
      }
      while !state.seal() {}
      let had = hasInstance()
      return (0..<100).contains { _ in hasInstance() != had }
    }
    XCTAssertEqual(haveChanged.count { $0[0] }, 0)
  }
}
