// SPDX-License-Identifier: MIT

/// The value of a parameter of a statement.
public enum Value: Sendable, Equatable, ExpressibleByIntegerLiteral, ExpressibleByStringLiteral {
  case integer(Int)
  case text(String)

  public init(integerLiteral value: Int) { self = .integer(value) }
  public init(stringLiteral value: String) { self = .text(value) }
}
