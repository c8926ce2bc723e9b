// SPDX-License-Identifier: MIT

/// The variables that the service was started with.
package struct Environment: Sendable {
  private var variables: [String: String]

  package init(_ variables: [String: String]) {
    self.variables = variables
  }

  package func text(_ name: String, default: String) -> String { variables[name] ?? `default` }

  package func text(_ name: String) -> String? { variables[name] }

  package func number(_ name: String, default: Int, in range: ClosedRange<Int>) throws -> Int {
    guard let text = variables[name] else { return `default` }
    guard let number = Int(text), range.contains(number) else {
      throw ConfigurationError(variable: name, value: text, expected: "a number in \(range)")
    }
    return number
  }

  package func isOn(_ name: String, default: Bool) throws -> Bool {
    switch variables[name] {
    case nil: return `default`
    case "on": return true
    case "off": return false
    case let text?:
      throw ConfigurationError(variable: name, value: text, expected: "on or off")
    }
  }
}

/// A variable has a value that means nothing.
package struct ConfigurationError: Error, CustomStringConvertible {
  package let variable: String
  /// Nil for a secret, which has no place in a log.
  package let value: String?
  package let expected: String

  init(variable: String, value: String, expected: String) {
    self.variable = variable
    self.value = value
    self.expected = expected
  }

  init(secret variable: String, expected: String) {
    self.variable = variable
    self.expected = expected
    value = nil
  }

  package var description: String {
    guard let value else { return "\(variable) should be \(expected)." }
    return "\(variable) is \"\(value)\", and should be \(expected)."
  }
}
