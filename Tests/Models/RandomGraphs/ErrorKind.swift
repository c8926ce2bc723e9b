// SPDX-License-Identifier: MIT

import Corinth

/// The cause of an error.
enum ErrorKind {
  /// A factory or an action of this service failed as described.
  case failure(service: Int)
  case cycle
  case cancellation
  case closed
  case asyncRequired
  /// The construction that the resolve is inside of is retried.
  case abandoned
  case endless
  case other

  init(_ error: any Error) {
    switch error {
    case let failure as GraphRun.Failure: self = .failure(service: failure.service)
    case is GraphRun.Endless: self = .endless
    case is CancellationError: self = .cancellation
    case let error as ResolutionError: self.init(error)
    // The type is none of the library's interface.
    case let error where "\(type(of: error))" == "AbandonedConstruction": self = .abandoned
    default: self = .other
    }
  }

  private init(_ error: ResolutionError) {
    switch error {
    case .circularDependencyDetected: self = .cycle
    case .containerClosed, .scopeRefused: self = .closed
    case .asyncResolutionRequired: self = .asyncRequired
    case .underlyingError: self = error.underlyingError.map { ErrorKind($0) } ?? .other
    default: self = .other
    }
  }
}
