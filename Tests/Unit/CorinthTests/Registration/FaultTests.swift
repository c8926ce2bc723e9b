// SPDX-License-Identifier: MIT

import Corinth
import TestSupport
import XCTest

/// What a modifier finds wrong is kept in the registration, and thrown when that is used.
final class FaultTests: ContainerTestCase {
  private let tracker = LifetimeTracker()

  @discardableResult
  private func register(
    in home: Container? = nil, onDuplicate: DuplicatePolicy? = nil
  ) throws -> Registration<Tracked> {
    try (home ?? container).register(Tracked.self, onDuplicate: onDuplicate) {
      [tracker] _ in tracker.make()
    }
  }

  // MARK: - Who throws it

  func testEverySynchronousResolveThrowsTheFault() throws {
    try register().eager()
    assertInvalid(.eagerRequiresSingleton) { try container.resolve(Tracked.self) }
    assertInvalid(.eagerRequiresSingleton) {
      let tracked: Tracked = try container.resolve()
      return tracked
    }
    assertInvalid(.eagerRequiresSingleton) { try container.resolveIfRegistered(Tracked.self) }
    assertInvalid(.eagerRequiresSingleton) {
      try container.withResolved(Tracked.self) { $0.serial }
    }
    assertInvalid(.eagerRequiresSingleton) { try container.provider(for: Tracked.self)() }
    assertInvalid(.eagerRequiresSingleton) {
      try Container(parent: container).resolve(Tracked.self)
    }
    assertInvalid(.eagerRequiresSingleton) { try container.makeScope().resolve(Tracked.self) }
    XCTAssertEqual(tracker.created, 0)
  }

  func testEveryAsynchronousResolveThrowsTheFault() async throws {
    try register().eager()
    try container.registerAsync(Tracked.self, name: "async") { [tracker] _ in tracker.make() }
      .onDispose { _ in }
    for name: Name? in [nil, "async"] {
      let fault: RegistrationError = name == nil ? .eagerRequiresSingleton : .disposalRequiresOwner
      do {
        _ = try await container.resolveAsync(Tracked.self, name: name)
        XCTFail("no error")
      } catch {
        assertInvalid(fault, error)
      }
      do {
        _ = try await container.resolveAsyncIfRegistered(Tracked.self, name: name)
        XCTFail("no error")
      } catch {
        assertInvalid(fault, error)
      }
      assertInvalid(fault) { try container.resolve(Tracked.self, name: name) }
    }
    XCTAssertEqual(tracker.created, 0)
  }

  func testAResolveWithArgumentsThrowsTheFault() async throws {
    try container.register(Tracked.self) { [tracker] (_, _: Int) in tracker.make() }
      .as(.singleton).eager()
    assertInvalid(.eagerRequiresSingleton) { try container.resolve(Tracked.self, arguments: 1) }
    do {
      _ = try await container.resolveAsync(Tracked.self, arguments: 1)
      XCTFail("no error")
    } catch {
      assertInvalid(.eagerRequiresSingleton, error)
    }
    XCTAssertEqual(tracker.created, 0)
  }

  func testWarmUpThrowsTheFaultsOfRegistrationsThatAreNotEager() async throws {
    try register().onDispose { _ in }
    try container.register(Int.self) { (_, text: String) in text.count }.eager()
    try container.register(Motor.self) { _ in Motor() }.as(.unchecked(.singleton)).eager()
    let faults: [RegistrationError?] = [.disposalRequiresOwner, .eagerRequiresSingleton]
    XCTAssertThrowsError(try container.syncWarmUp()) { error in
      let failures = error.collectedFailures
      XCTAssertEqual(failures?.map { $0.underlyingError as? RegistrationError }, faults)
    }
    do {
      try await container.warmUp()
      XCTFail("no error")
    } catch {
      let failures = error.collectedFailures
      XCTAssertEqual(failures?.map { $0.underlyingError as? RegistrationError }, faults)
      XCTAssertTrue("\(error)".hasPrefix("2 registrations could not be built."), "\(error)")
    }
  }

  func testADependentsErrorHasThePathToTheFault() throws {
    try container.register(
      Settings.self, file: "App/Main.swift", line: 10
    ) { _ in Settings() }.as(.weak)
    try container.register(Motor.self, file: "App/Main.swift", line: 20) { resolver in
      Motor(power: try resolver.resolve(Settings.self).power)
    }
    XCTAssertThrowsError(try container.resolve(Motor.self)) {
      assertInvalid(.weakRequiresClass, $0)
      assertGolden("invalid-path", "\($0)")
    }
  }

  func testAnAliasThrowsTheFaultOfItsTarget() throws {
    try register().implements((any AnyObject & Sendable).self).eager()
    assertInvalid(.eagerRequiresSingleton) {
      try container.resolve((any AnyObject & Sendable).self)
    }
  }

  func testAChildsRegistrationShadowsAFaultyOne() throws {
    try register().eager()
    let child = Container(parent: container)
    try register(in: child)
    XCTAssertEqual(try child.resolve(Tracked.self).serial, 1)
  }

  // MARK: - Order

  func testModifiersComeInAnyOrder() throws {
    try register().eager().onDispose { _ in }.implements((any AnyObject & Sendable).self)
      .as(.singleton)
    try container.syncWarmUp()
    XCTAssertEqual(tracker.created, 1)
    XCTAssertEqual(try container.resolve(Tracked.self).serial, 1)
    try register().onDispose { _ in }.as(.scoped)
    XCTAssertEqual(try container.makeScope().resolve(Tracked.self).serial, 2)
  }

  func testAContradictionIsAFaultInEitherOrder() throws {
    try register().as(.singleton).eager().as(.weak)
    assertInvalid(.eagerRequiresSingleton) { try container.resolve(Tracked.self) }
    try register().as(.weak).eager()
    assertInvalid(.eagerRequiresSingleton) { try container.resolve(Tracked.self) }
    try register().as(.singleton).onDispose { _ in }.as(.transient)
    assertInvalid(.disposalRequiresOwner) { try container.resolve(Tracked.self) }
  }

  func testAFaultEndsTheInstanceThatWasThere() throws {
    let registration = try register().as(.singleton)
    _ = try container.resolve(Tracked.self)
    registration.as(.weak).eager()
    XCTAssertEqual(tracker.left, 0)
    assertInvalid(.eagerRequiresSingleton) { try container.resolve(Tracked.self) }
  }

  func testALaterModifierMendsTheRegistration() throws {
    let registration = try register().eager()
    assertInvalid(.eagerRequiresSingleton) { try container.resolve(Tracked.self) }
    registration.as(.singleton)
    XCTAssertEqual(try container.resolve(Tracked.self).serial, 1)
  }

  func testAnOverrideHasNoFault() throws {
    try register().eager()
    try register()
    XCTAssertEqual(try container.resolve(Tracked.self).serial, 1)
  }

  func testAReplacementIsJudgedAnew() throws {
    try register().eager()
    let tracker = tracker
    try container.syncReplace(Tracked.self) { _ in tracker.make() }
    assertInvalid(.eagerRequiresSingleton) { try container.resolve(Tracked.self) }
    XCTAssertEqual(tracker.created, 0)
  }

  // MARK: - Aliases that are refused

  func testAnAliasThatIsRefusedIsAFaultOfTheImplementation() throws {
    try container.register((any AnyObject & Sendable).self, onDuplicate: .refuse) { [tracker] _ in
      tracker.make()
    }
    let registration = try register().implements((any AnyObject & Sendable).self).as(.singleton)
    assertInvalid(.alreadyRegistered) { try container.resolve(Tracked.self) }
    _ = try container.resolve((any AnyObject & Sendable).self)
    container.unregister((any AnyObject & Sendable).self)
    registration.implements((any AnyObject & Sendable).self)
    XCTAssertTrue(
      try container.resolve((any AnyObject & Sendable).self) === container.resolve(Tracked.self))
  }

  func testAnAliasThatIsAcceptedLeavesTheInstanceInPlace() throws {
    let registration = try register().as(.singleton)
    let kept = try container.resolve(Tracked.self)
    registration.implements((any AnyObject & Sendable).self)
    XCTAssertTrue(try container.resolve((any AnyObject & Sendable).self) === kept)
  }

  // MARK: - Concurrency

  func testResolvesBesideModifiersSeeAWholeRegistration() throws {
    let registration = try register()
    try onThreads(8) { [container] thread in
      for round in 0..<500 {
        if thread < 2 {
          if (round + thread).isMultiple(of: 2) {
            registration.as(.singleton)
          } else {
            registration.eager().as(.weak)
          }
          continue
        }
        do {
          _ = try container.resolve(Tracked.self)
        } catch {
          assertInvalid(.eagerRequiresSingleton, error)
        }
      }
    }
    registration.as(.singleton)
    XCTAssertNoThrow(try container.resolve(Tracked.self))
    container.removeAll()
    settleReclamation()
    XCTAssertEqual(tracker.alive, 0)
  }
}

private struct Settings: Sendable {
  let power = 1
}
