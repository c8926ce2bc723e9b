// SPDX-License-Identifier: MIT

import Corinth
import TestSupport
import XCTest

/// Each kind of finding on its own, with its text.
final class ValidationTests: ContainerTestCase {
  private func assertFinding(
    _ kind: ValidationFinding.Kind, _ golden: String, roots: ValidationRoots? = nil,
    inputs: [any Any.Type]? = nil, file: StaticString = #filePath, line: UInt = #line
  ) {
    let findings = findings(
      { try container.validate(roots: roots, inputs: inputs) }, file: file, line: line)
    XCTAssertEqual(findings.map(\.kind), [kind], "\(findings)", file: file, line: line)
    let text = findings.map(\.description).joined(separator: "\n")
    assertGolden(golden, text, file: file, line: line)
  }

  func testACompleteContainerHasNoFindings() throws {
    try container.wire(Quartz.self, using: Quartz.init)
    try container.wire(Gearbox.self, using: Gearbox.init(quartz:)).as(.singleton)
    let runs = Component.runs.value
    let report = try container.validate(roots: [Gearbox.self])
    XCTAssertTrue(report.findings.isEmpty)
    XCTAssertTrue(report.unknown.isEmpty)
    XCTAssertEqual(Component.runs.value, runs)
  }

  func testAMissingDependencyIsNamedWithNearMisses() throws {
    try container.wire(
      Quartz.self, name: "utc", using: Quartz.init, file: "Garage/Clocks.swift", line: 3)
    try container.wire(
      Gearbox.self, using: Gearbox.init(quartz:), file: "Garage/Cars.swift", line: 7)
    assertFinding(.missing, "validation-missing")
  }

  func testAKeyThatManyMissIsOneFinding() throws {
    for number in 0..<8 {
      try container.wire(
        Gearbox.self, name: "\(number)", using: Gearbox.init(quartz:), file: "Garage/Cars.swift",
        line: UInt(number))
    }
    assertFinding(.missing, "validation-missing-many")
  }

  func testAMissingRootIsAFinding() throws {
    try container.wire(Quartz.self, using: Quartz.init, file: "Garage/Clocks.swift", line: 3)
    assertFinding(
      .missing, "validation-missing-root",
      roots: .keys([.init(Quartz.self), .init(Quartz.self, name: "utc")]))
  }

  func testOptionalDependenciesMayBeMissing() throws {
    try container.register(Int.self) { (_: Resolver) in 7 }.dependsOn(
      Quartz?.self, Lazy<Quartz>?.self, [Quartz]?.self)
    XCTAssertNoThrow(try container.validate())
  }

  func testALazyDependencyMustNotBeMissing() throws {
    try container.register(Int.self) { (_: Resolver) in 7 }.dependsOn(Lazy<Quartz>.self)
    XCTAssertEqual(findings { try container.validate() }.map(\.kind), [.missing])
    XCTAssertThrowsError(try container.resolve(Lazy<Quartz>.self))
  }

  func testACollectionWithoutElementsIsMissingAsItsResolveSays() throws {
    try container.register(Int.self) { (_: Resolver) in 7 }.dependsOn([Quartz].self)
    XCTAssertThrowsError(try container.resolve([Quartz].self))
    XCTAssertEqual(
      findings { try container.validate() }.map(\.key), [RegistrationKey([Quartz].self)])
    try container.contribute(to: Quartz.self) { _ in Quartz() }
    XCTAssertNoThrow(try container.validate())
  }

  func testACycleIsReportedOnce() throws {
    try registerRing()
    try container.register(Vehicle.self) { _ in Vehicle() }.dependsOn(Axle.self)
    assertFinding(.cyclic, "validation-cyclic")
  }

  private func registerRing() throws {
    try container.register(Quartz.self, file: "Garage/Clocks.swift", line: 3) { _ in Quartz() }
      .as(.singleton).dependsOn(Gearbox.self)
    try container.wire(
      Gearbox.self, using: Gearbox.init(quartz:), file: "Garage/Cars.swift", line: 7)
    try container.wire(Axle.self, using: Axle.init(gearbox:)).as(.singleton)
  }

  func testARegistrationThatNeedsItselfIsACycle() throws {
    try container.register(Quartz.self, file: "Garage/Clocks.swift", line: 3) { _ in Quartz() }
      .dependsOn(Quartz.self)
    assertFinding(.cyclic, "validation-cyclic-one")
  }

  func testLazyValuesAndProvidersCloseCycles() throws {
    try container.wire(Gearbox.self, using: Gearbox.init(quartz:)).as(.singleton)
    let clock = try container.register(Quartz.self) { _ in Quartz() }.as(.singleton)
    clock.dependsOn(Lazy<Gearbox>.self, Provider<Gearbox>.self)
    XCTAssertNoThrow(try container.validate())
    clock.dependsOn(Gearbox.self)
    XCTAssertEqual(findings { try container.validate() }.map(\.kind), [.cyclic])
  }

  func testASingletonThatKeepsAScopedInstanceThroughATransient() throws {
    try container.wire(Quartz.self, using: Quartz.init, file: "Garage/Clocks.swift", line: 3)
      .as(.scoped)
    try container.wire(Gearbox.self, using: Gearbox.init(quartz:))
    try container.wire(
      Axle.self, using: Axle.init(gearbox:), file: "Garage/Cars.swift", line: 9
    ).as(.singleton)
    try container.wire(Vehicle.self, using: Vehicle.init(axle:)).as(.scoped)
    assertFinding(.captive, "validation-captive")
  }

  func testWeakAndCachedInstancesOutliveScopesToo() throws {
    try container.wire(Quartz.self, using: Quartz.init).as(.scoped)
    try container.wire(Gearbox.self, using: Gearbox.init(quartz:)).as(.weak)
    try container.wire(Gearbox.self, name: "cached", using: Gearbox.init(quartz:))
      .as(.cached(for: .seconds(1)))
    try container.wire(Gearbox.self, name: "graph", using: Gearbox.init(quartz:)).as(.graph)
    try container.wire(Gearbox.self, name: "scoped", using: Gearbox.init(quartz:)).as(.scoped)
    XCTAssertEqual(
      findings { try container.validate() }.map(\.path),
      [
        [RegistrationKey(Gearbox.self), RegistrationKey(Quartz.self)],
        [RegistrationKey(Gearbox.self, name: "cached"), RegistrationKey(Quartz.self)],
      ])
  }

  func testASingletonOfAScopeMayKeepItsInstances() throws {
    try container.wire(Quartz.self, using: Quartz.init).as(.scoped)
    let scope = container.makeScope()
    try scope.wire(Gearbox.self, using: Gearbox.init(quartz:)).as(.singleton)
    XCTAssertNoThrow(try scope.validate())
    XCTAssertNoThrow(try scope.resolve(Gearbox.self))
    try scope.syncClose()
  }

  func testASynchronousRegistrationThatNeedsAnAsynchronousOne() throws {
    try container.registerAsync(Quartz.self, file: "Garage/Clocks.swift", line: 3) { _ in Quartz() }
      .as(.singleton)
    try container.wire(
      Gearbox.self, using: Gearbox.init(quartz:), file: "Garage/Cars.swift", line: 7)
    try container.wireAsync(Axle.self, using: Axle.init(gearbox:))
    assertFinding(.asynchronous, "validation-asynchronous")
  }

  func testAnAsynchronousTransientCannotBeBuiltBefore() throws {
    try container.registerAsync(Quartz.self, file: "Garage/Clocks.swift", line: 3) { _ in Quartz() }
    try container.wire(
      Gearbox.self, using: Gearbox.init(quartz:), file: "Garage/Cars.swift", line: 7)
    assertFinding(.asynchronous, "validation-asynchronous-transient")
  }

  func testAnAsynchronousSingletonThatIsThereIsNoProblem() async throws {
    try container.registerAsync(Quartz.self) { _ in Quartz() }.as(.singleton)
    try container.wire(Gearbox.self, using: Gearbox.init(quartz:))
    _ = try await container.resolveAsync(Quartz.self)
    XCTAssertNoThrow(try container.validate())
    XCTAssertNoThrow(try container.resolve(Gearbox.self))
  }

  func testAnEagerAsynchronousSingletonIsThereUnlessAnEagerOneNeedsItBefore() async throws {
    let early = try container.wire(Axle.self, using: Axle.init(gearbox:)).as(.singleton)
    try container.registerAsync(Quartz.self) { _ in Quartz() }.as(.singleton).eager()
    try container.wire(Gearbox.self, using: Gearbox.init(quartz:))
    try container.validate()
    early.eager()
    XCTAssertEqual(findings { try container.validate() }.map(\.kind), [.asynchronous])
    let fork = container.fork()
    do {
      try await fork.warmUp()
      XCTFail("It has built a singleton without what that needs.")
    } catch {}
  }

  func testASingletonNeedsAnInput() throws {
    try container.registerInput(String.self, file: "Garage/Requests.swift", line: 5)
    try container.register(Quartz.self, file: "Garage/Clocks.swift", line: 3) { _ in Quartz() }
      .as(.singleton).dependsOn(String.self)
    try container.register(Gearbox.self) { _ in Gearbox() }.as(.scoped).dependsOn(String.self)
    assertFinding(.missingInput, "validation-input-outside")
  }

  func testAnInputThatScopesDoNotGet() throws {
    try container.registerInput(String.self, file: "Garage/Requests.swift", line: 5)
    try container.register(Quartz.self, file: "Garage/Clocks.swift", line: 3) { _ in Quartz() }
      .as(.scoped).dependsOn(String.self)
    XCTAssertNoThrow(try container.validate())
    XCTAssertNoThrow(try container.validate(inputs: [String.self]))
    assertFinding(.missingInput, "validation-input-not-given", inputs: [Int.self])
  }

  func testAnInputThatIsNotDeclaredIsMissing() throws {
    try container.register(Quartz.self, file: "Garage/Clocks.swift", line: 3) { _ in Quartz() }
      .as(.scoped).dependsOn(String.self)
    assertFinding(.missing, "validation-input-not-declared", inputs: [String.self])
  }

  func testAValueOfASubtypeIsGivenAsTheInput() throws {
    try container.registerInput(Component.self)
    try container.register(Int.self) { (_: Resolver) in 7 }.dependsOn(Component.self)
    XCTAssertNoThrow(try container.validate(inputs: [Quartz.self]))
    XCTAssertEqual(
      findings { try container.validate(inputs: [String.self]) }.map(\.kind), [.missingInput])
  }

  func testAnOptionalInputNeedNotBeGiven() throws {
    try container.registerInput(String?.self)
    try container.register(Int.self) { (_: Resolver) in 7 }.as(.scoped).dependsOn(String?.self)
    XCTAssertNoThrow(try container.validate(inputs: []))
    XCTAssertNoThrow(try container.validate(inputs: [String.self]))
    XCTAssertNil(try container.syncWithScope { try $0.resolve(String?.self) })
    try container.register(Int.self, name: "one") { _ in 7 }.as(.singleton).dependsOn(String?.self)
    XCTAssertEqual(findings { try container.validate() }.map(\.kind), [.missingInput])
  }

  func testAValueThatMayConformIsGivenAsAProtocol() throws {
    struct Broken: Error {}
    try container.registerInput((any Error).self)
    try container.registerInput((any Sequence<Int> & Sendable).self)
    try container.registerInput((any CustomStringConvertible & Sendable).self)
    try container.register(Int.self) { (_: Resolver) in 7 }.dependsOn(
      (any Error).self, (any Sequence<Int> & Sendable).self,
      (any CustomStringConvertible & Sendable).self)
    XCTAssertNoThrow(try container.validate(inputs: [Broken.self, [Int].self]))
    XCTAssertNoThrow(try container.validate(inputs: [(any Sendable).self]))
    try container.syncWithScope(providing: Broken(), [7]) {
      XCTAssertTrue(try $0.resolve((any Error).self) is Broken)
      _ = try $0.resolve((any Sequence<Int> & Sendable).self)
      _ = try $0.resolve((any CustomStringConvertible & Sendable).self)
    }
    XCTAssertEqual(
      findings { try container.validate(inputs: [Broken.self]) }.map(\.key),
      [RegistrationKey((any CustomStringConvertible & Sendable).self)])
    XCTAssertEqual(findings { try container.validate(inputs: [[Int]?.self]) }.count, 3)
  }

  func testAnOptionalDependencyWithArgumentsLeadsToItsRegistration() throws {
    try container.register(Gearbox.self) { (_, _: Int) in Gearbox() }.dependsOn(Quartz.self)
    try container.register(Int.self) { (_: Resolver) in 7 }
      .dependsOn(keys: [.init(Gearbox?.self, arguments: Int.self)])
    try container.wire(Quartz.self, using: Quartz.init)
    XCTAssertNoThrow(try container.validate(roots: [Int.self]))
  }

  func testADeclaredDependencyMayBeThatOfAnAction() throws {
    try container.wire(Gearbox.self, using: Gearbox.init(quartz:)).as(.singleton)
    let quartz = try container.register(Quartz.self) { _ in Quartz() }
      .afterInit { resolver, _ in _ = try resolver.resolve(Gearbox.self) }
      .dependsOn(Gearbox.self)
    XCTAssertEqual(findings { try container.validate() }.map(\.kind), [.cyclic])
    quartz.as(.singleton)
    XCTAssertNoThrow(try container.validate())
    XCTAssertNoThrow(try container.resolve(Gearbox.self))
  }

  func testADeclaredDependencyMayBeAwaitedByAnAction() async throws {
    try container.registerAsync(Quartz.self) { _ in Quartz() }
    let gearbox = try container.register(Gearbox.self) { _ in Gearbox() }
      .afterInit { resolver, _ async throws in _ = try await resolver.resolveAsync(Quartz.self) }
      .dependsOn(Quartz.self)
    XCTAssertNoThrow(try container.validate())
    _ = try await container.resolveAsync(Gearbox.self)
    container.unregister(gearbox)
    try container.register(Gearbox.self) { _ in Gearbox() }.afterInit { _, _ in }
      .dependsOn(Quartz.self)
    XCTAssertEqual(findings { try container.validate() }.map(\.kind), [.asynchronous])
  }

  func testAnInvalidRegistration() throws {
    try container.register(Quartz.self, file: "Garage/Clocks.swift", line: 3) { _ in Quartz() }
      .eager()
    assertFinding(.invalid, "validation-invalid")
  }

  func testRegistrationsThatNoRootReaches() throws {
    try container.wire(Quartz.self, using: Quartz.init)
    try container.wire(Gearbox.self, using: Gearbox.init(quartz:))
    try container.wire(
      Axle.self, using: Axle.init(gearbox:), file: "Garage/Cars.swift", line: 9)
    try container.register(value: 7, as: Int.self).eager()
    assertFinding(.unused, "validation-unused", roots: .keys([.init(Gearbox.self)]))
    XCTAssertNoThrow(try container.validate())
  }

  func testRootsAreTypesAListOfTypesOrKeys() throws {
    try container.register(Int.self) { _ in 7 }.dependsOn()
    try container.register(Int.self, name: "a") { _ in 7 }.dependsOn()
    let types: [any Any.Type] = [Int.self]
    for roots: ValidationRoots in [[Int.self], .types(types), .keys([.init(Int.self)])] {
      XCTAssertEqual(
        findings { try container.validate(roots: roots) }.map(\.key),
        [RegistrationKey(Int.self, name: "a")])
    }
    try container.validate(roots: .keys([.init(Int.self), .init(Int.self, name: "a")]))
  }

  func testNothingIsCalledUnusedBehindAnUnknownFactory() throws {
    try container.wire(Quartz.self, using: Quartz.init)
    try container.wire(Gearbox.self, using: Gearbox.init(quartz:))
    let car = try container.register(Vehicle.self) { _ in Vehicle() }
    let report = try container.validate(roots: [Vehicle.self])
    XCTAssertEqual(report.unknown, [RegistrationKey(Vehicle.self)])
    car.dependsOn()
    XCTAssertEqual(
      findings { try container.validate(roots: [Vehicle.self]) }.map(\.key),
      [RegistrationKey(Quartz.self), RegistrationKey(Gearbox.self)])
  }

  func testAllFindingsComeAtOnceSortedByKind() throws {
    try registerRing()
    try container.wire(Vehicle.self, using: Vehicle.init(axle:)).as(.scoped)
    try container.register(Int.self) { _ in 7 }.as(.singleton).dependsOn(Vehicle.self, String.self)
    XCTAssertThrowsError(
      try container.validate(roots: .keys([.init(Int.self), .init(Double.self)]))
    ) {
      let kinds = $0.findings?.map(\.kind)
      XCTAssertEqual(kinds, [.missing, .missing, .cyclic, .captive])
      XCTAssertTrue("\($0)".hasPrefix("4 problems were found in the registrations.\n"), "\($0)")
    }
  }
}
