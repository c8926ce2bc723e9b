// SPDX-License-Identifier: MIT

/// Why a dependency graph could not be read.
struct InputError: Error, CustomStringConvertible {
  let description: String

  /// A file that is not there or cannot be read.
  init(unreadable path: String, _ reason: String) {
    description = "Cannot read '\(path)': \(reason)"
  }

  /// A line that is not what the format asks for.
  init(in path: String, line: Int, expected: String, found: String) {
    description = "\(path):\(line): expected \(expected), found \(found)."
  }
}
