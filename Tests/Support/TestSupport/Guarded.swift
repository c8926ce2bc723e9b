// SPDX-License-Identifier: MIT

import Foundation

/// A value that any thread may read and replace.
public final class Guarded<Value>: @unchecked Sendable {
  // SAFETY: only touched with the lock held.
  private var stored: Value?
  private let lock = NSLock()

  public init(_ value: Value? = nil) {
    stored = value
  }

  public var value: Value? {
    get { lock.withLock { stored } }
    set {
      // The former value is destroyed after the unlock: a deinit may ask for the value.
      _ = lock.withLock {
        defer { stored = newValue }
        return stored
      }
    }
  }
}
