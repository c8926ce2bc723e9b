// SPDX-License-Identifier: MIT

import Corinth
import TestSupport
import XCTest

/// What factories resolve in scopes of their own while they are recorded.
final class RecordingScopesTests: ContainerTestCase {
  private final class User: Sendable {}

  /// Scoped registrations, and a singleton whose factory opens a scope of its own.
  private func registerScopes(_ body: @escaping @Sendable (Container) throws -> Void) throws {
    unowned let container = container
    try container.registerInput(User.self)
    try container.register(Gearbox.self) { r in
      _ = try r.resolve(User.self)
      return Gearbox()
    }.as(.scoped)
    try container.register(Quartz.self) { _ in
      try container.syncWithScope(providing: User(), do: body)
      return Quartz()
    }.as(.singleton)
  }

  func testWhatAFactoryResolvesInAScopeOfItsOwnIsNotKept() throws {
    try registerScopes { scope in
      _ = try (scope.resolve(Gearbox.self), scope.resolve(User.self))
      _ = try (
        scope.provider(for: Gearbox.self), scope.resolve(Lazy<Provider<Gearbox>>.self),
        scope.resolve(Lazy<[Provider<Gearbox>]>.self)
      )
    }
    container.recordDependencies()
    _ = try container.resolve(Quartz.self)
    XCTAssertEqual(try container.validate(roots: [Quartz.self]).unknown, [])
    XCTAssertNoThrow(try container.validate(inputs: [User.self]))
    XCTAssertEqual(
      findings { try container.validate(inputs: []) }.map { $0.places.map(\.key) },
      [[RegistrationKey(User.self), RegistrationKey(Gearbox.self)]])
  }

  func testWhatAFactoryResolvesInAnotherContainerIsNotMissed() throws {
    let others = [Container(), Container(parent: container)]
    for other in others {
      try other.register(Gearbox.self) { _ in Gearbox() }.as(.singleton)
      other.recordDependencies()
    }
    try container.register(Quartz.self) { _ in
      for other in others { _ = try other.resolve(Gearbox.self) }
      return Quartz()
    }
    _ = try container.resolve(Quartz.self)
    XCTAssertEqual(try container.validate(roots: [Quartz.self]).unknown, [])
  }

  func testWhatHasFailedInAScopeOfItsOwnIsNotKept() throws {
    unowned let container = container
    try registerScopes { _ in
      try container.syncWithScope { _ = try $0.resolve(Gearbox.self) }
    }
    container.recordDependencies()
    XCTAssertThrowsError(try container.resolve(Quartz.self)) {
      XCTAssertTrue($0.is(.scopeInputMissing), "\($0)")
    }
    XCTAssertEqual(try container.validate().unknown, [.init(Gearbox.self), .init(Quartz.self)])
  }

  private func registerATransientThatOpensAScope() throws {
    try registerScopes { _ = try $0.resolve(Gearbox.self) }
    unowned let container = container
    try container.register(Axle.self) { r in
      try container.syncWithScope(providing: User()) { _ = try $0.resolve(Gearbox.self) }
      return Axle(gearbox: try r.resolve())
    }
  }

  /// What it resolves in the scope that it lies in counts as ever.
  private func assertTheVehicleKeepsAGearbox(line: UInt = #line) {
    XCTAssertThrowsError(try container.resolve(Vehicle.self), line: line)
    XCTAssertEqual(
      findings { try container.validate() }.map(\.path),
      [[RegistrationKey(Vehicle.self), RegistrationKey(Axle.self), RegistrationKey(Gearbox.self)]],
      line: line)
  }

  func testATransientOfAScopeMayOpenAnother() throws {
    try registerATransientThatOpensAScope()
    try container.wire(Vehicle.self, using: Vehicle.init(axle:)).as(.singleton)
    let recording = container.recordDependencies()
    try container.syncWithScope(providing: User()) { _ = try $0.resolve(Axle.self) }
    recording.stop()
    assertTheVehicleKeepsAGearbox()
  }

  func testATransientOfAScopeMayOpenAnotherAndBeRecordedWhereItFails() throws {
    try registerATransientThatOpensAScope()
    try container.register(Vehicle.self) { Vehicle(axle: try $0.resolve()) }.as(.singleton)
    container.recordDependencies()
    try container.syncWithScope(providing: User()) { _ = try $0.resolve(Axle.self) }
    assertTheVehicleKeepsAGearbox()
  }

  func testATaskOfAFactoryResolvesInScopesOfItsOwn() async throws {
    let gate = AsyncGate()
    let task = Guarded<Task<Bool, Never>>()
    unowned let container = container
    try registerScopes { _ in
      task.value = Task {
        await gate.wait()
        let found = try? await container.withScope(providing: User()) {
          try $0.resolve(Gearbox.self)
        }
        return found != nil
      }
    }
    container.recordDependencies()
    _ = try container.resolve(Quartz.self)
    gate.open()
    let isResolved = await task.value?.value
    XCTAssertEqual(isResolved, true)
    XCTAssertNoThrow(try container.validate())
  }
}
