// SPDX-License-Identifier: MIT

import Synchronization

/// Names the requests that come without a name: a random beginning for each start of the service,
/// and a number.
package final class Identifiers: Sendable {
  private let beginning = String(UInt32.random(in: .min ... .max), radix: 16)
  private let last = Atomic(0)

  package init() {}

  package func next() -> RequestID {
    RequestID(text: "\(beginning)-\(last.add(1, ordering: .relaxed).newValue)")
  }
}
