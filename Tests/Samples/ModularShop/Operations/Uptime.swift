// SPDX-License-Identifier: MIT

/// Seconds since the service has asked for it first.
package final class Uptime: Sendable {
  private let time: any TimeSource
  private let start: Int

  init(time: any TimeSource) {
    self.time = time
    start = time.now
  }

  package var seconds: Int { time.now - start }
}
