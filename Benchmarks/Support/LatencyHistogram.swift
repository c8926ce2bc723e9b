// SPDX-License-Identifier: MIT

/// Counts durations in buckets that grow with the duration, so that the histogram's size is fixed
/// and a percentile is exact to one part in 64.
public struct LatencyHistogram: Sendable {
  /// Buckets for each power of two, as a power of two.
  private static let precision = 6

  private var counts = [UInt64](
    repeating: 0, count: (UInt64.bitWidth - precision + 1) << precision)
  public private(set) var total: UInt64 = 0

  public init() {}

  public mutating func record(_ nanoseconds: UInt64) {
    counts[Self.bucket(of: nanoseconds)] += 1
    total += 1
  }

  public mutating func add(_ other: LatencyHistogram) {
    for bucket in counts.indices { counts[bucket] += other.counts[bucket] }
    total += other.total
  }

  /// The duration that a `fraction` of all stays below or reaches; 0 when nothing was recorded.
  public func percentile(_ fraction: Double) -> UInt64 {
    let wanted = UInt64((Double(total) * fraction).rounded(.up))
    var seen: UInt64 = 0
    for (bucket, count) in counts.enumerated() where count > 0 {
      seen += count
      if seen >= wanted { return Self.upperBound(of: bucket) }
    }
    return 0
  }

  /// A duration below 2^precision has a separate bucket; for longer durations, the leading bits
  /// choose the bucket.
  private static func bucket(of nanoseconds: UInt64) -> Int {
    let magnitude = UInt64.bitWidth - nanoseconds.leadingZeroBitCount
    let shift = max(0, magnitude - precision - 1)
    return (shift << precision) + Int(nanoseconds >> shift)
  }

  private static func upperBound(of bucket: Int) -> UInt64 {
    let shift = max(0, (bucket >> precision) - 1)
    let leading = UInt64(bucket - (shift << precision))
    return ((leading + 1) << shift) &- 1
  }
}
