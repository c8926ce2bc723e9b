// SPDX-License-Identifier: MIT

import Dispatch
import Synchronization

/// Objects that are lent to one thread at a time.
final class Loans<Thing: Sendable>: Sendable {
  private let available = DispatchSemaphore(value: 0)
  private let things: Mutex<[Thing]>

  init(_ things: [Thing]) {
    self.things = Mutex(things)
    for _ in things { available.signal() }
  }

  /// Takes an object, and waits if none is free.
  ///
  /// - Throws: ``StorageError/busy`` when it has waited for five seconds.
  func take() throws(StorageError) -> Thing {
    guard case .success = available.wait(timeout: .now() + .seconds(5)) else { throw .busy }
    return things.withLock { $0.removeLast() }
  }

  func giveBack(_ thing: Thing) {
    things.withLock { $0.append(thing) }
    available.signal()
  }
}

package enum StorageError: Error {
  /// All connections were in use for five seconds, or another process has kept the database locked.
  case busy
  /// The unit of work has been committed or rolled back.
  case ended
}
