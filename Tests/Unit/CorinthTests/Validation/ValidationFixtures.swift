// SPDX-License-Identifier: MIT

import Corinth
import TestSupport
import XCTest

/// A service whose factory counts its runs, so that a test can say that none ran.
class Component: @unchecked Sendable {
  static let runs = AtomicCounter()

  init() { Component.runs.add() }
}

final class Quartz: Component, @unchecked Sendable {}
final class Gearbox: Component, @unchecked Sendable {
  convenience init(quartz: Quartz) { self.init() }
}
final class Axle: Component, @unchecked Sendable {
  convenience init(gearbox: Gearbox) { self.init() }
}
final class Vehicle: Component, @unchecked Sendable {
  convenience init(axle: Axle) { self.init() }
}

extension XCTestCase {
  /// The findings of a validation that fails; none for one that succeeds.
  func findings(
    _ validate: () throws -> ValidationReport, file: StaticString = #filePath, line: UInt = #line
  ) -> [ValidationFinding] {
    do { return try validate().findings } catch RegistrationError.validationFailed(let report) {
      return report.findings
    } catch {
      XCTFail("\(error)", file: file, line: line)
      return []
    }
  }

  /// The same for a validation that builds asynchronously.
  nonisolated(nonsending)
    func findings(
      _ validate: () async throws -> ValidationReport, file: StaticString = #filePath,
      line: UInt = #line
    ) async -> [ValidationFinding]
  {
    let result: Result<ValidationReport, any Error>
    do { result = .success(try await validate()) } catch { result = .failure(error) }
    return findings({ try result.get() }, file: file, line: line)
  }
}
