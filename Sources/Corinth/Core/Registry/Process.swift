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

/// The environment of the process.
package enum Environment {
  /// The value of a variable at this moment; `nil` if unset.
  package static func value(of name: StaticString) -> String? {
    // SAFETY: a static UTF-8 text ends with a zero and is never freed; the value is copied at once.
    unsafe name.utf8Start.withMemoryRebound(to: CChar.self, capacity: name.utf8CodeUnitCount + 1) {
      guard let value = unsafe corinth_environment_value($0) else { return nil }
      return unsafe String(cString: value)
    }
  }
}
