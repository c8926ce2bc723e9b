// SPDX-License-Identifier: MIT

extension Array where Element: Comparable {
  /// The element below which a `fraction` of a sorted array lies; the array must not be empty.
  public func percentile(_ fraction: Double) -> Element {
    self[Swift.min(count - 1, Int(Double(count) * fraction))]
  }

  /// The middle one of the elements in order; the array must not be empty.
  public var median: Element { sorted().percentile(0.5) }
}
