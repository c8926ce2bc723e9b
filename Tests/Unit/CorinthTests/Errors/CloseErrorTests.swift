// SPDX-License-Identifier: MIT

import XCTest

@testable import Corinth

/// The errors of two shutdowns of one container that ran at once.
final class CloseErrorTests: XCTestCase {
  private struct Broken: Error {}

  private func failure(of type: any Any.Type) -> DisposalFailure {
    DisposalFailure(
      key: RegistrationKey(product: type),
      location: SourceLocation(file: "App/Main.swift", line: 10), error: Broken())
  }

  /// A second signal came as the time for draining had passed: the failures of the disposers were
  /// lost.
  func testFailuresOfDisposersAreKeptBesideScopesThatWereStillOpen() {
    let timedOut = CloseError.drainingTimedOut(openScopes: 2, failures: [])
    let failed = CloseError.disposalFailed([failure(of: Int.self), failure(of: String.self)])
    for error in [CloseError.joining(timedOut, failed), .joining(failed, timedOut)] {
      guard case .drainingTimedOut(openScopes: 2, let failures) = error else {
        XCTFail("\(String(describing: error))")
        continue
      }
      XCTAssertEqual(failures.map { "\($0.key)" }, ["Int", "String"])
    }
  }

  /// The shutdown at the second signal said that the first had not ended, whose failures said why.
  func testAWaitForTheOtherShutdownIsLeftOut() {
    let limit = TimeLimitExceeded(limit: .seconds(1), wasBegun: true, of: .closing)
    let wait = DisposalFailure(
      key: RegistrationKey(product: Container.self),
      location: SourceLocation(file: "unknown", line: 0), error: limit)
    let waited = CloseError.disposalFailed([wait])
    let timedOut = CloseError.drainingTimedOut(openScopes: 2, failures: [wait])
    let failed = CloseError.disposalFailed([failure(of: Int.self)])
    func keys(_ error: CloseError?) -> [String]? {
      switch error {
      case .disposalFailed(let failures): failures.map { "\($0.key)" }
      case .drainingTimedOut(openScopes: 2, let failures): ["2"] + failures.map { "\($0.key)" }
      default: nil
      }
    }
    XCTAssertEqual(keys(.joining(waited, failed)), ["Int"])
    XCTAssertEqual(keys(.joining(failed, waited)), ["Int"])
    XCTAssertEqual(keys(.joining(timedOut, failed)), ["2", "Int"])
    XCTAssertEqual(keys(.joining(timedOut, nil)), ["2"])
    XCTAssertNil(CloseError.joining(nil, waited))
    // A third caller closes the container.
    XCTAssertEqual(keys(.joining(waited, waited)), ["Container", "Container"])
  }

  func testTheOnlyErrorIsKept() {
    let failed = CloseError.disposalFailed([failure(of: Int.self)])
    XCTAssertEqual(CloseError.joining(failed, nil), .disposalFailed)
    XCTAssertEqual(CloseError.joining(nil, failed), .disposalFailed)
    XCTAssertNil(CloseError.joining(nil, nil))
  }
}
