// SPDX-License-Identifier: MIT

internal import CCorinth

/// The standard error stream of the process.
enum StandardError {
  /// Writes a line in one call.
  static func write(_ line: String) {
    unsafe corinth_standard_error_write(line)
  }
}
