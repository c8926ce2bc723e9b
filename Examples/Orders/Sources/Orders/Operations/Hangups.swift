// SPDX-License-Identifier: MIT

import Dispatch
import Foundation

/// The SIGHUP signals that the process receives, from now on. Operators send them when a file has
/// changed.
package final class Hangups: AsyncSequence, Sendable {
  private let signals: AsyncStream<Void>
  // SAFETY: a source may be used from any thread.
  private nonisolated(unsafe) let source: any DispatchSourceSignal

  package init() {
    // The source receives ignored signals too. Without `SIG_IGN`, the signal would end the process.
    signal(SIGHUP, SIG_IGN)
    unsafe source = DispatchSource.makeSignalSource(signal: SIGHUP)
    // A waiting signal stands for all signals that come meanwhile.
    let (stream, continuation) = AsyncStream.makeStream(
      of: Void.self, bufferingPolicy: .bufferingNewest(1))
    signals = stream
    unsafe source.setEventHandler { continuation.yield() }
    unsafe source.activate()
  }

  deinit { unsafe source.cancel() }

  package func makeAsyncIterator() -> AsyncStream<Void>.Iterator { signals.makeAsyncIterator() }
}
