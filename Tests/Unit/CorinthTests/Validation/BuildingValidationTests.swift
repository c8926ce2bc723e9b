// SPDX-License-Identifier: MIT

import Corinth
import TestSupport
import XCTest

private struct Broken: Error, CustomStringConvertible {
  var description: String { "the mainspring is broken" }
}

/// Everything is built once in a fork that is thrown away.
final class BuildingValidationTests: ContainerTestCase {
  func testFactoriesRunInAForkOnly() throws {
    try container.register(Quartz.self) { _ in Quartz() }.as(.singleton)
    try container.register(Gearbox.self) { Gearbox(quartz: try $0.resolve()) }
    let runs = Component.runs.value
    try container.syncValidate(building: false)
    XCTAssertEqual(Component.runs.value, runs)
    let report = try container.syncValidate(building: true, roots: [Gearbox.self])
    XCTAssertEqual(Component.runs.value, runs + 2)
    XCTAssertEqual(report.unknown, [])
    XCTAssertEqual(container.registrations.filter(\.isBuilt).count, 0)
  }

  func testFailuresAreFindingsBesideTheOthers() throws {
    try container.register(Quartz.self, file: "Garage/Clocks.swift", line: 3) { _ in throw Broken()
    }
    .as(.singleton)
    try container.register(Gearbox.self) { Gearbox(quartz: try $0.resolve()) }
    try container.register(Axle.self, name: "b") { _ in Axle() }
    try container.register(Vehicle.self) { r in
      _ = try r.resolve(Axle.self)
      return Vehicle()
    }
    let found = findings { try container.syncValidate(building: true) }
    XCTAssertEqual(found.map(\.kind), [.missing, .failed])
    assertGolden("validation-failed", found.last?.description ?? "")
  }

  func testAForwardToWhatIsNotOfTheTypeFails() throws {
    try container.register(Component.self) { _ in Quartz() }.implements(Gearbox.self)
    XCTAssertNoThrow(try container.validate())
    XCTAssertEqual(findings { try container.syncValidate(building: true) }.map(\.kind), [.failed])
  }

  func testScopedInstancesAreBuiltInARequestScopeWithInputs() throws {
    try container.registerInput(String.self)
    try container.registerInput(Int.self)
    try container.register(Quartz.self) { r in
      _ = try r.resolve(String.self)
      return Quartz()
    }.as(.scoped)
    let seen = Guarded<Int>(0)
    try container.register(Gearbox.self) { r in
      seen.value = try r.resolve(Int.self)
      return Gearbox(quartz: try r.resolve())
    }
    try container.syncValidate(
      building: true, roots: .keys([.init(Gearbox.self)]), providing: 7, "x")
    XCTAssertEqual(seen.value, 7)
    let found = findings { try container.syncValidate(building: true) }
    XCTAssertEqual(found.map(\.kind), [.missingInput, .missingInput])
    for finding in found {
      XCTAssertTrue(
        finding.description.contains(
          "give an example of it to the dry run, `validate(building: true, providing: ...)`"),
        finding.description)
    }
  }

  func testNothingIsLeftUndisposed() throws {
    let reports = EventLog()
    Container.onUndisposed = { reports.add("\($0)") }
    defer { Container.onUndisposed = nil }
    let disposals = AtomicCounter()
    try container.register(Quartz.self) { _ in Quartz() }.as(.singleton)
      .onDispose { _ in disposals.add() }
    try container.register(Gearbox.self) { _ in Gearbox() }.as(.scoped)
      .onDispose { _ in disposals.add() }
    try container.syncValidate(building: true)
    XCTAssertEqual(disposals.value, 2)
    XCTAssertEqual(reports.entries, [])
  }

  /// The pool was closed while the transaction that uses it was still being rolled back.
  func testSynchronouslyWhatOnlyATaskCanDisposeOfIsDisposedOfInOrder() async throws {
    let log = EventLog()
    let ended = expectation(description: "the fork is closed")
    try container.register(Quartz.self) { _ in Quartz() }.as(.singleton)
      .onDispose { _ in
        log.add("singleton")
        ended.fulfill()
      }
    try container.register(Gearbox.self) { _ in Gearbox() }.as(.scoped)
      .onDispose { _ async in
        for _ in 0..<100 { await Task.yield() }
        log.add("scoped")
      }
    try await container.validate(building: true)
    await fulfillment(of: [ended], timeout: hangLimit.inSeconds)
    XCTAssertEqual(log.entries, ["scoped", "singleton"])
  }

  func testAFrozenContainerIsBuiltToo() async throws {
    let frozen = try ContainerBuilder()
      .configure {
        try $0.register(Quartz.self, scope: .singleton) { _ in Quartz() }
        try $0.register(Axle.self) { _ in throw Broken() }
      }
      .build()
    XCTAssertEqual(findings { try frozen.syncValidate(building: true) }.map(\.kind), [.failed])
    do {
      try await frozen.validate(building: true, roots: [Quartz.self])
      XCTFail("A factory has thrown.")
    } catch RegistrationError.validationFailed(let report) {
      XCTAssertEqual(report.findings.map(\.kind), [.unused, .failed])
    }
  }

  func testADisposerThatFailsIsAFinding() throws {
    try container.register(Quartz.self) { _ in Quartz() }.as(.singleton)
      .onDispose { _ in throw Broken() }
    XCTAssertEqual(findings { try container.syncValidate(building: true) }.map(\.kind), [.failed])
  }

  func testAnInstanceOfTheUserGetsNothing() throws {
    final class Kept: CustomStorage, @unchecked Sendable {
      let stored = Guarded<Quartz>()
      func get(for context: StorageContext) -> Quartz? { stored.value }
      func set(_ product: Quartz, for context: StorageContext) { stored.value = product }
      func release() { stored.value = nil }
    }
    let kept = Kept()
    try container.register(Quartz.self) { _ in Quartz() }.as(kept)
    try container.syncValidate(building: true)
    XCTAssertNil(kept.stored.value)
  }

  func testAsynchronousRegistrationsAreLeftToTheAsynchronousForm() throws {
    try container.registerAsync(Quartz.self) { _ in throw Broken() }
    XCTAssertEqual(
      try container.syncValidate(building: true).unknown, [RegistrationKey(Quartz.self)])
  }

  func testAsynchronousRegistrationsAreBuilt() async throws {
    let disposals = AtomicCounter()
    try container.registerAsync(Quartz.self) { _ in Quartz() }.as(.singleton)
      .onDispose { _ async in
        await Task.yield()
        disposals.add()
      }
    let report = try await container.validate(building: true)
    XCTAssertEqual(report.unknown, [])
    XCTAssertEqual(disposals.value, 1)
    try container.registerAsync(Gearbox.self) { _ in throw Broken() }
    do {
      try await container.validate(building: true)
      XCTFail("A factory has thrown.")
    } catch RegistrationError.validationFailed(let report) {
      XCTAssertEqual(report.findings.map(\.kind), [.failed])
    }
  }

  private func registerWarm() throws {
    try container.register(Gearbox.self) { r in
      let quartz = try r.resolve(Quartz.self)
      _ = try r.resolve(Axle.self)
      return Gearbox(quartz: quartz)
    }
    try container.register(Axle.self) { _ in Axle() }
    try container.registerAsync(Quartz.self) { _ in Quartz() }.as(.singleton).eager()
  }

  func testEagerSingletonsAreBuiltFirst() async throws {
    try registerWarm()
    let report = try await container.validate(building: true, roots: .keys([.init(Gearbox.self)]))
    XCTAssertEqual(report.unknown, [])
  }

  func testTheSynchronousFormDoesNotFailForWhatWarmUpBuilds() throws {
    try registerWarm()
    // What comes after the asynchronous singleton was not seen.
    let report = try container.syncValidate(building: true, roots: .keys([.init(Gearbox.self)]))
    XCTAssertEqual(report.unknown, [RegistrationKey(Gearbox.self), RegistrationKey(Quartz.self)])
    try container.registerAsync(Quartz.self) { _ in Quartz() }.as(.singleton)
    XCTAssertEqual(
      findings { try container.syncValidate(building: true) }.map(\.kind), [.asynchronous])
  }

  /// An application that validated itself at its start had closed its own pool of connections.
  func testAValueIsNotDisposedOf() async throws {
    let log = EventLog()
    try container.register(value: Quartz(), as: Quartz.self)
      .afterInit { _, _ in log.add("set up") }
      .onDispose { _ in log.add("disposed of") }
    try await container.validate(building: true)
    try await container.validate(building: true)
    XCTAssertEqual(log.entries, ["set up", "set up"])
    _ = try container.resolve(Quartz.self)
    try await container.shutdown()
    XCTAssertEqual(log.entries, ["set up", "set up", "set up", "disposed of"])
  }

  private func registerBehindTheSynchronous() throws {
    try container.register(Gearbox.self) { Gearbox(quartz: try $0.resolve()) }
    try container.registerAsync(Quartz.self) { _ in Quartz() }.as(.singleton)
  }

  /// The factory was said to have failed, and each request resolved it.
  func testAnAsynchronousSingletonThatHasBeenBuiltIsTakenToBeThere() async throws {
    try registerBehindTheSynchronous()
    _ = try await container.resolveAsync(Quartz.self)
    XCTAssertNoThrow(try container.resolve(Gearbox.self))
    try await container.validate(building: true)
    try await Container(parent: container).validate(building: true)
  }

  func testAnAsynchronousSingletonThatIsOnlyThereInTheForkIsAFinding() async throws {
    try registerBehindTheSynchronous()
    let found = await findings { try await container.validate(building: true) }
    XCTAssertEqual(found.map(\.kind), [.asynchronous])
  }

  /// A lazy value is resolved later, as far as the graph knows.
  func testALazyValueThatCannotBeResolvedAtOnceHasFailed() async throws {
    try container.register(Gearbox.self) { r in
      Gearbox(quartz: try r.resolve(Lazy<Quartz>.self).value)
    }
    try container.registerAsync(Quartz.self) { _ in Quartz() }.as(.singleton)
    let found = await findings { try await container.validate(building: true) }
    XCTAssertEqual(found.map(\.kind), [.failed])
  }

  private final class Screen: Sendable {
    let quartz: Quartz

    init() {
      @Injected var quartz: Quartz
      self.quartz = quartz
    }
  }

  private func registerScreens() throws {
    try container.register(Quartz.self) { _ in Quartz() }.as(.singleton)
    try container.register(Screen.self) { _ in
      if Container.current == nil { throw Broken() }
      return Screen()
    }
    try container.register(Screen.self, name: "kept") { _ in
      if Container.current == nil { throw Broken() }
      return Screen()
    }.as(.singleton)
  }

  /// The program ended, as no container was current.
  func testAnInjectedPropertyFindsTheFork() async throws {
    try registerScreens()
    XCTAssertEqual(try container.syncValidate(building: true).unknown, [])
    let report = try await container.validate(building: true)
    XCTAssertEqual(report.unknown, [])
  }

  /// The application's database was opened by a validation that promises to leave it alone.
  func testAnInjectedPropertyDoesNotFindTheContainerThatIsCurrentAround() async throws {
    try registerScreens()
    let container = container
    try container.withCurrent { _ = try container.syncValidate(building: true) }
    try await container.withCurrent { _ = try await container.validate(building: true) }
    XCTAssertEqual(container.registrations.filter(\.isBuilt).count, 0)
  }

  /// A cycle of twenty services was reported twenty times.
  func testACycleIsReportedOnce() async throws {
    try container.register(Int.self) { Int(try $0.resolve(Double.self)) }
    try container.register(Double.self) { Double(try $0.resolve(Float.self)) }
    try container.register(Float.self) { Float(try $0.resolve(Int.self)) }
    XCTAssertEqual(findings { try container.syncValidate(building: true) }.map(\.kind), [.cyclic])
    let found = await findings { try await container.validate(building: true) }
    XCTAssertEqual(found.map(\.kind), [.cyclic])
  }

  func testACycleThatOnlyBuildingMeetsIsReportedOnce() throws {
    try container.register(Int.self) { Int(try $0.resolve(Lazy<Double>.self).value) }
    try container.register(Double.self) { Double(try $0.resolve(Int.self)) }
    XCTAssertEqual(findings { try container.syncValidate(building: true) }.map(\.kind), [.failed])
  }

  func testACycleIsReportedBesideAnotherFindingAboutAMember() throws {
    try container.register(Int.self) { Int(try $0.resolve(Lazy<Double>.self).value) }.as(.scoped)
    try container.register(Double.self) { Double(try $0.resolve(Int.self)) }.as(.scoped)
    try container.register(String.self) { _ in "" }.as(.singleton).dependsOn(Int.self)
    XCTAssertEqual(
      findings { try container.syncValidate(building: true) }.map(\.kind), [.captive, .failed])
  }

  func testWhatNeedsAMemberOfACycleIsNoFindingAndWhatFailsBesideItIs() throws {
    try container.register(Int.self) { Int(try $0.resolve(Double.self)) }
    try container.register(Double.self) { Double(try $0.resolve(Int.self)) }
    try container.register(Float.self) { Float(try $0.resolve(Int.self)) }
    try container.register(Quartz.self) { _ in throw Broken() }
    XCTAssertEqual(
      findings { try container.syncValidate(building: true) }.map(\.kind), [.cyclic, .failed])
  }

  /// The request that the scope was made with was said to be missing.
  func testAScopeHasTheInputsThatItWasMadeWith() async throws {
    try container.registerInput(String.self)
    try container.register(Quartz.self) { r in
      _ = try r.resolve(String.self)
      return Quartz()
    }.as(.scoped)
    let scope = container.makeScope(providing: "x")
    XCTAssertEqual(try scope.syncValidate(building: true).unknown, [])
    let report = try await scope.validate(building: true)
    XCTAssertEqual(report.unknown, [])
    try await scope.close()
  }

  func testWarmUpThrowsTheWholeReportAndBuildsNothing() async throws {
    try container.register(Quartz.self) { _ in Quartz() }.as(.singleton).eager()
    try container.wire(Axle.self, using: Axle.init(gearbox:))
    try container.wire(Vehicle.self, using: Vehicle.init(axle:)).as(.weak).eager()
    let runs = Component.runs.value
    XCTAssertThrowsError(try container.syncWarmUp(validating: true)) {
      XCTAssertEqual($0.findings?.map(\.kind), [.missing, .invalid])
    }
    do {
      try await container.warmUp(validating: true)
      XCTFail("There are findings.")
    } catch {
      XCTAssertTrue(error.is(.validationFailed))
    }
    XCTAssertEqual(Component.runs.value, runs)
    container.unregister(Vehicle.self)
    try container.register(Gearbox.self) { _ in Gearbox() }
    try await container.warmUp(validating: true)
    XCTAssertEqual(Component.runs.value, runs + 1)
  }

  func testABuilderValidatesWhatItBuilds() throws {
    let builder = try ContainerBuilder().configure {
      try $0.wire(Gearbox.self, using: Gearbox.init(quartz:))
    }
    XCTAssertThrowsError(try builder.build(validating: true)) {
      XCTAssertTrue($0.is(.validationFailed))
    }
    try builder.configure { try $0.register(Quartz.self) { _ in Quartz() } }
    let container = try builder.build(validating: true)
    XCTAssertNoThrow(try container.validate())
    XCTAssertNoThrow(try container.resolve(Gearbox.self))
  }
}
