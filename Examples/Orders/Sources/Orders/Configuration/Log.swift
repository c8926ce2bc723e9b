// SPDX-License-Identifier: MIT

import Glibc

/// Writes lines for the operators of the service.
package protocol Log: Sendable {
  func write(_ line: String)
}

/// Writes to the standard error stream, each line at once.
package struct StandardErrorLog: Log {
  package init() {}

  package func write(_ line: String) {
    var text = "orders: \(line)\n"
    text.withUTF8 { _ = unsafe Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
  }
}
