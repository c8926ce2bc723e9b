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

/// A number of things for a text: "1 problem was", "2 problems were".
///
/// - Parameter many: the words for numbers other than 1; if `nil`, the words for 1 with an "s".
package func quantity(_ count: Int, _ one: String, _ many: String? = nil) -> String {
  count == 1 ? "1 \(one)" : "\(count) \(many ?? one + "s")"
}
