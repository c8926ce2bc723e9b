// SPDX-License-Identifier: MIT

public import Synchronization

/// A value that is stored once, and read by any thread from then on. Wait-free.
@usableFromInline
// SAFETY: `stored` is written by the thread that moved the state on from empty, and read by other
// threads only after the release store below.
class StoredOnce<Value>: @unchecked Sendable {
  @usableFromInline final let state = Atomic<UInt8>(0)
  @usableFromInline @exclusivity(unchecked) final var stored: Value?

  @inlinable static var full: UInt8 { 2 }

  init() {}

  /// `nil` until a value is stored.
  @inlinable @inline(__always)
  final var value: Value? {
    // Pairs with the release in `store`.
    state.load(ordering: .acquiring) == Self.full ? unsafe stored : nil
  }

  final var isStored: Bool { state.load(ordering: .acquiring) == Self.full }

  /// Stores a value, unless one is stored already.
  ///
  /// - Returns: whether `value` is stored.
  @discardableResult
  final func store(_ value: Value) -> Bool {
    let (isFirst, _) = state.compareExchange(expected: 0, desired: 1, ordering: .relaxed)
    guard isFirst else { return false }
    unsafe stored = value
    state.store(Self.full, ordering: .releasing)
    return true
  }

  /// The value of an object held by the caller; `nil` until a value is stored.
  @inlinable @inline(__always)
  static func value(of object: Unmanaged<StoredOnce>) -> Value? {
    unsafe object._withUnsafeGuaranteedRef { $0.value }
  }
}
