// SPDX-License-Identifier: MIT

/// A value that belongs to a container, and is touched by one thread at a time.
///
/// The lock is the container's writer lock, which survives a fork, and which ThreadSanitizer sees.
// SAFETY: the value is only touched with the writer lock held.
final class WriterGuarded<Value: Sendable>: @unchecked Sendable {
  private let core: ContainerCore
  private var value: Value

  init(_ value: Value, of core: ContainerCore) {
    self.core = core
    self.value = value
  }

  /// Runs `body` with the value. No user code may run in it, deinits and comparisons included.
  func withLock<Result>(_ body: (inout Value) -> Result) -> Result {
    core.table.withWriterLock { body(&value) }
  }
}
