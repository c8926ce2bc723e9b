// SPDX-License-Identifier: MIT

import Synchronization

/// What has happened in the service, in the order in which it did.
package final class Journal: Sendable {
  private let lines = Mutex<[String]>([])

  package init() {}

  package var entries: [String] { lines.withLock { $0 } }

  package func note(_ line: String) { lines.withLock { $0.append(line) } }
}
