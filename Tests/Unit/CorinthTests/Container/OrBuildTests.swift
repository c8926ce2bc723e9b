// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import XCTest

@testable import Corinth

/// Default factories that come with the call.
final class OrBuildTests: ContainerTestCase {
  func testTheFirstCallBuildsAndLaterOnesFindTheInstance() throws {
    let first = try container.resolveOrBuild(Motor.self) { _ in Motor(power: 1) }
    let second = try container.resolveOrBuild(Motor.self) { _ in Motor(power: 2) }
    XCTAssertIdentical(first, second)
    XCTAssertIdentical(try container.resolve(Motor.self), first)
    XCTAssertTrue(container.contains(Motor.self))
    XCTAssertEqual(container.registrations.map(\.scope), [.singleton])
  }

  func testNamesTellTheInstancesApart() throws {
    XCTAssertEqual(try container.resolveOrBuild(Int.self, name: "a") { _ in 1 }, 1)
    XCTAssertEqual(try container.resolveOrBuild(Int.self, name: "b") { _ in 2 }, 2)
    XCTAssertEqual(try container.resolveOrBuild(Int.self) { _ in 3 }, 3)
    XCTAssertEqual(try container.resolve(Int.self, name: "a"), 1)
  }

  // MARK: - Scopes

  /// The numbers of the instances made by two calls, a resolve, and two resolves in one resolution.
  private func numbers(_ scope: AnyScope, in container: Container) throws -> [Int] {
    let counter = AtomicCounter()
    return try withExtendedLifetime(
      [
        container.resolveOrBuild(Motor.self, scope: scope) { _ in Motor(power: counter.add()) },
        container.resolveOrBuild(Motor.self, scope: scope) { _ in Motor(power: 100) },
        container.resolve(Motor.self),
      ] + container.withResolution { [try $0.resolve(Motor.self), try $0.resolve(Motor.self)] }
    ) { $0.map(\.power) }
  }

  func testTheFactoryOfTheFirstCallServesAllScopes() throws {
    func expect(_ scope: AnyScope, _ expected: [Int], line: UInt = #line) throws {
      let container = Container()
      XCTAssertEqual(try numbers(scope, in: container), expected, "\(scope)", line: line)
      XCTAssertEqual(container.registrations.map(\.scope), [scope], line: line)
    }
    try expect(.transient, [1, 2, 3, 4, 5])
    try expect(.graph, [1, 2, 3, 4, 4])
    try expect(.singleton, [1, 1, 1, 1, 1])
    try expect(.weak, [1, 1, 1, 1, 1])
    try expect(.cached(for: .seconds(3600)), [1, 1, 1, 1, 1])
    try expect(.cached(for: .zero), [1, 2, 3, 4, 5])
  }

  func testScopedInstancesBelongToTheScopeThatIsAsked() throws {
    XCTAssertThrowsError(
      try container.resolveOrBuild(Motor.self, scope: .scoped) { _ in Motor(power: 1) }
    ) { XCTAssertTrue($0.is(.scopeRequired), "\($0)") }
    let counter = AtomicCounter()
    try container.register(Motor.self, name: "part", scope: .unchecked(.scoped)) { _ in
      Motor(power: counter.add())
    }
    for power in 1...2 {
      let scope = container.makeScope()
      let motor = try scope.resolveOrBuild(Motor.self, name: "a", scope: .scoped) {
        try $0.resolve(Motor.self, name: "part")
      }
      XCTAssertEqual(motor.power, power)
      XCTAssertIdentical(try scope.resolve(Motor.self, name: "a"), motor)
    }
    XCTAssertFalse(container.contains(Motor.self, name: "a"))
  }

  func testNamedScopesHoldTheirInstances() throws {
    let counter = AtomicCounter()
    let request = container.makeScope(named: "request")
    let inner = request.makeScope()
    let build: @Sendable (Resolver) throws -> Motor = { _ in Motor(power: counter.add()) }
    let motor = try request.resolveOrBuild(scope: .scoped(in: "request"), build: build)
    XCTAssertIdentical(
      try inner.resolveOrBuild(Motor.self, scope: .scoped(in: "request"), build: build), motor)
  }

  func testAWeakInstanceIsBuiltAgainByTheFirstFactory() throws {
    let tracker = LifetimeTracker()
    for serial in 1...2 {
      let made = try container.resolveOrBuild(Tracked.self, scope: .weak) { _ in tracker.make() }
      XCTAssertEqual(made.serial, serial)
    }
    XCTAssertThrowsError(try container.resolveOrBuild(Int.self, scope: .weak) { _ in 1 }) {
      XCTAssertTrue($0.is(.invalidRegistration), "\($0)")
    }
  }

  // MARK: - Registrations

  func testARegistrationIsServedInstead() throws {
    try container.register(Int.self) { _ in 1 }
    XCTAssertEqual(try container.resolveOrBuild(Int.self) { _ in 2 }, 1)
    let child = Container(parent: container)
    XCTAssertEqual(try child.resolveOrBuild(Int.self) { _ in 2 }, 1)
    container.unregister(Int.self)
    XCTAssertEqual(try child.resolveOrBuild(Int.self) { _ in 2 }, 2)
    XCTAssertFalse(container.contains(Int.self))
    try child.register(Int.self) { _ in 3 }
    XCTAssertEqual(try child.resolveOrBuild(Int.self) { _ in 4 }, 3)
  }

  func testALaterRegistrationTakesTheDefaultsPlaceUnderEachPolicy() throws {
    for policy in [.override, .refuse, .keep, .warn, .require] as [DuplicatePolicy] {
      let container = Container(duplicates: policy)
      XCTAssertEqual(try container.resolveOrBuild(Int.self) { _ in 1 }, 1)
      try container.register(Int.self) { _ in 2 }
      XCTAssertEqual(try container.resolveOrBuild(Int.self) { _ in 3 }, 2, "\(policy)")
      XCTAssertEqual(container.registrations.count, 1)
    }
  }

  func testARegistrationIsNoDefault() throws {
    let container = Container(duplicates: .keep)
    _ = try container.resolveOrBuild(Int.self) { _ in 1 }
    try container.register(Int.self) { _ in 2 }
    try container.register(Int.self) { _ in 3 }
    XCTAssertEqual(try container.resolve(Int.self), 2)
    let fork = container.fork()
    XCTAssertEqual(try fork.resolve(Int.self), 2)
    try fork.register(Int.self, onDuplicate: .keep) { _ in 3 }
    XCTAssertEqual(try fork.resolve(Int.self), 2)
  }

  func testWhatIsReleasedIsBuiltAgainAndWhatIsRemovedIsGone() throws {
    let counter = AtomicCounter()
    let container = container
    func build() throws -> Int {
      try container.resolveOrBuild(Int.self) { _ in counter.add() }
    }
    XCTAssertEqual(try build(), 1)
    XCTAssertTrue(container.release(Int.self))
    XCTAssertEqual(try container.resolve(Int.self), 2)
    container.releaseAll()
    XCTAssertEqual(try build(), 3)
    for remove in [{ $0.unregister(Int.self) }, { $0.removeAll() }] as [(Container) -> Void] {
      remove(container)
      XCTAssertFalse(container.contains(Int.self))
      XCTAssertEqual(try container.resolveOrBuild(Int.self) { _ in 10 }, 10)
    }
  }

  func testBehaviorsDecoratorsAndListsSeeARegistration() throws {
    let behavior = RecordingListener()
    container.add(behavior)
    try container.decorate(Int.self) { number, _ in number + 1 }
    XCTAssertEqual(try container.resolveOrBuild(Int.self) { _ in 1 }, 2)
    XCTAssertEqual(behavior.journal.entries, ["\(RegistrationKey(product: Int.self))"])
    XCTAssertTrue("\(container.registrations)".contains("OrBuildTests.swift"))
  }

  func testAFrozenContainerServesDefaultsToo() throws {
    try container.freeze()
    XCTAssertEqual(try container.resolveOrBuild(Int.self) { _ in 1 }, 1)
    XCTAssertThrowsError(try container.register(Int.self) { _ in 2 })
    XCTAssertEqual(try container.resolve(Int.self), 1)
  }

  // MARK: - Forks and children

  func testForksBuildInstancesOfTheirOwn() throws {
    let before = container.fork()
    let motor = try container.resolveOrBuild { _ in Motor(power: 1) }
    for fork in [before, container.fork(), before.fork()] {
      let own = try fork.resolveOrBuild { _ in Motor(power: 2) }
      XCTAssertEqual(own.power, 1)
      XCTAssertNotIdentical(own, motor)
      XCTAssertIdentical(try fork.resolve(Motor.self), own)
      XCTAssertEqual(fork.registrations.count, 1)
    }
  }

  func testAForkRegistersNothingInItsBase() throws {
    try container.register(String.self) { _ in "base" }
    let fork = container.fork()
    XCTAssertEqual(try fork.resolveOrBuild(Int.self) { _ in 1 }, 1)
    XCTAssertFalse(container.contains(Int.self))
    XCTAssertEqual(try container.resolveOrBuild(Int.self) { _ in 2 }, 2)
    XCTAssertEqual(try fork.resolve(Int.self), 1)
    fork.unregister(Int.self)
    XCTAssertThrowsError(try fork.resolve(Int.self))
    XCTAssertEqual(try fork.resolveOrBuild(Int.self) { _ in 3 }, 3)
    XCTAssertEqual(try container.resolve(Int.self), 2)
  }

  func testEarlierForksDoNotSeeADefaultInPlaceOfWhatTheySaw() throws {
    try container.register(Int.self) { _ in 1 }
    let fork = container.fork()
    container.unregister(Int.self)
    XCTAssertEqual(try container.resolveOrBuild(Int.self) { _ in 2 }, 2)
    XCTAssertEqual(try fork.resolve(Int.self), 1)
    XCTAssertEqual(try container.fork().resolve(Int.self), 2)
  }

  func testChildrenAndScopesFindTheDefaultOfAParent() throws {
    let child = Container(parent: container)
    let scope = child.makeScope()
    XCTAssertEqual(try child.resolveOrBuild(Int.self) { _ in 1 }, 1)
    XCTAssertEqual(try scope.resolveOrBuild(Int.self) { _ in 2 }, 1)
    XCTAssertThrowsError(try container.resolve(Int.self))
    XCTAssertEqual(try container.resolveOrBuild(Int.self) { _ in 3 }, 3)
    XCTAssertEqual(try scope.resolve(Int.self), 1)
  }

  func testAVersionThatHidesARegistrationGetsTheDefault() async throws {
    try container.register(value: 1)
    let reloadable = ReloadableContainer(container)
    try await reloadable.reload {
      try $0.hide(RegistrationKey(product: Int.self), file: #fileID, line: #line)
    }.value
    XCTAssertThrowsError(try reloadable.current.resolve(Int.self))
    XCTAssertEqual(try reloadable.current.resolveOrBuild(Int.self) { _ in 2 }, 2)
    XCTAssertEqual(try reloadable.current.resolve(Int.self), 2)
  }

  // MARK: - Failures and ends

  func testAFactoryThatThrowsRunsAgain() throws {
    let counter = AtomicCounter()
    XCTAssertThrowsError(
      try container.resolveOrBuild(Int.self) { _ -> Int in
        let number = counter.add()
        if number == 1 { throw FixtureError("none") }
        return number
      }
    ) {
      XCTAssertEqual(
        ($0 as? ResolutionError)?.underlyingError as? FixtureError, FixtureError("none"))
    }
    XCTAssertEqual(try container.resolveOrBuild(Int.self) { _ in 10 }, 2)
  }

  func testAClosureThatNeedsItsOwnInstanceGetsAnError() throws {
    XCTAssertThrowsError(
      try container.resolveOrBuild(Int.self) {
        try $0.container.resolveOrBuild(Int.self) { _ in 1 }
      }
    ) { XCTAssertTrue($0.is(.circularDependencyDetected), "\($0)") }
  }

  func testTwoCallsThatNeedEachOtherGetAnError() throws {
    XCTAssertThrowsError(
      try container.resolveOrBuild(Int.self, name: "a") {
        try $0.container.resolveOrBuild(Int.self, name: "b") { try $0.resolve(name: "a") }
      }
    ) { XCTAssertTrue($0.is(.circularDependencyDetected), "\($0)") }
  }

  func testTwoThreadsThatNeedEachOthersInstanceGetAnErrorAndNoHang() throws {
    let container = container
    let (meetings, both) = (AtomicCounter(), Barrier(2))
    let results = try onThreads(2) { index -> Result<Int, any Error> in
      let (own, other): (Name, Name) = index == 0 ? ("a", "b") : ("b", "a")
      return Result {
        try container.resolveOrBuild(Int.self, name: own) {
          // After a failure, the factory runs again.
          if meetings.add() <= 2 { both.wait() }
          return try $0.container.resolveOrBuild(Int.self, name: other) { _ in 10 }
        }
      }
    }
    let failed = results.compactMap { result -> (any Error)? in
      if case .failure(let error) = result { error } else { nil }
    }
    XCTAssertFalse(failed.isEmpty)
    for error in failed { XCTAssertTrue(error.is(.circularDependencyDetected), "\(error)") }
  }

  func testDependenciesOfTheFactoryAreBuiltInside() throws {
    try container.register(Motor.self) { _ in Motor(power: 6) }.as(.unchecked(.singleton))
    XCTAssertEqual(
      try container.resolveOrBuild(Int.self) { try $0.resolve(Motor.self).power }, 6)
  }

  func testAClosedContainerRefuses() throws {
    let scope = container.makeScope()
    let child = Container(parent: scope)
    try scope.syncClose()
    for closed in [scope, child] {
      XCTAssertThrowsError(try closed.resolveOrBuild(Int.self) { _ in 1 }) {
        XCTAssertTrue($0.is(.containerClosed), "\($0)")
      }
    }
    XCTAssertFalse(container.contains(Int.self))
  }

  func testInstancesAndFactoriesEndWithTheContainer() throws {
    let tracker = LifetimeTracker()
    do {
      let container = Container()
      let captured = tracker.make()
      _ = try container.resolveOrBuild(Tracked.self) { _ in tracker.make() }
      XCTAssertThrowsError(
        try container.resolveOrBuild(Tracked.self, name: "b") { _ in
          withExtendedLifetime(captured) {}
          throw FixtureError("none")
        })
      XCTAssertEqual(tracker.alive, 2)
    }
    settleReclamation()
    XCTAssertEqual(tracker.alive, 0)
  }

  // MARK: - Threads

  func testOfEightThreadsOneRegistersItsFactory() throws {
    for scope in [.singleton, .weak, .scoped, .cached(for: .seconds(3600))] as [AnyScope] {
      for _ in 0..<50 {
        let container = container.makeScope()
        let tracker = LifetimeTracker()
        let found = try onThreads(8) { _ in
          try container.resolveOrBuild(Tracked.self, name: "a", scope: scope) { _ in
            tracker.make()
          }
        }
        XCTAssertEqual(found.map(\.serial), Array(repeating: 1, count: 8), "\(scope)")
        XCTAssertEqual(tracker.created, 1)
      }
    }
  }

  func testOfEightThreadsAllRunTheFactoryOfOne() throws {
    for scope in [.transient, .graph] as [AnyScope] {
      for _ in 0..<50 {
        let container = Container()
        let makers = try onThreads(8) { index in
          try container.resolveOrBuild(Motor.self, scope: scope) { _ in
            Motor(power: index)
          }.power
        }
        XCTAssertEqual(Set(makers).count, 1, "\(scope)")
        XCTAssertEqual(container.registrations.count, 1)
      }
    }
  }

  func testAFailureIsNotSharedByCallsThatWaitedForIt() throws {
    for _ in 0..<50 {
      let container = Container()
      let (failures, built) = (AtomicCounter(), AtomicCounter())
      let results = try onThreads(8) { _ in
        try? container.resolveOrBuild(Int.self) { _ in
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
        let built = try container.resolveOrBuild(Int.self) { _ in 1 }
        XCTAssertEqual(try container.resolve(Int.self), built)
      }
    }
  }

  func testARegistrationMeanwhileIsNotOverridden() throws {
    for _ in 0..<50 {
      let container = Container()
      try onThreads(8) { index in
        if index == 0 {
          try container.register(Int.self, onDuplicate: .refuse) { _ in 1 }
        } else {
          XCTAssertTrue([1, 2].contains(try container.resolveOrBuild(Int.self) { _ in 2 }))
        }
      }
      XCTAssertEqual(try container.resolve(Int.self), 1)
    }
  }

  func testACallWhileTheContainerClosesSucceedsOrIsRefused() throws {
    for _ in 0..<50 {
      let container = Container()
      let tracker = LifetimeTracker()
      let errors = try onThreads(8) { index -> (any Error)? in
        do {
          if index == 0 {
            try container.syncClose()
          } else {
            _ = try container.resolveOrBuild(Tracked.self, name: "\(index % 3)") { _ in
              tracker.make()
            }
          }
          return nil
        } catch { return error }
      }
      for error in errors.compactMap(\.self) {
        XCTAssertTrue(error.is(.containerClosed), "\(error)")
      }
      XCTAssertThrowsError(try container.resolveOrBuild(Int.self) { _ in 1 })
      XCTAssertEqual(container.registrations.count, 0)
      settleReclamation()
      XCTAssertEqual(tracker.alive, 0)
    }
  }
}
