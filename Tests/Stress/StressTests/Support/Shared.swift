// SPDX-License-Identifier: MIT

import Foundation

/// A variable that threads share.
final class Shared<Value: Sendable>: @unchecked Sendable {
  // SAFETY: only touched with the lock held. The lock is one that ThreadSanitizer sees.
  private var storage: Value
  private let lock = NSLock()

  init(_ value: Value) {
    storage = value
  }

  var value: Value {
    get { lock.withLock { storage } }
    set { lock.withLock { storage = newValue } }
  }

  func withValue<Result>(_ body: (inout Value) -> Result) -> Result {
    lock.withLock { body(&storage) }
  }
}
