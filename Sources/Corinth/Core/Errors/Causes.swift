// SPDX-License-Identifier: MIT

/// An error that carries further errors.
protocol CausedError: Error {
  /// The causes of the error, in order.
  var causes: [any Error] { get }
}

extension Error {
  /// Returns the error itself if the error is of a type, or else the nearest error of the type
  /// among the causes.
  ///
  /// Errors of Corinth wrap the errors that factories, disposers and assemblies throw. A service
  /// answers with an error of its own type, however deep the error was thrown:
  ///
  /// ```swift
  /// try container.register(User.self, scope: .scoped) { resolver in
  ///   guard let user = try User(of: resolver.resolve()) else { throw HTTPError(.unauthorized) }
  ///   return user
  /// }
  /// do { return try scope.resolve(Orders.self).list() } catch {
  ///   guard let answer = error.cause(as: HTTPError.self) else { throw error }
  ///   return Response(answer.status)
  /// }
  /// ```
  ///
  /// The search is depth first: the causes of an error come before the next error. The error of the
  /// work in a scope comes before the errors of the disposers; several failures come in order.
  ///
  /// - Parameter type: the type, or a protocol: `(any AbortError).self`.
  /// - Returns: the error; `nil` without an error of the type.
  /// - Complexity: O(*n*) in the number of errors inside.
  ///
  /// Takes no lock.
  public func cause<Cause>(as type: Cause.Type = Cause.self) -> Cause? {
    var pending: [any Error] = [self]
    while let error = pending.popLast() {
      if let cause = error as? Cause { return cause }
      if let error = error as? any CausedError { pending += error.causes.reversed() }
    }
    return nil
  }
}

extension ResolutionError: CausedError {
  var causes: [any Error] { context.failures ?? underlyingError.map { [$0] } ?? [] }
}

extension RegistrationError: CausedError {
  var causes: [any Error] {
    switch self {
    case .invalidRegistrations(let failures): failures
    case .validationFailed(let report): report.findings.compactMap(\.error)
    case .assemblyFailed(assembly: _, phase: _, let error): [error]
    default: []
    }
  }
}

extension CloseError: CausedError {
  var causes: [any Error] {
    switch self {
    case .workFailed(let error, let closeError): [error, closeError]
    case .disposalFailed(let failures), .drainingTimedOut(openScopes: _, let failures):
      failures.map(\.error)
    case .asyncCloseRequired, .asyncCloseUnderWay, .shutdownInScope: []
    }
  }
}

extension ScopeOutcome {
  /// The outcome of work that has thrown. Out of line: only the standard library knows the size of
  /// the search's result, so that every `withScope` would take task memory for the result.
  ///
  /// - Parameter error: the error of the work.
  @inline(never)
  init(after error: any Error) {
    self = error.cause(as: CancellationError.self) == nil ? .failed(error) : .cancelled
  }
}
