// SPDX-License-Identifier: MIT

/// Errors of which a registration is the subject: they carry its key and its source location.
extension ResolutionError {
  /// The error of a resolve in which the factory of `record` threw `error`.
  init(_ error: any Error, thrownBy record: RegistrationRecord) {
    self.init(error, thrownBy: record.key, at: record.location)
  }
}

extension ResolutionError.Context {
  init(failureOf record: RegistrationRecord, _ error: any Error) {
    self.init(failureOf: record.key, at: record.location, error)
  }

  /// - Parameter captor: of a captive dependency: the key of the instance that outlives the scope.
  init(
    refusing record: RegistrationRecord, capturedBy captor: ResolutionError.Captor? = nil,
    hint: String? = nil
  ) {
    var suggestions: (@Sendable () -> [String])?
    if let hint { suggestions = { [hint] } }
    self.init(
      refusing: record.key, at: record.location, capturedBy: captor, suggestions: suggestions)
  }
}

extension DisposalFailure {
  init(_ record: RegistrationRecord, _ error: any Error) {
    self.init(record.key, at: record.location, error)
  }
}

extension ContainerCore {
  /// The source location of a registration; `nil` if it has been replaced.
  func location(of key: RegistrationKey, serial: UInt64) -> SourceLocation? {
    registeredSlot(of: key)?.withRegistration { $0.serial == serial ? $0.location : nil } ?? nil
  }
}
