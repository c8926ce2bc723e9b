// SPDX-License-Identifier: MIT

import Corinth
import TestSupport
import XCTest

/// Validation that fails on what it cannot know.
final class StrictValidationTests: ContainerTestCase {
  private struct PerThread: CustomStorage {
    func get(for context: StorageContext) -> Quartz? { nil }
    func set(_ product: Quartz, for context: StorageContext) {}
    func release() {}
  }

  private func assertFinding(
    _ golden: String, file: StaticString = #filePath, line: UInt = #line
  ) {
    let findings = findings({ try container.validate(strictly: true) }, file: file, line: line)
    XCTAssertEqual(findings.map(\.kind), [.unknown], "\(findings)", file: file, line: line)
    let text = findings.map(\.description).joined(separator: "\n")
    assertGolden(golden, text, file: file, line: line)
    XCTAssertNoThrow(try container.validate(), file: file, line: line)
  }

  func testAClosureIsAFinding() throws {
    try container.register(Quartz.self, file: "Garage/Clocks.swift", line: 3) { _ in Quartz() }
    assertFinding("validation-unknown")
  }

  func testTheDryRunOfAClosureIsGivenTheInputs() throws {
    try container.register(Quartz.self) { _ in Quartz() }
    try container.registerInput(String.self)
    let finding = findings { try container.validate(strictly: true) }.first?.description ?? ""
    XCTAssertTrue(
      finding.hasSuffix("or validate with `building: true, providing: ...`."), finding)
  }

  func testAClosureWithArgumentsIsAFinding() throws {
    try container.register(Quartz.self, file: "Garage/Clocks.swift", line: 3) { (_, _: Int) in
      Quartz()
    }
    assertFinding("validation-unknown-with-arguments")
  }

  func testAnActionIsAFinding() throws {
    try container.wire(Quartz.self, using: Quartz.init, file: "Garage/Clocks.swift", line: 3)
      .afterInit { _, _ in }
    assertFinding("validation-unknown-action")
  }

  func testADecoratorIsAFinding() throws {
    try container.wire(Quartz.self, using: Quartz.init, file: "Garage/Clocks.swift", line: 3)
    try container.decorate(Quartz.self) { quartz, _ in quartz }
    assertFinding("validation-unknown-decorator")
  }

  func testAnInstanceIsAFinding() throws {
    try container.wire(
      Quartz.self, with: .as(PerThread()), using: Quartz.init, file: "Garage/Clocks.swift", line: 3)
    assertFinding("validation-unknown-instance")
  }

  func testWhatIsWiredDeclaredRecordedOrAValueIsKnown() throws {
    try container.wire(Quartz.self, using: Quartz.init).implements(Component.self)
    try container.wire(Gearbox.self, using: Gearbox.init(quartz:))
    try container.register(Axle.self, with: .dependsOn(Gearbox.self)) { resolver in
      Axle(gearbox: try resolver.resolve())
    }
    try container.register(value: 7)
    try container.registerInput(String.self)
    try container.register(Vehicle.self) { resolver in Vehicle(axle: try resolver.resolve()) }
    container.recordDependencies()
    _ = try container.resolve(Vehicle.self)
    XCTAssertEqual(try container.validate(strictly: true).unknown, [])
  }

  func testThereIsOneFindingForEachBesideTheOthers() throws {
    try container.register(Quartz.self) { _ in Quartz() }
    try container.wire(Gearbox.self, using: Gearbox.init(quartz:)).as(.singleton)
    try container.wire(Vehicle.self, using: Vehicle.init(axle:))
    let child = Container(parent: container)
    try child.register(Int.self) { _ in 1 }
    let found = findings { try child.validate(strictly: true) }
    XCTAssertEqual(found.map(\.kind), [.missing, .unknown, .unknown])
    XCTAssertEqual(
      found.map(\.key),
      [RegistrationKey(Axle.self), RegistrationKey(Quartz.self), RegistrationKey(Int.self)])
  }

  // MARK: - Building

  func testBuildingMakesClosuresKnown() async throws {
    try container.register(Quartz.self) { _ in Quartz() }.afterInit { _, _ in }
    try container.decorate(Quartz.self) { quartz, _ in quartz }
    try container.registerAsync(Gearbox.self) { _ in Gearbox() }
    let report = try await container.validate(building: true, strictly: true)
    XCTAssertEqual(report.unknown, [])
    let found = findings { try container.syncValidate(building: true, strictly: true) }
    XCTAssertEqual(found.map(\.kind), [.unknown])
    XCTAssertTrue("\(found)".contains("try await validate(building: true)"), "\(found)")
    XCTAssertEqual(
      findings { try container.syncValidate(building: false, strictly: true) }.count, 2)
  }

  func testAFactoryWithArgumentsStaysUnknown() throws {
    try container.register(Quartz.self) { (_, _: Int) in Quartz() }
    let found = findings { try container.syncValidate(building: true, strictly: true) }
    XCTAssertEqual(found.map(\.kind), [.unknown])
    XCTAssertTrue("\(found)".contains("recordDependencies()"), "\(found)")
  }

  func testWhatFailsIsNotCalledUnknownToo() throws {
    struct Failure: Error {}
    try container.register(Quartz.self) { _ in throw Failure() }
    try container.register(Gearbox.self) { resolver in Gearbox(quartz: try resolver.resolve()) }
    try container.register(Vehicle.self) { resolver in Vehicle(axle: try resolver.resolve()) }
    let found = findings { try container.syncValidate(building: true, strictly: true) }
    XCTAssertEqual(found.map(\.kind), [.missing, .failed])
  }
}
