// SPDX-License-Identifier: MIT

/// What a parameter of a statement takes.
public enum Value: Sendable, Equatable, ExpressibleByIntegerLiteral, ExpressibleByStringLiteral {
  case integer(Int)
  case text(String)

  public init(integerLiteral value: Int) { self = .integer(value) }
  public init(stringLiteral value: String) { self = .text(value) }
}
