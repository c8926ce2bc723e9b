// SPDX-License-Identifier: MIT

import Foundation

package protocol TimeSource: Sendable {
  /// Seconds since 1970.
  var now: Int { get }
}

struct SystemTime: TimeSource {
  var now: Int { Int(Date().timeIntervalSince1970) }
}
