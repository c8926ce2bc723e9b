// SPDX-License-Identifier: MIT

/// What the registration of an input throws, which does not know its own key.
enum ScopeInputFailure: Error {
  /// The scope was made without one. The closure computes the hints.
  case missing(@Sendable () -> [String])
  /// The scope was made with several values of the type.
  case repeated
  /// No scope is there that could have one.
  ///
  /// - Parameter captor: the instance that is built outside of every scope; `nil` if it was asked for there itself.
  case outsideOfScopes(neededBy: ResolutionError.Captor?)
  /// An instance that outlives the scope would keep it.
  case captured(by: ResolutionError.Captor)

  /// What to do about several inputs of one type.
  static var hintAtRepetition: String {
    "give each of them a type of its own: a resolve cannot tell which one is meant."
  }

  /// The error of the resolve.
  func error(of key: RegistrationKey, at location: SourceLocation) -> ResolutionError {
    switch self {
    case .missing(let suggestions):
      .scopeInputMissing(.init(refusing: key, at: location, suggestions: suggestions))
    case .repeated: .scopeInputMissing(.init(repeating: key, at: location))
    case .outsideOfScopes(let captor):
      .scopeInputMissing(.init(refusing: key, at: location, capturedBy: captor))
    case .captured(let captor):
      .captiveDependency(.init(refusing: key, at: location, capturedBy: captor))
    }
  }
}
