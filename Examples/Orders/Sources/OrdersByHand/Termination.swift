// SPDX-License-Identifier: MIT

import Dispatch
import Glibc

/// Waits for SIGTERM or SIGINT. A signal that comes after this was made is not missed.
struct Termination {
  private let signals: AsyncStream<Int32>
  private let sources: [any DispatchSourceSignal]

  nonisolated(nonsending) init() async {
    let (signals, continuation) = AsyncStream.makeStream(of: Int32.self)
    var sources: [any DispatchSourceSignal] = []
    for number in [SIGTERM, SIGINT] {
      let source = DispatchSource.makeSignalSource(signal: number)
      source.setEventHandler { continuation.yield(number) }
      await withCheckedContinuation { registered in
        source.setRegistrationHandler { registered.resume() }
        source.activate()
      }
      sources.append(source)
    }
    self.signals = signals
    self.sources = sources
  }

  nonisolated(nonsending) func wait() async {
    _ = await signals.first { _ in true }
  }
}
