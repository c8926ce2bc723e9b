// SPDX-License-Identifier: MIT

/// A number of things for a text: "1 problem was", "2 problems were".
///
/// - Parameter many: the words for any number but one; the words for one with an "s" if it is `nil`.
package func quantity(_ count: Int, _ one: String, _ many: String? = nil) -> String {
  count == 1 ? "1 \(one)" : "\(count) \(many ?? one + "s")"
}
