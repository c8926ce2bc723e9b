// SPDX-License-Identifier: MIT

/// Errors about a registration: the error carries the registration's key and source location.
extension ResolutionError {
  /// The error of a resolve in which the factory of `record` threw `error`.
  init(_ error: any Error, thrownBy record: RegistrationRecord) {
    self.init(error, thrownBy: record.key, at: record.location, record.askerKind)
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
    let hint = HintAtBuildingBefore(record)
    self.init(
      refusing: record.key, at: record.location, suggestions: { hint.text.map { [$0] } ?? [] })
  }
}

/// How a synchronous resolve can find the product of an asynchronous registration.
struct HintAtBuildingBefore {
  private let key: RegistrationKey
  private let policy: ScopePolicy
  private let isEager: Bool
  private let isInFork: Bool

  init(_ record: RegistrationRecord) {
    (key, policy) = (record.key, record.policy)
    isEager = record.attributes.isEager
    // The fork of a dry run, which nobody warms up, has adopted everything.
    isInFork = record.owner.fork.map { !$0.hidesAll } ?? false
  }

  var text: String? {
    let warmUp = isInFork ? "call warmUp() of the fork beforehand" : "call warmUp() beforehand"
    let reason =
      isInFork
      ? "a fork builds singletons of its own." : "resolve finds a singleton that is there."
    if policy.isPublishedToSlot, key.arguments == nil {
      return isEager
        ? "\(warmUp), with \(key) registered before what needs it: \(reason)"
        : "make \(key) eager, by `with: .eager` or a chained `.eager()`, and \(warmUp): \(reason)"
    }
    switch policy.storage {
    case .resolution: return "build \(key) beforehand in the same resolution."
    case .registration, .requestScope:
      return "build \(key) beforehand: resolve finds the instance for as long as it is shared."
    case .none: break
    }
    guard key.arguments == nil else { return nil }
    return
      "give \(key) `scope: .singleton, with: .eager` if one instance will do, and \(warmUp): \(reason)"
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
      location: core.location ?? SourceLocation(file: "unknown", line: 0),
      error: TimeLimitExceeded(limit: limit, wasBegun: true, of: .closing))
  }
}
