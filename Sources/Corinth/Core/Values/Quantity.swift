// SPDX-License-Identifier: MIT

/// A number of things for a text: "1 problem was", "2 problems were".
///
/// - Parameter many: the words for numbers other than 1; if `nil`, the words for 1 with an "s".
package func quantity(_ count: Int, _ one: String, _ many: String? = nil) -> String {
  count == 1 ? "1 \(one)" : "\(count) \(many ?? one + "s")"
}
