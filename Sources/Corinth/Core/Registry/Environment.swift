// SPDX-License-Identifier: MIT

internal import CCorinth

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
