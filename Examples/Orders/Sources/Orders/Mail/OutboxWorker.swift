// SPDX-License-Identifier: MIT

import Dispatch
import Foundation
import Synchronization

/// Sends the letters of the outbox, while requests are served. SQLite blocks, so it has a thread of
/// its own.
package final class OutboxWorker: Sendable {
  private let queue: OutboxQueue
  private let mailer: any Mailer
  private let settings: MailSettings
  private let log: any Log
  private let isStopping = Atomic(false)
  private let stopping = DispatchSemaphore(value: 0)
  private let stopped = DispatchSemaphore(value: 0)

  package init(
    queue: OutboxQueue, mailer: any Mailer, settings: MailSettings, log: any Log
  ) {
    self.queue = queue
    self.mailer = mailer
    self.settings = settings
    self.log = log
  }

  package func start() {
    let thread = Thread { [self] in
      run()
      stopped.signal()
    }
    thread.name = "outbox"
    thread.start()
  }

  /// Ends after the letter on the way. The remaining letters are sent after the next start.
  package nonisolated(nonsending) func stop() async {
    beginStopping()
    await withCheckedContinuation { ended in
      DispatchQueue.global().async { [self] in
        stopped.wait()
        ended.resume()
      }
    }
  }

  /// Sends no more letters, and waits for nothing.
  package func beginStopping() {
    isStopping.store(true, ordering: .releasing)
    stopping.signal()
  }

  private func run() {
    let (seconds, attoseconds) = settings.pause.components
    let pause = Double(seconds) + Double(attoseconds) / 1e18
    var backoff = Backoff(first: settings.retry)
    var progress = Progress()
    repeat {
      if backoff.isDue(at: .now) {
        backoff.retry()
        progress.last = 0
      } else if !progress.sent.isEmpty {
        // The failure was written to the log.
        do { try remove(&progress.sent) } catch { continue }
      }
      do {
        if try sendAll(&progress) { backoff.succeeded() } else { backoff.failed(at: .now) }
      } catch {
        log.write("outbox: \(error)")
        backoff.failed(at: .now)
      }
    } while stopping.wait(timeout: .now() + pause) == .timedOut
  }

  private struct Progress {
    /// The number of the last letter that was tried. New letters have higher numbers.
    var last = 0
    /// Sent letters that are still in the outbox: letters stay as long as the database cannot be
    /// written.
    var sent: [Int] = []
  }

  /// A letter that cannot be sent does not hold up the rest.
  ///
  /// - Returns: whether no letter has failed.
  private func sendAll(_ progress: inout Progress) throws -> Bool {
    var hasFailed = false
    try remove(&progress.sent)
    while true {
      let letters = try queue.next(settings.batch, after: progress.last)
      for letter in letters where !isStopping.load(ordering: .acquiring) {
        progress.last = letter.number
        do {
          try mailer.send(letter.message)
          progress.sent.append(letter.number)
        } catch {
          hasFailed = true
          log.write("letter \(letter.number) was not sent: \(error)")
        }
      }
      try remove(&progress.sent)
      let isStopping = isStopping.load(ordering: .acquiring)
      if isStopping || letters.count < settings.batch { return !hasFailed }
    }
  }

  private func remove(_ sent: inout [Int]) throws {
    try queue.remove(sent)
    sent = []
  }
}
