// SPDX-License-Identifier: MIT

internal import CCorinth

/// The standard error stream of the process.
package enum StandardError {
  /// Writes a line in a single call.
  // SAFETY: the text of `line` is valid for the call.
  package static func write(_ line: String) {
    unsafe corinth_standard_error_write(line)
  }
}
