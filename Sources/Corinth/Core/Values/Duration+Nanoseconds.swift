// SPDX-License-Identifier: MIT

extension Duration {
  /// In whole nanoseconds; 0 for less than none.
  var wholeNanoseconds: UInt64 {
    let (seconds, attoseconds) = components
    return UInt64(clamping: seconds) &* 1_000_000_000
      &+ UInt64(clamping: attoseconds / 1_000_000_000)
  }
}
