// SPDX-License-Identifier: MIT

import Corinth
import Foundation
import TestSupport
import XCTest

private final class Owner: @unchecked Sendable {
  // SAFETY: the storage of the property is safe to use from any thread.
  @Injected var tracked: Tracked
  @InjectedWeakly var weak: Motor?
  @Injected var own: String

  init(_ container: Container) {
    _tracked = Injected(from: .container(container))
    _weak = InjectedWeakly(from: .container(container))
    _own = Injected(from: .container(container))
  }

  func resolveTracked() throws -> Tracked { try $tracked() }
  func resolveOwn() throws -> String { try $own() }
}

final class InjectedThreadsTests: ContainerTestCase {
  func testOfEightThreadsThatUseAPropertyFirstOneResolvesIt() throws {
    let tracker = LifetimeTracker()
    for round in 1...50 {
      let container = Container()
      try container.register(Tracked.self) { _ in
        Thread.sleep(forTimeInterval: 0.0001)
        return tracker.make()
      }
      let owner = Owner(container)
      let serials = try onThreads(8) { _ in owner.tracked.serial }
      XCTAssertEqual(Set(serials), [round])
    }
    settleReclamation()
    XCTAssertEqual(tracker.created, 50)
    XCTAssertEqual(tracker.alive, 0)
  }

  func testAfterAFailureAnotherThreadTries() throws {
    for _ in 0..<50 {
      let container = Container()
      let tracker = LifetimeTracker()
      let attempts = AtomicCounter()
      try container.register(Tracked.self) { _ in
        if attempts.add() <= 3 { throw FixtureError("not yet") }
        return tracker.make()
      }
      let owner = Owner(container)
      let results = try onThreads(8) { _ in try? owner.resolveTracked().serial }
      XCTAssertEqual(results.count { $0 == nil }, 3)
      XCTAssertEqual(tracker.created, 1)
    }
  }

  func testEightThreadsGetOneWeakObject() throws {
    for _ in 0..<50 {
      let container = Container()
      try container.register(Motor.self) { _ in Motor() }
      let owner = Owner(container)
      let keeper = owner.weak
      let found = try onThreads(8) { _ in owner.weak.map { ObjectIdentifier($0) } }
      XCTAssertEqual(Set(found), [keeper.map { ObjectIdentifier($0) }])
    }
  }

  func testAPropertyThatItsOwnFactoryUsesIsAnErrorThatNamesIt() throws {
    let container = container
    let owner = Owner(container)
    try container.register(String.self) { [unowned owner] _ in try owner.resolveOwn() }
    XCTAssertThrowsError(try owner.resolveOwn()) { error in
      XCTAssertEqual((error as? ResolutionError)?.context.property, "Owner.own")
      XCTAssertTrue("\(error)".contains("Circular dependency"), "\(error)")
    }
  }

  func testPropertiesThatNeedEachOtherOnTwoThreadsAreAnErrorAndNoHang() throws {
    let container = container
    let meeting = Barrier(2)
    let visits = AtomicCounter()
    // A caller that has waited for the other's failure builds that one's value itself, alone.
    @Sendable func meet() { if visits.add() <= 2 { meeting.wait() } }
    final class Pair: @unchecked Sendable {
      // SAFETY: as above.
      @Injected var first: Int
      @Injected var second: String
      init(_ container: Container) {
        _first = Injected(from: .container(container))
        _second = Injected(from: .container(container))
      }
      func resolveFirst() throws -> Int { try $first() }
      func resolveSecond() throws -> String { try $second() }
    }
    let pair = Pair(container)
    try container.register(Int.self) { [unowned pair] _ in
      meet()
      return try pair.resolveSecond().count
    }
    try container.register(String.self) { [unowned pair] _ in
      meet()
      return "\(try pair.resolveFirst())"
    }
    let failures = try onThreads(2) { index -> String? in
      do {
        if index == 0 { _ = try pair.resolveFirst() } else { _ = try pair.resolveSecond() }
        return nil
      } catch { return "\(error)" }
    }
    XCTAssertFalse(failures.compactMap { $0 }.isEmpty)
    for failure in failures.compactMap({ $0 }) {
      XCTAssertTrue(failure.contains("Circular dependency"), failure)
    }
  }
}
