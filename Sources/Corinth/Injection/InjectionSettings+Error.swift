// SPDX-License-Identifier: MIT

extension InjectionSettings {
  /// The error of a property without a value.
  ///
  /// - Parameter storage: the path to the stored wrapper, whose description has the property's name.
  func error(
    _ storage: AnyKeyPath?, _ key: RegistrationKey, because underlyingError: (any Error)?
  ) -> ResolutionError {
    let name = storage.flatMap { Self.propertyName(of: $0) }
    return .injectionFailed(
      .init(name: name, declaration: location), key, because: underlyingError)
  }

  /// `\Service._mailer` is the wrapper of `Service.mailer`. A program without reflection metadata has an offset there.
  private static func propertyName(of storage: AnyKeyPath) -> String? {
    let parts = "\(storage)".drop { $0 == "\\" }.split(separator: ".")
    guard parts.count > 1, let last = parts.last, last.hasPrefix("_") else {
      return "a property of \(type(of: storage).rootType)"
    }
    return (parts.dropLast() + [last.dropFirst()]).joined(separator: ".")
  }
}
