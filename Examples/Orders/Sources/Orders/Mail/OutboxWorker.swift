// SPDX-License-Identifier: MIT

import Dispatch
import Foundation
import Synchronization

/// Sends the letters of the outbox, beside the requests. SQLite blocks, so it has a thread of its own.
package final class OutboxWorker: Sendable {
  private let queue: OutboxQueue
  private let mailer: any Mailer
  private let settings: MailSettings
  private let log: any Log
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

  /// Ends after the letters that are on their way. Those that are left are sent after the next start.
  package nonisolated(nonsending) func stop() async {
    stopping.signal()
    await withCheckedContinuation { ended in
      DispatchQueue.global().async { [self] in
        stopped.wait()
        ended.resume()
      }
    }
  }

  private func run() {
    let (seconds, attoseconds) = settings.pause.components
    let pause = Double(seconds) + Double(attoseconds) / 1e18
    repeat {
      do { try sendAll() } catch { log.write("outbox: \(error)") }
    } while stopping.wait(timeout: .now() + pause) == .timedOut
  }

  /// A letter that cannot be sent does not hold up the others.
  private func sendAll() throws {
    var last = 0
    while true {
      let letters = try queue.next(settings.batch, after: last)
      guard let final = letters.last else { return }
      last = final.number
      var sent: [Int] = []
      for letter in letters {
        do {
          try mailer.send(letter.message)
          sent.append(letter.number)
        } catch { log.write("letter \(letter.number) was not sent: \(error)") }
      }
      try queue.remove(sent)
      if letters.count < settings.batch { return }
    }
  }
}
