// SPDX-License-Identifier: MIT

/// Errors of warm-ups and injections, which wrap the errors of resolves.
extension ResolutionError {
  /// For ``warmUpFailed(_:)``, a failure per eager registration that could not be built, and per
  /// invalid registration, in the order of registration. For all remaining cases, the error itself.
  ///
  /// ```swift
  /// do { try await container.warmUp() } catch let error as ResolutionError {
  ///   for failure in error.failures { log(failure) }
  /// }
  /// ```
  public var failures: [ResolutionError] { context.failures ?? [self] }

  static func warmUpFailed(_ failures: [ResolutionError]) -> ResolutionError {
    .warmUpFailed(Context(failures))
  }

  /// The failures, as a list. Failures with one cause share an entry. A system that is down may be
  /// the cause of hundreds: only the first failures of an entry are shown, and the first entries.
  ///
  /// - Parameter text: the text of a failure.
  func textOfFailures(_ text: (ResolutionError) -> String) -> String {
    let noun = failures.contains(.invalidRegistration) ? "registration" : "eager singleton"
    var order: [FailureCause] = []
    var failuresByCause: [FailureCause: [ResolutionError]] = [:]
    for failure in failures {
      let cause = FailureCause(failure)
      if failuresByCause[cause] == nil { order.append(cause) }
      failuresByCause[cause, default: []].append(failure)
    }
    let (causesAtMost, othersAtMost) = (10, 5)
    var lines = ["\(quantity(failures.count, noun)) could not be built."]
    for cause in order.prefix(causesAtMost) {
      let failures = failuresByCause[cause] ?? []
      let others = failures.dropFirst()
      lines += failures.prefix(1).map(text)
      lines += others.prefix(othersAtMost).map { "  and: \($0.path.abbreviatedPathText)" }
      if others.count > othersAtMost { lines.append("  and \(others.count - othersAtMost) more") }
    }
    if order.count > causesAtMost {
      lines.append("Those of \(order.count - causesAtMost) other causes are left out.")
    }
    return lines.joined(separator: "\n")
  }
}

/// The common cause of the failures of an entry.
private struct FailureCause: Hashable {
  let key: RegistrationKey
  let location: SourceLocation?
  let text: String

  init(_ failure: ResolutionError) {
    key = failure.key
    location = failure.context.location
    text = "\(failure.summary.prefix { !$0.isNewline })\(failure.context.underlyingErrorText)"
  }
}

extension ResolutionError {
  /// A property without a value.
  struct Property: Sendable {
    /// With the type of the property's object, such as `Service.mailer`.
    var name: String?
    let declaration: SourceLocation
  }

  /// The error of a property without a value.
  ///
  /// - Parameter underlyingError: the resolve's error; `nil` if no container was found.
  static func injectionFailed(
    _ property: Property, _ key: RegistrationKey, because underlyingError: (any Error)?
  ) -> ResolutionError {
    .injectionFailed(Context(refusing: key, because: underlyingError, into: property))
  }

  /// The error with the name of the property.
  func naming(_ name: String?) -> ResolutionError {
    guard let declaration = context.declaration else { return self }
    return .injectionFailed(
      Property(name: name, declaration: declaration), key, because: underlyingError)
  }

  /// - Parameter text: the text of the resolve's error.
  func textOfInjection(_ text: (ResolutionError) -> String) -> String {
    let subject = context.property ?? "The value of type \(spelling(of: key.product))"
    let place = context.declaration.map { ", declared at \($0)," } ?? ""
    let start = "\(subject)\(place) cannot be injected."
    guard let underlyingError else {
      return "\(start)\nThere is no container to resolve \(key) in."
    }
    let reason = (underlyingError as? ResolutionError).map(text) ?? "\(underlyingError)"
    return "\(start)\n\(reason)"
  }
}

/// How a registration is written that asks for a further key, as far as hints depend on it.
enum AskerKind {
  /// A closure that is synchronous.
  case factory
  /// A closure that is asynchronous, or an initializer that is wired by `wireAsync`.
  case asynchronous
  /// An initializer that is wired by `wire`.
  case wired
  /// A forward, which resolves the target in place of the caller.
  case forward
}
