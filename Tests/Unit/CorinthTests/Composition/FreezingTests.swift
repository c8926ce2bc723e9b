// SPDX-License-Identifier: MIT

import Corinth
import TestSupport
import XCTest

/// Containers whose registrations do not change any more.
final class FreezingTests: ContainerTestCase {
  func testAFrozenContainerRefusesChangesAndSaysSo() throws {
    let registration = try container.register(Motor.self) { _ in Motor() }
    try container.freeze()
    XCTAssertTrue(container.isFrozen)
    let attempts: [() throws -> Void] = [
      { try self.container.register(Int.self) { _ in 1 } },
      { try self.container.register(Motor.self, onDuplicate: .require) { _ in Motor() } },
      { try self.container.syncReplace(Motor.self) { _ in Motor() } },
      { try self.container.decorate(Motor.self) { motor, _ in motor } },
      { try self.container.register(Int.self, onDuplicate: .keep) { _ in 1 } },
    ]
    for attempt in attempts {
      XCTAssertThrowsError(try attempt()) { error in
        XCTAssertEqual(error as? RegistrationError, .containerFrozen)
      }
    }
    registration.as(.unchecked(.singleton))
    XCTAssertFalse(container.unregister(Motor.self))
    container.removeAll()
    XCTAssertEqual(container.removeAll { _ in true }, 0)
    XCTAssertFalse(try container.resolve(Motor.self) === (try container.resolve(Motor.self)))
  }

  func testInstancesGoOn() throws {
    try container.register(Motor.self) { _ in Motor() }.as(.unchecked(.singleton))
    try container.freeze()
    let motor = try container.resolve(Motor.self)
    XCTAssertTrue(container.release(Motor.self))
    XCTAssertFalse(try container.resolve(Motor.self) === motor)
    try container.fork { try $0.register(Int.self) { _ in 1 } }.syncClose()
    try Container(parent: container).register(Int.self) { _ in 1 }
  }

  func testAThawedContainerMayChange() throws {
    try container.freeze()
    container.thaw()
    XCTAssertFalse(container.isFrozen)
    try container.register(Int.self) { _ in 1 }
    XCTAssertEqual(try container.resolve(Int.self), 1)
  }

  func testInvalidRegistrationsAreNotFrozen() throws {
    try container.register(Int.self) { _ in 1 }.as(.weak)
    XCTAssertThrowsError(try container.freeze()) { error in
      XCTAssertEqual(error.collectedFailures, [.invalidRegistration])
      XCTAssertTrue("\(error)".hasPrefix("1 registration is invalid."), "\(error)")
    }
    XCTAssertFalse(container.isFrozen)
    XCTAssertThrowsError(
      try ContainerBuilder().configure { try $0.register(Int.self) { _ in 1 }.as(.weak) }.build())
  }

  // MARK: - Builder

  private static func built(_ tracker: LifetimeTracker) throws -> Container {
    try ContainerBuilder()
      .configure { container in
        try container.register(Tracked.self, scope: .singleton) { _ in tracker.make() }
        try container.register(Int.self, name: "x") { _ in 7 }
        try container.registerAsync(String.self, scope: .singleton) { _ in "async" }
        try container.register(Double.self) { (_, argument: Double) in argument / 2 }
        try container.register([Int].self, scope: .scoped) { _ in [1] }
      }
      .build()
  }

  func testAFrozenContainerResolvesAllKinds() async throws {
    let frozen = try Self.built(LifetimeTracker())
    XCTAssertTrue(try frozen.resolve(Tracked.self) === (try frozen.resolve(Tracked.self)))
    XCTAssertEqual(try frozen.resolve(Int.self, name: "x"), 7)
    XCTAssertEqual(try frozen.resolve(Double.self, arguments: 3.0), 1.5)
    let text = try await frozen.resolveAsync(String.self)
    XCTAssertEqual(text, "async")
    XCTAssertEqual(try frozen.resolve(String.self), "async")
    XCTAssertNil(try frozen.resolveIfRegistered(Character.self))
    XCTAssertEqual(try frozen.syncWithScope { try $0.resolve([Int].self) }, [1])
    XCTAssertThrowsError(try frozen.resolve(Character.self))
    let fork = try frozen.fork { try $0.register(Character.self) { _ in "c" } }
    XCTAssertEqual(try fork.resolve(Character.self), "c")
  }

  func testNothingGetsIntoItThroughItsResolversEither() throws {
    let builder = ContainerBuilder()
    let container = Guarded<Container>()
    let frozen =
      try builder
      .configure {
        try $0.register(Int.self) { resolver in
          container.value = try resolver.container
          return 1
        }
        try $0.register(Motor.self, scope: .unchecked(.singleton)) { _ in Motor() }
      }
      .build()
    XCTAssertEqual(try frozen.resolve(Int.self), 1)
    let motor = try frozen.resolve(Motor.self)
    XCTAssertThrowsError(try container.value?.register(Int.self) { _ in 2 }) { error in
      XCTAssertEqual(error as? RegistrationError, .containerFrozen)
    }
    XCTAssertThrowsError(try builder.configure { try $0.register(Int.self) { _ in 2 } })
    container.value?.removeAll()
    XCTAssertTrue(try frozen.resolve(Motor.self) === motor)
    XCTAssertEqual(container.value?.release(Motor.self), true)
    XCTAssertFalse(try frozen.resolve(Motor.self) === motor)
  }

  func testItsInstancesAreReleasedWithItOrByAShutdown() async throws {
    for isShutDown in [false, true] {
      let tracker = LifetimeTracker()
      do {
        let frozen = try Self.built(tracker)
        _ = try frozen.resolve(Tracked.self)
        if isShutDown {
          try await frozen.shutdown()
          XCTAssertThrowsError(try frozen.resolve(Tracked.self)) { error in
            XCTAssertEqual(error as? ResolutionError, .containerClosed)
          }
        }
      }
      await tracker.waitUntilNoneIsLeft()
      XCTAssertEqual(tracker.alive, 0)
    }
  }

  func testAnInstanceThatHoldsAProviderDoesNotKeepIt() async throws {
    final class Holder: Sendable {
      let tracked: Tracked
      let provider: Provider<Int>
      init(_ tracked: Tracked, _ provider: Provider<Int>) {
        (self.tracked, self.provider) = (tracked, provider)
      }
    }
    let tracker = LifetimeTracker()
    do {
      let frozen = try ContainerBuilder()
        .configure {
          try $0.register(Int.self) { _ in 1 }
          try $0.register(Holder.self, scope: .singleton) {
            Holder(tracker.make(), try $0.provider(for: Int.self))
          }
        }
        .build()
      XCTAssertEqual(try frozen.resolve(Holder.self).provider(), 1)
      try await frozen.shutdown()
    }
    await tracker.waitUntilNoneIsLeft()
    XCTAssertEqual(tracker.alive, 0)
  }

  func testReadersAndAShutdownMayMeet() throws {
    for _ in 0..<StressSize.scaled(50) {
      let tracker = LifetimeTracker()
      let frozen = try Self.built(tracker)
      try onThreads(4) { thread in
        if thread == 0 {
          usleep(50)
          let done = DispatchSemaphore(value: 0)
          Task {
            try? await frozen.shutdown()
            done.signal()
          }
          done.wait()
          return
        }
        for _ in 0..<500 {
          guard let found = try? frozen.resolve(Tracked.self) else { return }
          XCTAssertEqual(found.serial, 1)
        }
      }
    }
  }

  // MARK: - Threads

  /// A decoration that is removed late must not take instances away.
  func testAFrozenContainerKeepsItsInstancesFromRemovalsUnderWay() throws {
    for _ in 0..<StressSize.scaled(500) {
      let tracker = LifetimeTracker()
      let builder = ContainerBuilder()
      var decorations: [Decoration] = []
      try builder.configure { container in
        try container.register(Tracked.self) { _ in tracker.make() }.as(.singleton)
        for _ in 0..<20 { decorations.append(try container.decorate(Tracked.self) { it, _ in it }) }
      }
      let removed = decorations
      try onThreads(2) { thread in
        if thread == 1 {
          for decoration in removed { decoration.remove() }
          return
        }
        let frozen = try builder.build()
        let first = try frozen.resolve(Tracked.self).serial
        for _ in 0..<20 { XCTAssertEqual(try frozen.resolve(Tracked.self).serial, first) }
      }
    }
  }

  /// A writer that was let in has finished before the container is frozen.
  func testNothingChangesWhileAContainerIsFrozen() throws {
    let container = Container()
    try container.register(Int.self) { _ in 0 }
    let rounds = StressSize.scaled(500)
    try onThreads(4) { thread in
      for round in 0..<rounds {
        if thread > 0 {
          _ = try? container.register(Int.self) { _ in round }
          continue
        }
        try container.freeze()
        let first = try container.resolve(Int.self)
        for _ in 0..<5 { XCTAssertEqual(try container.resolve(Int.self), first) }
        container.thaw()
      }
    }
  }
}
