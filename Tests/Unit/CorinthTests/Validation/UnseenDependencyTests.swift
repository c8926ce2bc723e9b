// SPDX-License-Identifier: MIT

import Synchronization
import TestSupport
import XCTest

@testable import Corinth

#if DEBUG
  private struct Clock {}
  private struct Report {
    let clock: Clock
  }

  /// `warmUp(validating: true)` passed when a dependency of a closure was missing, and did not say
  /// what it had left out.
  final class UnseenDependencyTests: XCTestCase {
    private let hints = EventLog()

    override func setUp() {
      Hints.saysUnseen.store(true, ordering: .relaxed)
      Container.onHint = { [hints] in hints.add($0) }
    }

    override func tearDown() { Container.onHint = nil }

    private func container() throws -> Container {
      let container = Container()
      try container.register(Report.self) { resolver in Report(clock: try resolver.resolve()) }
      try container.register(String.self) { _ in "" }
      return container
    }

    func testAWarmUpSaysOnceHowManyClosuresItCannotSeeAndHowToSeeThem() async throws {
      for _ in 0..<2 { try await container().warmUp(validating: true) }
      XCTAssertEqual(
        hints.entries,
        [
          """
          The validation has not checked what 2 registrations depend on, as closures do not say it: among them Report.
            hint: a dry run does, `try await container.validate(building: true)`: it builds everything once, in a fork \
          that is thrown away. What is registered with `wire` or `.dependsOn(...)` is always checked.
          """
        ])
    }

    // The dry run of the hint failed for each input.
    func testTheDryRunOfTheHintIsGivenTheInputs() async throws {
      let container = try container()
      try container.register(value: Clock())
      try container.registerInput(Int.self)
      try container.registerInput(Double?.self)
      try await container.warmUp(validating: true)
      XCTAssertTrue(
        hints.entries.first?.contains(
          "hint: a dry run does, `try await container.validate(building: true, providing: ...)` with an example of Int: it builds"
        ) ?? false, "\(hints.entries)")
      try await container.validate(building: true, providing: 7)
    }

    func testTheDryRunOfTheHintFindsWhatTheWarmUpHasLeftOut() async throws {
      do {
        try await container().validate(building: true)
        XCTFail("A clock is missing.")
      } catch RegistrationError.validationFailed(let report) {
        XCTAssertEqual(report.findings.map(\.kind), [.missing])
      }
    }

    func testEachFormOfTheStartSaysIt() throws {
      try container().syncWarmUp(validating: true)
      XCTAssertEqual(hints.entries.count, 1)
      Hints.saysUnseen.store(true, ordering: .relaxed)
      _ = try ContainerBuilder().configure { try $0.register(Int.self) { _ in 1 } }.build(
        validating: true)
      XCTAssertEqual(hints.entries.count, 2)
    }

    func testTheParallelFormSaysIt() async throws {
      try await container().warmUp(validating: true, maximumConcurrency: 2)
      XCTAssertEqual(hints.entries.count, 1)
    }

    func testWhatIsKnownOrNotValidatedSaysNothing() async throws {
      let wired = Container()
      try wired.wire(Report.self, using: Report.init)
      try wired.register(value: Clock())
      try wired.register(Int.self, with: .dependsOn(Clock.self)) { _ in 1 }
      try await wired.warmUp(validating: true)
      try await container().warmUp()
      try container().validate()
      XCTAssertEqual(hints.entries, [])
    }
  }
#endif
