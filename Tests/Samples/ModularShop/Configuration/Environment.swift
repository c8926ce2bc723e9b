// SPDX-License-Identifier: MIT

/// The variables that the service was started with.
package struct Environment: Sendable {
  private let variables: [String: String]

  package init(_ variables: [String: String]) {
    self.variables = variables
  }

  func text(_ name: String) throws -> String {
    guard let text = variables[name] else { throw ConfigurationError.missing(name) }
    return text
  }

  func number(_ name: String, default: Int) throws -> Int {
    guard let text = variables[name] else { return `default` }
    guard let number = Int(text) else { throw ConfigurationError.notANumber(name, text) }
    return number
  }
}

package enum ConfigurationError: Error, Equatable {
  case missing(String)
  case notANumber(String, String)
}
