// SPDX-License-Identifier: MIT

/// What the registration of an input throws, which does not know its own key.
enum ScopeInputFailure: Error {
  /// No scope has one. The closure computes the hints.
  case missing(@Sendable () -> [String])
  /// An instance that outlives the scope would keep it.
  case captured(by: ResolutionError.Captor)

  /// The error of the resolve.
  func error(of key: RegistrationKey, at location: SourceLocation) -> ResolutionError {
    switch self {
    case .missing(let suggestions):
      .scopeInputMissing(.init(refusing: key, at: location, suggestions: suggestions))
    case .captured(let captor):
      .captiveDependency(.init(refusing: key, at: location, capturedBy: captor))
    }
  }
}
