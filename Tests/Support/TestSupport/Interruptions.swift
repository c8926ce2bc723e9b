// SPDX-License-Identifier: MIT

import Foundation

/// Interrupts threads again and again, at any instruction, for longer than most calls take. A busy
/// system does so too, but seldom.
public final class Interruptions: Sendable {
  private let threads = Locked<[pthread_t]>([])
  private let isOver = Locked(false)
  private let interrupting = Locked<JoinableThread<Void>?>(nil)

  private static let signal = SIGURG

  public init() {
    let handler: @convention(c) (Int32) -> Void = { _ in usleep(200) }
    _ = Foundation.signal(Self.signal, handler)
    interrupting.withLock {
      $0 = JoinableThread { [threads, isOver] in
        while !isOver.withLock({ $0 }) {
          threads.withLock { for thread in $0 { pthread_kill(thread, Self.signal) } }
          usleep(300)
        }
      }
    }
  }

  public func interruptCallingThread() { threads.withLock { $0.append(pthread_self()) } }

  /// Called by the thread before its end.
  public func leaveCallingThread() {
    threads.withLock { $0.removeAll { pthread_equal($0, pthread_self()) != 0 } }
  }

  public func end() {
    isOver.withLock { $0 = true }
    _ = interrupting.withLock { $0 }?.join()
    _ = Foundation.signal(Self.signal, SIG_DFL)
  }
}
