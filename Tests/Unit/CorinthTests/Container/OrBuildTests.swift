// SPDX-License-Identifier: MIT

import Corinth
import Foundation
import TestSupport
import XCTest

final class OrBuildTests: ContainerTestCase {
  func testTheFirstCallBuildsAndLaterOnesFindTheInstance() throws {
    let first = try container.resolveOrBuild(Motor.self) { Motor(power: 1) }
    let second = try container.resolveOrBuild(Motor.self) { Motor(power: 2) }
    XCTAssertIdentical(first, second)
    XCTAssertIdentical(try container.resolve(Motor.self), first)
    XCTAssertIdentical(try container.resolve(Motor.self), first)
    XCTAssertTrue(container.contains(Motor.self))
  }

  func testAForkThatAsksForWhatTheBaseHasBuiltIsGivenNoHintOfIt() throws {
    _ = try container.resolveOrBuild(Int.self) { 1 }
    let fork = container.fork()
    XCTAssertThrowsError(try fork.resolve(Int.self)) {
      XCTAssertFalse("\($0)".contains("meanwhile"), "\($0)")
    }
  }

  func testNamesTellTheInstancesApart() throws {
    XCTAssertEqual(try container.resolveOrBuild(Int.self, name: "a") { 1 }, 1)
    XCTAssertEqual(try container.resolveOrBuild(Int.self, name: "b") { 2 }, 2)
    XCTAssertEqual(try container.resolveOrBuild(Int.self) { 3 }, 3)
    XCTAssertEqual(try container.resolve(Int.self, name: "a"), 1)
  }

  func testARegistrationIsServedInstead() throws {
    try container.register(Int.self) { _ in 1 }
    XCTAssertEqual(try container.resolveOrBuild(Int.self) { 2 }, 1)
    let child = Container(parent: container)
    XCTAssertEqual(try child.resolveOrBuild(Int.self) { 2 }, 1)
    container.unregister(Int.self)
    XCTAssertEqual(try child.resolveOrBuild(Int.self) { 2 }, 2)
    XCTAssertFalse(container.contains(Int.self))
    try child.register(Int.self) { _ in 3 }
    XCTAssertEqual(try child.resolveOrBuild(Int.self) { 4 }, 3)
  }

  func testAClosureThatThrowsLeavesNothingBehind() throws {
    XCTAssertThrowsError(try container.resolveOrBuild(Int.self) { throw FixtureError("none") }) {
      XCTAssertEqual(
        ($0 as? ResolutionError)?.underlyingError as? FixtureError, FixtureError("none"))
    }
    XCTAssertFalse(container.contains(Int.self))
    XCTAssertNil(try container.resolveIfRegistered(Int.self))
    XCTAssertThrowsError(try container.resolve(Int.self)) {
      XCTAssertTrue($0.is(.noRegistrationFound))
    }
    XCTAssertEqual(try container.resolveOrBuild(Int.self) { 2 }, 2)
  }

  func testWhatIsReleasedOrRemovedIsBuiltAgain() throws {
    for forget in [
      { (container: Container) in _ = container.release(Int.self) },
      { $0.releaseAll() }, { $0.unregister(Int.self) }, { $0.removeAll() },
    ] {
      XCTAssertEqual(try container.resolveOrBuild(Int.self) { 1 }, 1)
      forget(container)
      XCTAssertFalse(container.contains(Int.self))
      XCTAssertEqual(try container.resolveOrBuild(Int.self) { 2 }, 2)
      container.removeAll()
    }
  }

  func testOfEightThreadsOneRunsItsClosure() throws {
    for _ in 0..<50 {
      let container = Container()
      let tracker = LifetimeTracker()
      let found = try onThreads(8) { index in
        try container.resolveOrBuild(Tracked.self, name: "a") {
          Thread.sleep(forTimeInterval: 0.0001)
          return tracker.make()
        }.serial
      }
      XCTAssertEqual(found, Array(repeating: 1, count: 8))
      XCTAssertEqual(tracker.created, 1)
    }
  }

  func testAfterAFailureAnotherThreadRunsItsOwnClosure() throws {
    for _ in 0..<50 {
      let container = Container()
      let failures = AtomicCounter()
      let built = AtomicCounter()
      let results = try onThreads(8) { index in
        try? container.resolveOrBuild(Int.self) {
          Thread.sleep(forTimeInterval: 0.0005)
          if failures.add() <= 3 { throw FixtureError("not yet") }
          return built.add()
        }
      }
      XCTAssertEqual(results.count { $0 == nil }, 3)
      XCTAssertEqual(results.count { $0 == 1 }, 5)
      XCTAssertEqual(built.value, 1)
    }
  }

  func testWhoHasGotTheInstanceFindsItByItsKey() throws {
    for _ in 0..<50 {
      let container = Container()
      try onThreads(8) { _ in
        let built = try container.resolveOrBuild(Int.self) { 1 }
        XCTAssertEqual(try container.resolve(Int.self), built)
      }
    }
  }

  func testAClosureThatNeedsItsOwnInstanceGetsAnError() throws {
    let container = container
    XCTAssertThrowsError(
      try container.resolveOrBuild(Int.self) { try container.resolveOrBuild(Int.self) { 1 } }
    ) { XCTAssertTrue($0.is(.circularDependencyDetected), "\($0)") }
    XCTAssertFalse(container.contains(Int.self))
  }

  func testTwoThreadsThatNeedEachOthersInstanceGetAnErrorAndNoHang() throws {
    let container = container
    let meeting = Barrier(2)
    let results = try onThreads(2) { index -> Result<Int, any Error> in
      let (own, other): (Name, Name) = index == 0 ? ("a", "b") : ("b", "a")
      return Result {
        try container.resolveOrBuild(Int.self, name: own) {
          meeting.wait()
          return try container.resolveOrBuild(Int.self, name: other) { 10 }
        }
      }
    }
    let failed = results.compactMap { result -> (any Error)? in
      if case .failure(let error) = result { error } else { nil }
    }
    XCTAssertFalse(failed.isEmpty)
    for error in failed { XCTAssertTrue(error.is(.circularDependencyDetected), "\(error)") }
  }

  func testDependenciesOfTheClosureAreBuiltInside() throws {
    try container.register(Motor.self) { _ in Motor(power: 6) }.as(.unchecked(.singleton))
    let container = container
    XCTAssertEqual(
      try container.resolveOrBuild(Int.self) { try container.resolve(Motor.self).power }, 6)
  }

  func testAClosedContainerRefuses() throws {
    let scope = container.makeScope()
    try scope.syncClose()
    XCTAssertThrowsError(try scope.resolveOrBuild(Int.self) { 1 }) {
      XCTAssertTrue($0.is(.containerClosed))
    }
  }

  func testInstancesEndWithTheContainer() throws {
    let tracker = LifetimeTracker()
    do {
      let container = Container()
      _ = try container.resolveOrBuild(Tracked.self) { tracker.make() }
      XCTAssertThrowsError(
        try container.resolveOrBuild(Tracked.self, name: "b") {
          _ = tracker.make()
          throw FixtureError("none")
        })
    }
    settleReclamation()
    XCTAssertEqual(tracker.alive, 0)
  }
}
