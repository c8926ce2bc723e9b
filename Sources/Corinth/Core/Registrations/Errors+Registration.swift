// SPDX-License-Identifier: MIT

/// Errors about a registration: the error carries the registration's key and source location.
extension ResolutionError {
  /// The error of a resolve in which the factory of `record` threw `error`.
  init(_ error: any Error, thrownBy record: RegistrationRecord) {
    self.init(error, thrownBy: record.key, at: record.location)
  }
}

extension ResolutionError.Context {
  init(failureOf record: RegistrationRecord, _ error: any Error) {
    self.init(refusing: record.key, at: record.location, because: error)
  }

  /// - Parameter captor: the key of the instance that outlives the scope, for a captive dependency.
  init(
    refusing record: RegistrationRecord, capturedBy captor: ResolutionError.Captor? = nil,
    hint: String? = nil
  ) {
    var suggestions: (@Sendable () -> [String])?
    if let hint { suggestions = { [hint] } }
    self.init(
      refusing: record.key, at: record.location, capturedBy: captor,
      ofScope: record.scope.scopeName, suggestions: suggestions)
  }

  /// The refusal of a synchronous resolve that would have to build asynchronously.
  init(refusingToBuild record: RegistrationRecord) {
    let (key, policy, isEager) = (record.key, record.policy, record.attributes.isEager)
    self.init(
      refusing: key, at: record.location,
      suggestions: {
        RegistrationRecord.hintAtBuildingBefore(key, policy, isEager).map { [$0] } ?? []
      })
  }
}

extension RegistrationRecord {
  /// How a synchronous resolve can find the product of an asynchronous registration.
  static func hintAtBuildingBefore(
    _ key: RegistrationKey, _ policy: ScopePolicy, _ isEager: Bool
  ) -> String? {
    if policy.isPublishedToSlot, key.arguments == nil {
      return isEager
        ? "call warmUp() beforehand, with \(key) registered before what needs it: resolve finds a singleton that is there."
        : "chain .eager() to \(key), and call warmUp() beforehand: resolve finds a singleton that is there."
    }
    switch policy.storage {
    case .resolution: return "build \(key) beforehand in the same resolution."
    case .registration, .requestScope:
      return "build \(key) beforehand: resolve finds the instance for as long as it is shared."
    case .none: break
    }
    guard key.arguments == nil else { return nil }
    return
      "give \(key) scope: .singleton and chain .eager() if one instance will do, and call warmUp() beforehand: resolve "
      + "finds a singleton that is there."
  }
}

extension DisposalFailure {
  init(_ record: RegistrationRecord, _ error: any Error) {
    self.init(key: record.key, location: record.location, error: error)
  }

  /// The failure for a container that a different caller did not close within this caller's time.
  static func closingByOther(of core: ContainerCore, limit: Duration) -> Self {
    let owner = unsafe core.ownerReference.object { _ in nil }
    return DisposalFailure(
      key: RegistrationKey(product: type(of: owner ?? core)),
      location: core.scopeLocation ?? SourceLocation(file: "unknown", line: 0),
      error: TimeLimitExceeded(limit: limit, wasBegun: true, of: .closing))
  }
}

extension ContainerCore {
  /// The source location of a registration; `nil` if it has been replaced.
  func location(of key: RegistrationKey, serial: UInt64) -> SourceLocation? {
    registeredSlot(of: key)?.withRegistration { $0.serial == serial ? $0.location : nil } ?? nil
  }
}
