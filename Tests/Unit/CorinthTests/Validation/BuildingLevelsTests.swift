// SPDX-License-Identifier: MIT

import Corinth
import TestSupport
import XCTest

private struct Broken: Error {}

/// A child and its parents used to be built in one fork, in which the parents' singletons got what
/// the child had overridden: faults were found in healthy applications.
final class BuildingLevelsTests: ContainerTestCase {
  private func assertHealthy(_ container: Container, line: UInt = #line) async throws {
    let report = try await container.validate(building: true)
    XCTAssertEqual(report.unknown, [], line: line)
    try await container.validate(building: true)
  }

  func testAParentsSingletonDoesNotGetWhatAChildOverrides() async throws {
    try container.register(Quartz.self) { _ in Quartz() }
    try container.register(Gearbox.self) { Gearbox(quartz: try $0.resolve()) }.as(.singleton)
    let child = Container(parent: container)
    try child.register(Quartz.self) { resolver in
      _ = try resolver.resolve(Gearbox.self)
      return Quartz()
    }
    XCTAssertNoThrow(try child.resolve(Quartz.self))
    container.release(Gearbox.self)
    try await assertHealthy(child)
    try await assertHealthy(child.makeScope())
    let other = Container(parent: container.fork())
    try other.register(Quartz.self) { resolver in
      _ = try resolver.resolve(Gearbox.self)
      return Quartz()
    }
    try await assertHealthy(other)
  }

  func testAParentsSingletonDoesNotFindWhatOnlyAChildHas() async throws {
    try container.register(Gearbox.self) { resolver in
      if try resolver.resolveIfRegistered(Axle.self) != nil { throw Broken() }
      return Gearbox()
    }.as(.singleton)
    let child = Container(parent: container)
    try child.register(Axle.self) { Axle(gearbox: try $0.resolve()) }
    XCTAssertNoThrow(try child.resolve(Axle.self))
    container.release(Gearbox.self)
    try await assertHealthy(child)
  }

  func testTheFaultsOfEachLevelAreFound() async throws {
    let child = Container(parent: container)
    let grandchild = Container(parent: child)
    try container.register(Quartz.self) { _ in throw Broken() }
    try child.register(Gearbox.self) { Gearbox(quartz: try $0.resolve()) }.as(.singleton)
    try grandchild.register(Axle.self) { Axle(gearbox: try $0.resolve()) }
    try grandchild.register(Vehicle.self) { resolver in
      _ = try resolver.resolve(Int.self)
      return Vehicle()
    }
    let found = findings { try grandchild.syncValidate(building: true) }
    XCTAssertEqual(found.map(\.kind), [.missing, .failed])
    XCTAssertEqual(found.map(\.key), [.init(Int.self), .init(Quartz.self)])
  }

  func testATransientOfAParentIsBuiltWithWhatTheChildHas() async throws {
    try container.register(Quartz.self) { _ in throw Broken() }
    try container.register(Gearbox.self) { Gearbox(quartz: try $0.resolve()) }
    let child = Container(parent: container)
    try child.register(Quartz.self) { _ in Quartz() }
    try await assertHealthy(child)
    try child.register(Quartz.self) { resolver in
      _ = try resolver.resolve(Axle.self)
      return Quartz()
    }
    let found = findings { try child.syncValidate(building: true) }
    XCTAssertEqual(found.map(\.kind), [.missing])
  }

  func testTheDecoratorsOfAChildReachWhatTheChildBuildsOnly() async throws {
    let child = Container(parent: container)
    try container.register(Quartz.self) { _ in Quartz() }
    try container.register(Gearbox.self) { Gearbox(quartz: try $0.resolve()) }.as(.singleton)
    try child.decorate(Quartz.self) { quartz, resolver in
      _ = try resolver.resolve(Gearbox.self)
      return quartz
    }
    try await assertHealthy(child)
    try child.decorate(Quartz.self) { quartz, resolver in
      _ = try resolver.resolve(Int.self)
      return quartz
    }
    let found = findings { try child.syncValidate(building: true) }
    XCTAssertEqual(found.map(\.kind), [.missing])
    XCTAssertNoThrow(try container.syncValidate(building: true))
  }

  func testWhatAChildServesUnderAnotherTypeIsFound() async throws {
    let child = Container(parent: container)
    try child.register(Quartz.self) { _ in Quartz() }.implements(Component.self)
    try child.register(Gearbox.self) { resolver in
      _ = try resolver.resolve(Component.self)
      return Gearbox()
    }.as(.singleton)
    XCTAssertNoThrow(try child.resolve(Gearbox.self))
    try await assertHealthy(child)
  }

  func testTheInputsOfAScopeAreThere() async throws {
    try container.registerInput(Int.self)
    try container.register(Gearbox.self, scope: .scoped) { resolver in
      _ = try resolver.resolve(Int.self)
      return Gearbox()
    }
    let scope = container.makeScope(providing: 7)
    let inner = Container(parent: scope)
    try inner.register(Axle.self) { Axle(gearbox: try $0.resolve()) }
    XCTAssertNoThrow(try inner.resolve(Axle.self))
    try await inner.validate(building: true, providing: 8)
  }

  func testEachLevelIsDisposedOfTheNearestFirst() async throws {
    let (log, child) = (EventLog(), Container(parent: container))
    try container.register(Quartz.self) { _ in Quartz() }.as(.singleton)
      .onDispose { _ in log.add("parent's") }
    try child.register(Gearbox.self) { Gearbox(quartz: try $0.resolve()) }.as(.singleton)
      .onDispose { _ in log.add("child's") }
    try await assertHealthy(child)
    XCTAssertEqual(log.entries, ["child's", "parent's", "child's", "parent's"])
    XCTAssertEqual(container.registrations.filter(\.isBuilt).count, 0)
    XCTAssertEqual(child.registrations.filter(\.isBuilt).count, 0)
  }
}
