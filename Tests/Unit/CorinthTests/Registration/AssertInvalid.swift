// SPDX-License-Identifier: MIT

import Corinth
import XCTest

/// Asserts that a resolve throws what is wrong with its registration.
func assertInvalid<Value>(
  _ fault: RegistrationError, file: StaticString = #filePath, line: UInt = #line,
  _ resolve: () throws -> Value
) {
  XCTAssertThrowsError(try resolve(), file: file, line: line) {
    assertInvalid(fault, $0, file: file, line: line)
  }
}

/// Asserts that an error says what is wrong with a registration.
func assertInvalid(
  _ fault: RegistrationError, _ error: any Error, file: StaticString = #filePath,
  line: UInt = #line
) {
  XCTAssertTrue(error.is(.invalidRegistration), "\(error)", file: file, line: line)
  XCTAssertEqual(
    (error as? ResolutionError)?.underlyingError as? RegistrationError, fault, file: file,
    line: line)
}
