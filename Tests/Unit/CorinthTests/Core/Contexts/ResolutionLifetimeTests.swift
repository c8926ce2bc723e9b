// SPDX-License-Identifier: MIT

import TestSupport
import XCTest

@testable import Corinth

/// How long a resolution, its number and its graph instances last.
final class ResolutionLifetimeTests: ManualTestCase {
  private let asked = Container()
  private let key = RegistrationKey(Tracked.self)

  /// Has the resolution keep an instance.
  private func keepInstance(in root: ResolutionContext) {
    XCTAssertTrue(root.publish(InstanceBox(tracker.make()), as: key, in: asked.registry))
  }

  // MARK: - Roots and numbers

  func testAResolutionBeginsWithAContextThatNobodyAskedFor() {
    let root = ResolutionContext(requestedBy: nil)
    let middle = ResolutionContext(requestedBy: root)
    let inner = ResolutionContext(requestedBy: middle)
    XCTAssert(root.root === root)
    XCTAssertTrue(middle.root === root && inner.root === root)
  }

  /// What the thread runs meanwhile is another resolution.
  func testAnEnclosingContextIsNotTheRoot() {
    let outer = ResolutionContext(requestedBy: nil)
    let inner = outer.whileRunning { ResolutionContext(requestedBy: nil) }
    XCTAssertTrue(inner.enclosing === outer && inner.root === inner)
  }

  func testJoinsAndResumptionsAreOfTheResolutionThatIsRequesting() {
    let (thread, root) = (
      ResolutionContext(requestedBy: nil), ResolutionContext(requestedBy: nil)
    )
    XCTAssertTrue(RoleContext(.join, enclosedBy: thread, requestedBy: root).root === root)
    XCTAssertTrue(RoleContext(.resumption, enclosedBy: thread, requestedBy: root).root === root)
  }

  func testAContextThatOutlivesItsResolutionIsARootOfItsOwn() {
    let root = ResolutionContext(requestedBy: nil)
    let inner = ResolutionContext(requestedBy: root)
    root.finish()
    XCTAssertTrue(inner.root === inner)
  }

  func testTheNumberOfAResolutionStaysAndIsNoOther() {
    let (one, other) = (ResolutionContext(requestedBy: nil), ResolutionContext(requestedBy: nil))
    let number = one.number
    XCTAssertNotEqual(number, other.number)
    XCTAssertEqual(one.number, number)
    one.finish()
    XCTAssertEqual(one.number, number, "also after its end")
    let assigned = ResolutionContext(requestedBy: nil)
    assigned.assign(number: number)
    XCTAssertEqual(assigned.number, number)
  }

  func testThreadsThatAskForANumberTogetherGetTheSame() throws {
    let contexts = (0..<StressSize.scaled(500)).map { _ in ResolutionContext(requestedBy: nil) }
    let numbers = try race(for: contexts) { context, _ in context.number }
    XCTAssertTrue(numbers.allSatisfy { $0[0] == $0[1] })
    XCTAssertEqual(Set(numbers.map { $0[0] }).count, contexts.count)
  }

  // MARK: - Graph instances

  func testGraphInstancesAreReleasedAtTheEndOfTheResolution() throws {
    let root = ResolutionContext(requestedBy: nil)
    keepInstance(in: root)
    root.storeFinished()
    XCTAssertEqual(tracker.alive, 1, "the end has only been announced")
    root.closeGraph()
    XCTAssertEqual(tracker.left, 0)
    XCTAssertFalse(root.publish(InstanceBox(tracker.make()), as: key, in: asked.registry))
    XCTAssertNil(root.published(key, in: asked.registry))
    XCTAssertEqual(tracker.left, 0)
  }

  func testRetainedGraphInstancesOutliveTheResolution() throws {
    let root = ResolutionContext(requestedBy: nil)
    let inner = ResolutionContext(requestedBy: root)
    keepInstance(in: root)
    XCTAssertTrue(root.retainGraph())
    XCTAssertTrue(root.retainGraph())
    root.finish()
    XCTAssertEqual(tracker.alive, 1)
    XCTAssertTrue(inner.root === root, "a postponed action finds them")
    root.closeGraph()
    XCTAssertEqual(tracker.alive, 1)
    root.closeGraph()
    XCTAssertEqual(tracker.left, 0)
    XCTAssertTrue(inner.root === inner)
  }

  func testGraphInstancesThatAreReleasedAreNotRetained() {
    let root = ResolutionContext(requestedBy: nil)
    root.finish()
    XCTAssertFalse(root.retainGraph())
    XCTAssertFalse(root.retainGraph())
  }

  func testOfTwoThreadsTheLastUserReleasesTheGraphInstances() throws {
    let roots = (0..<StressSize.scaled(500)).map { _ in ResolutionContext(requestedBy: nil) }
    for root in roots { keepInstance(in: root) }
    let retained = try race(for: roots) { [asked, key] root, thread in
      if thread == 0 {
        root.finish()
        return false
      }
      guard root.retainGraph() else { return false }
      let isOpen = root.published(key, in: asked.registry) != nil
      root.closeGraph()
      return !isOpen
    }
    XCTAssertEqual(retained.count { $0[1] }, 0, "they were gone in spite of that")
    XCTAssertEqual(tracker.left, 0)
  }

  func testAPostponedConstructionRetainsTheInstancesOfItsResolution() throws {
    let root = ResolutionContext(requestedBy: nil)
    keepInstance(in: root)
    let manual = try begin("a", requestedBy: root)
    let instance = try manual.returnInstance(tracker.make())
    for _ in 0..<2 { instance.retainResolution() }
    root.finish()
    XCTAssertEqual(tracker.alive, 2)
    WaitForGraph.expose(instance)
    XCTAssertTrue(try manual.finish())
    XCTAssertEqual(tracker.alive, 1, "what is left is the singleton")
  }

  /// It would never end.
  func testAConstructionWithWhichItsResolutionBeginsDoesNotRetainThat() throws {
    let manual = try begin("a")
    keepInstance(in: manual.construction)
    let instance = try manual.returnInstance(tracker.make())
    instance.retainResolution()
    WaitForGraph.expose(instance)
    XCTAssertTrue(try manual.finish())
    XCTAssertEqual(tracker.alive, 1, "what is left is the singleton")
  }

  // MARK: - Contexts

  func testContextsAreReleasedWithTheInnermostOne() {
    weak var outer: ResolutionContext?
    weak var requester: ResolutionContext?
    do {
      let thread = ResolutionContext(requestedBy: nil)
      let other = ResolutionContext(requestedBy: nil)
      let inner = thread.whileRunning { ResolutionContext(requestedBy: other) }
      (outer, requester) = (thread, other)
      XCTAssertTrue(inner.enclosing === thread && inner.requesting === other)
    }
    XCTAssertNil(outer)
    XCTAssertNil(requester)
  }

  func testAnEntryToAContextDoesNotKeepIt() {
    weak var left: ResolutionContext?
    do {
      let context = ResolutionContext(requestedBy: nil)
      left = context
      context.whileRunning {}
    }
    XCTAssertNil(left)
  }
}
