// SPDX-License-Identifier: MIT

import Foundation

/// A value behind a lock that ThreadSanitizer sees, unlike the lock of `Mutex`.
public final class Locked<Value>: @unchecked Sendable {
  // SAFETY: only touched with the lock held.
  private var value: Value
  private let lock = NSLock()

  public init(_ value: sending Value) {
    self.value = value
  }

  public func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
    try lock.withLock { try body(&value) }
  }
}
