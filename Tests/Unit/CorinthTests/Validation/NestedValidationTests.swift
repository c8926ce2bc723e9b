// SPDX-License-Identifier: MIT

import Corinth
import TestSupport
import XCTest

private enum UTC: NameMarker { static let name: Name = "utc" }

/// Parents, forks, names and derived products: what is resolved is what is validated.
final class NestedValidationTests: ContainerTestCase {
  func testASingletonOfTheParentDoesNotSeeTheChild() throws {
    try container.wire(
      Gearbox.self, using: Gearbox.init(quartz:), file: "Garage/Cars.swift", line: 7
    ).as(.singleton)
    let child = Container(parent: container)
    try child.wire(Quartz.self, using: Quartz.init, file: "Garage/Clocks.swift", line: 3)
    let found = findings { try child.validate() }
    XCTAssertEqual(found.map(\.kind), [.missing])
    assertGolden("validation-missing-in-the-parent", found.map(\.description).joined())
    XCTAssertThrowsError(try child.resolve(Gearbox.self))
  }

  func testATransientOfTheParentSeesTheChild() throws {
    try container.wire(Gearbox.self, using: Gearbox.init(quartz:))
    let child = Container(parent: container)
    try child.wire(Quartz.self, using: Quartz.init)
    XCTAssertNoThrow(try child.validate())
    XCTAssertEqual(findings { try container.validate() }.map(\.kind), [.missing])
  }

  func testATransientIsLookedAtInBothContainers() throws {
    try container.wire(Gearbox.self, using: Gearbox.init(quartz:))
    try container.wire(Axle.self, using: Axle.init(gearbox:)).as(.singleton)
    let child = Container(parent: container)
    try child.wire(Quartz.self, using: Quartz.init)
    let found = findings { try child.validate() }
    XCTAssertEqual(
      found.map(\.path),
      [[RegistrationKey(Axle.self), RegistrationKey(Gearbox.self), RegistrationKey(Quartz.self)]])
  }

  func testAnOverrideOfTheChildHidesTheParentsFault() throws {
    try container.wire(Gearbox.self, using: Gearbox.init(quartz:))
    let child = Container(parent: container)
    try child.register(Gearbox.self) { _ in Gearbox() }
    XCTAssertNoThrow(try child.validate())
  }

  func testAForkReachesSingletons() throws {
    try container.wire(Gearbox.self, using: Gearbox.init(quartz:)).as(.singleton)
    let fork = try container.fork { try $0.wire(Quartz.self, using: Quartz.init) }
    XCTAssertNoThrow(try fork.validate())
    fork.unregister(Quartz.self)
    XCTAssertEqual(findings { try fork.validate() }.map(\.kind), [.missing])
  }

  func testAForkSeesTheRegistrationsOfItsMoment() throws {
    try container.wire(Quartz.self, using: Quartz.init)
    try container.wire(Gearbox.self, using: Gearbox.init(quartz:))
    let fork = container.fork()
    container.unregister(Quartz.self)
    XCTAssertNoThrow(try fork.validate())
    XCTAssertEqual(findings { try container.validate() }.map(\.kind), [.missing])
  }

  func testNamedParametersAreLookedUpByTheirNames() throws {
    try container.wire(Quartz.self, name: "utc", using: Quartz.init)
    try container.register(Int.self) { (_: Resolver) in 7 }.dependsOn(Named<Quartz, UTC>.self)
    try container.register(Int.self, name: "lazy") { (_: Resolver) in 7 }
      .dependsOn(Named<Lazy<Quartz>, UTC>.self, Lazy<Named<Quartz, UTC>>.self)
    try container.validate(roots: .keys([.init(Int.self), .init(Int.self, name: "lazy")]))
    container.unregister(Quartz.self, name: "utc")
    let found = findings { try container.validate() }
    XCTAssertEqual(found.map(\.path.last), [RegistrationKey(Quartz.self, name: "utc")])
    XCTAssertEqual(found.first?.places.count, 2)
  }

  func testCollectionsReachAllTheirElements() throws {
    try container.wire(Quartz.self, name: "utc", using: Quartz.init)
    try container.contribute(to: Quartz.self) { _ in Quartz() }.dependsOn()
    for (name, type) in [
      ("plain", [Quartz].self), ("lazy", [Lazy<Quartz>].self),
      ("deep", Lazy<[Provider<Quartz>]>.self),
    ] as [(String, any Any.Type)] {
      try container.register(Int.self, name: Name(name)) { (_: Resolver) in 7 }.dependsOn(type)
      try container.validate(roots: .keys([.init(Int.self, name: Name(name))]))
      container.unregister(Int.self, name: Name(name))
    }
  }

  func testACycleThroughACollectionIsFound() throws {
    try container.contribute(to: Quartz.self) { resolver in
      _ = try resolver.resolve([Quartz].self)
      return Quartz()
    }.dependsOn([Quartz].self)
    XCTAssertEqual(findings { try container.validate() }.map(\.kind), [.cyclic])
    XCTAssertThrowsError(try container.resolve([Quartz].self))
  }

  func testArgumentsAreGivenByTheCaller() throws {
    final class Ride: Sendable {
      init(_ distance: Int, _ car: Vehicle) {}
    }
    try container.wire(Ride.self, arguments: Int.self, using: Ride.init)
    XCTAssertEqual(
      findings { try container.validate() }.map(\.key), [RegistrationKey(Vehicle.self)])
    try container.register(Vehicle.self) { _ in Vehicle() }.dependsOn()
    try container.validate(roots: .keys([.init(Ride.self, arguments: Int.self)]))
  }

  func testAnotherTypeAndAnUnwrappedOptionalAreFound() throws {
    let container = Container(unwrapsOptionals: true)
    try container.register(Quartz?.self) { _ in Quartz() }.dependsOn()
    try container.register(Axle.self) { _ in Axle() }.implements(Component.self).dependsOn()
    try container.register(Int.self) { (_: Resolver) in 7 }.dependsOn(Quartz.self, Component.self)
    XCTAssertNoThrow(try container.validate(roots: [Int.self]))
  }

  func testAFrozenContainerIsValidated() throws {
    try container.wire(Gearbox.self, using: Gearbox.init(quartz:))
    try container.freeze()
    XCTAssertEqual(findings { try container.validate() }.map(\.kind), [.missing])
  }

  func testOthersMayRegisterAndResolveMeanwhile() throws {
    unowned let container = container
    try container.wire(Quartz.self, using: Quartz.init).as(.singleton)
    try container.wire(Gearbox.self, using: Gearbox.init(quartz:)).as(.singleton)
    let counts = try onThreads(4) { thread in
      var count = 0
      for round in 0..<200 {
        switch thread {
        case 0:
          try container.wire(Quartz.self, using: Quartz.init).as(.singleton)
          try container.wire(Axle.self, name: "\(round % 7)", using: Axle.init(gearbox:))
        case 1:
          _ = try container.resolve(Gearbox.self)
          container.unregister(Axle.self, name: "\(round % 5)")
        default:
          count += try container.validate().findings.count
        }
      }
      return count
    }
    XCTAssertEqual(counts, [0, 0, 0, 0])
  }
}
