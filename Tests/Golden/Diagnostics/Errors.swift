// SPDX-License-Identifier: MIT
import Corinth

// A client has to expect cases of later versions.
func text(of error: ResolutionError) -> String {
  switch error {
  case .noRegistrationFound: "missing"
  case .containerGone, .containerClosed, .scopeRefused: "closed"
  case .circularDependencyDetected, .resolutionTooDeep: "circular"
  case .asyncResolutionRequired, .scopeRequired, .scopeInputMissing, .captiveDependency: "scope"
  case .invalidRegistration, .underlyingError, .warmUpFailed, .injectionFailed: "factory"
  }
}

// Without a diagnostic. Some of these forms made the compiler abort, as long as errors were typed.
func catchSome(_ container: Container, _ name: String?) throws -> String {
  do {
    _ = try container.resolve(Int.self)
  } catch ResolutionError.noRegistrationFound {
    return name ?? "none"
  } catch let error as ResolutionError where error == .containerClosed {
    return error.key.description
  } catch  where error.is(.underlyingError) {
    return "factory"
  }
  return name ?? "found"
}
