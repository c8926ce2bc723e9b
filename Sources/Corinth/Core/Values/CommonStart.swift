// SPDX-License-Identifier: MIT

extension String {
  /// The length, in bytes, of the common start of two texts.
  func commonStart(with other: String) -> Int {
    var (left, right) = (self, other)
    return left.withUTF8 { left in
      right.withUTF8 { right in
        let shared = min(left.count, right.count)
        // SAFETY: the indices are within both buffers, which are valid for the call.
        return (0..<shared).first { unsafe left[$0] != right[$0] } ?? shared
      }
    }
  }
}
