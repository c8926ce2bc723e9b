// SPDX-License-Identifier: MIT

public import Corinth
internal import Foundation

/// Distinguishes registrations of one type. Keep one that is used often in a constant: its hash is computed once.
public struct RegistrationAlternative: ExpressibleByStringLiteral, Sendable {
  @usableFromInline let name: Name
  let value: String

  /// An alternative of a text; of a text of its own when that is left out.
  public init(_ value: String = Self.uniqueValue()) {
    self.value = value
    name = Name(value)
  }

  /// An alternative of a literal.
  public init(stringLiteral value: String) { self.init(value) }

  @usableFromInline static func uniqueValue() -> String { UUID().uuidString }
}
