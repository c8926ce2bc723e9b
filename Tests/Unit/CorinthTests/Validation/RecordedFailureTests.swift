// SPDX-License-Identifier: MIT

import Corinth
import TestSupport
import XCTest

private final class User: Sendable {}

/// A factory that fails is said to need what it has failed at, unless that was in a scope of its
/// own or in a decorator.
final class RecordedFailureTests: ContainerTestCase {
  private func registerScoped() throws {
    try container.registerInput(User.self)
    try container.register(Gearbox.self) { r in
      _ = try r.resolve(User.self)
      return Gearbox()
    }.as(.scoped)
  }

  private func paths(_ kind: ValidationFinding.Kind) -> [[RegistrationKey]] {
    findings { try container.validate() }.filter { $0.kind == kind }.map(\.path)
  }

  private func assertARecordedResolveFailsAtACaptive(line: UInt = #line) {
    container.recordDependencies()
    XCTAssertThrowsError(try container.resolve(Axle.self), line: line) {
      XCTAssertTrue($0.is(.captiveDependency), "\($0)", line: line)
    }
    XCTAssertEqual(
      paths(.captive), [[RegistrationKey(Axle.self), RegistrationKey(Gearbox.self)]], line: line)
  }

  func testAFactoryMayFailAtWhatItHasFoundInAScopeOfItsOwn() throws {
    try registerScoped()
    unowned let container = container
    try container.register(Axle.self) { r in
      try container.syncWithScope(providing: User()) { _ = try $0.resolve(Gearbox.self) }
      return Axle(gearbox: try r.resolve())
    }.as(.singleton)
    assertARecordedResolveFailsAtACaptive()
  }

  func testAFactoryMayFailAtWhatHasFailedInAScopeOfItsOwn() throws {
    try registerScoped()
    unowned let container = container
    try container.register(Axle.self) { r in
      try? container.syncWithScope { _ = try $0.resolve(Gearbox.self) }
      return Axle(gearbox: try r.resolve())
    }.as(.singleton)
    assertARecordedResolveFailsAtACaptive()
  }

  // The run kept its last failure only, which another one took the place of while the factory
  // cleaned up.
  func testAFailureDuringTheCleanUpDoesNotHideWhereTheErrorComesFrom() throws {
    try registerScoped()
    unowned let container = container
    try container.register(Axle.self) { r in
      do {
        try container.syncWithScope { _ = try $0.resolve(Gearbox.self) }
      } catch {
        _ = try? r.resolve(String.self)
        throw error
      }
      return Axle()
    }.as(.singleton)
    container.recordDependencies()
    XCTAssertThrowsError(try container.resolve(Axle.self)) {
      XCTAssertTrue($0.is(.scopeInputMissing), "\($0)")
    }
    XCTAssertNoThrow(try container.validate())
  }

  func testAFactoryMayFailAtWhatItHasFoundInAnEarlierScope() throws {
    try registerScoped()
    unowned let container = container
    let opensScope = Guarded<Bool>(true)
    try container.register(Axle.self) { r in
      guard opensScope.value == true else { return Axle(gearbox: try r.resolve()) }
      try container.syncWithScope(providing: User()) { _ = try $0.resolve(Gearbox.self) }
      return Axle()
    }.as(.singleton)
    container.recordDependencies()
    _ = try container.resolve(Axle.self)
    container.releaseAll()
    opensScope.value = false
    XCTAssertThrowsError(try container.resolve(Axle.self))
    XCTAssertEqual(paths(.captive), [[RegistrationKey(Axle.self), RegistrationKey(Gearbox.self)]])
  }

  func testAFactoryMayFailAtWhatADecoratorOfAChildHasFound() throws {
    let needsGearbox = Guarded<Bool>(false)
    try container.register(Axle.self) { r in
      needsGearbox.value == true ? Axle(gearbox: try r.resolve()) : Axle()
    }
    try container.register(Gearbox.self) { _ in Gearbox() }
    container.recordDependencies()
    let child = Container(parent: container)
    try child.decorate(Axle.self) { axle, r in
      _ = try r.resolve(Gearbox.self)
      return axle
    }
    _ = try child.resolve(Axle.self)
    container.unregister(Gearbox.self)
    needsGearbox.value = true
    XCTAssertThrowsError(try container.resolve(Axle.self))
    XCTAssertEqual(paths(.missing), [[RegistrationKey(Axle.self), RegistrationKey(Gearbox.self)]])
  }

  func testADecoratorThatFailsIsNotTheFactory() throws {
    try container.register(Axle.self) { _ in Axle() }
    container.recordDependencies()
    let decoration = try container.decorate(Axle.self) { axle, r in
      _ = try r.resolve(Gearbox.self)
      return axle
    }
    XCTAssertThrowsError(try container.resolve(Axle.self))
    XCTAssertEqual(paths(.missing), [[RegistrationKey(Axle.self), RegistrationKey(Gearbox.self)]])
    decoration.remove()
    XCTAssertNoThrow(try container.validate())
  }

  func testWhatADecoratorHasFailedAtInAScopeOfItsOwnIsNotKept() throws {
    try registerScoped()
    unowned let container = container
    try container.register(Quartz.self) { _ in Quartz() }.as(.singleton)
    try container.decorate(Quartz.self) { quartz, _ in
      try container.syncWithScope { _ = try $0.resolve(Gearbox.self) }
      return quartz
    }
    container.recordDependencies()
    XCTAssertThrowsError(try container.resolve(Quartz.self)) {
      XCTAssertTrue($0.is(.scopeInputMissing), "\($0)")
    }
    XCTAssertEqual(try container.validate().unknown, [.init(Gearbox.self), .init(Quartz.self)])
  }
}
