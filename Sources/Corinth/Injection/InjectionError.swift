// SPDX-License-Identifier: MIT

/// The reason why an injected property has no value.
///
/// Its text names the property and its type, and says what failed.
public struct InjectionError: Error {
  /// The property with the type of its object, such as `Service.mailer`; `nil` where only the location is known: for
  /// properties of values, variables and parameters, and of objects when they are resolved eagerly.
  public internal(set) var property: String?
  /// Where the property is declared.
  public let location: SourceLocation
  /// What it asks for.
  public let key: RegistrationKey
  /// The error of the resolve; `nil` if no container was found.
  public let underlyingError: (any Error)?

  /// - Parameter storage: the path to the stored wrapper, whose description has the property's name.
  init(
    _ storage: AnyKeyPath?, at location: SourceLocation, _ key: RegistrationKey,
    because underlyingError: (any Error)?
  ) {
    property = storage.flatMap(Self.name)
    self.location = location
    self.key = key
    self.underlyingError = underlyingError
  }

  /// `\Service._mailer` is the wrapper of `Service.mailer`. A program without reflection metadata has an offset there.
  private static func name(of storage: AnyKeyPath) -> String? {
    let parts = "\(storage)".drop { $0 == "\\" }.split(separator: ".")
    guard parts.count > 1, let last = parts.last, last.hasPrefix("_") else {
      return "a property of \(type(of: storage).rootType)"
    }
    return (parts.dropLast() + [last.dropFirst()]).joined(separator: ".")
  }
}

extension InjectionError: CausedError {
  var causes: [any Error] { underlyingError.map { [$0] } ?? [] }
}

extension InjectionError: CustomStringConvertible {
  /// The whole message, several lines long.
  public var description: String {
    let subject = property ?? "The value of type \(spelling(of: key.product))"
    let start = "\(subject), declared at \(location), cannot be injected."
    guard let underlyingError else {
      return """
        \(start)
        There is no container to resolve \(key) in.
          hint: set Container.lookupPolicy, make the enclosing type Containerized, or name a policy: @Injected(from: ...).
        """
    }
    return "\(start)\n\(underlyingError)"
  }
}
