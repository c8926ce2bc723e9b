// SPDX-License-Identifier: MIT

import Glibc

/// Tells the time.
package protocol TimeSource: Sendable {
  /// Seconds since 1970.
  var now: Int { get }
}

package struct SystemTime: TimeSource {
  package init() {}
  package var now: Int { time(nil) }
}
