// SPDX-License-Identifier: MIT

/// Why a dependency graph could not be read.
struct InputError: Error, CustomStringConvertible {
  let description: String

  /// A file that is missing or cannot be read.
  init(unreadable path: String, _ reason: String) {
    description = "Cannot read '\(path)': \(reason)"
  }

  /// A line that contradicts the format.
  init(in path: String, line: Int, expected: String, found: String) {
    description = "\(path):\(line): expected \(expected), found \(found)."
  }
}
