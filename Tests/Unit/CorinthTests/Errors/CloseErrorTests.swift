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

  /// A second signal came as the time for draining had passed: the failures of the disposers were lost.
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

  func testTheOnlyErrorIsKept() {
    let failed = CloseError.disposalFailed([failure(of: Int.self)])
    XCTAssertEqual(CloseError.joining(failed, nil), .disposalFailed)
    XCTAssertEqual(CloseError.joining(nil, failed), .disposalFailed)
    XCTAssertNil(CloseError.joining(nil, nil))
  }
}
