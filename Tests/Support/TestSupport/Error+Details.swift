// SPDX-License-Identifier: MIT

package import Corinth

/// The details of errors that tests ask for.
extension Error {
  /// The findings of a failed validation.
  package var findings: [ValidationFinding]? {
    if case .validationFailed(let report)? = self as? RegistrationError {
      report.findings
    } else {
      nil
    }
  }

  /// The failures of a warm-up, or of a freezing.
  package var collectedFailures: [ResolutionError]? {
    if case .invalidRegistrations(let failures)? = self as? RegistrationError { return failures }
    return (self as? ResolutionError)?.failures
  }

  /// The error of the work, if its container was not closed without failures either.
  package var workError: (any Error)? {
    if case .workFailed(let error, closeError: _)? = self as? CloseError { error } else { nil }
  }

  /// Whether the error is the failure of a disposer that was not begun.
  package var isOmission: Bool { (self as? TimeLimitExceeded)?.wasBegun == false }
}
