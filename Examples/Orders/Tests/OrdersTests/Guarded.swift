// SPDX-License-Identifier: MIT

import Foundation

/// A value that threads share.
final class Guarded<Value: Sendable>: @unchecked Sendable {
  private let lock = NSLock()
  // SAFETY: only used under the lock.
  private var guarded: Value

  init(_ value: Value) {
    guarded = value
  }

  var value: Value {
    get { lock.withLock { guarded } }
    set { lock.withLock { guarded = newValue } }
  }

  func change(_ body: (inout Value) -> Void) { lock.withLock { body(&guarded) } }
}
