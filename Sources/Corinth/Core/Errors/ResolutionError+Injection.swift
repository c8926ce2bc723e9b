// SPDX-License-Identifier: MIT

extension ResolutionError {
  /// A property that has no value.
  struct Property: Sendable {
    /// With the type of its object, such as `Service.mailer`.
    var name: String?
    let declaration: SourceLocation
  }

  /// The error of a property without a value.
  ///
  /// - Parameter underlyingError: that of the resolve; `nil` if no container was found.
  static func injectionFailed(
    _ property: Property, _ key: RegistrationKey, because underlyingError: (any Error)?
  ) -> ResolutionError {
    .injectionFailed(Context(injecting: key, into: property, underlyingError))
  }

  /// The same with the name of the property.
  func naming(_ name: String?) -> ResolutionError {
    guard let declaration = context.declaration else { return self }
    return .injectionFailed(
      Property(name: name, declaration: declaration), key, because: underlyingError)
  }

  /// - Parameter text: that of the error of the resolve.
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
