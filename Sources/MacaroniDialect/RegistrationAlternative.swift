// SPDX-License-Identifier: MIT

public import Corinth
internal import Foundation

/// Distinguishes registrations of equal type. Keep a frequently used alternative in a constant: the
/// hash is computed once.
public struct RegistrationAlternative: ExpressibleByStringLiteral, Sendable {
  @usableFromInline let name: Name
  let value: String

  /// An alternative with a text; without an argument, with a unique text.
  public init(_ value: String = Self.uniqueValue()) {
    self.value = value
    name = Name(value)
  }

  /// An alternative of a literal.
  public init(stringLiteral value: String) { self.init(value) }

  @usableFromInline static func uniqueValue() -> String { UUID().uuidString }
}
