// SPDX-License-Identifier: MIT

import Foundation

/// Draws elements of a list, the one of rank r with a probability proportional to 1 / r^s.
///
/// Walker's alias method: every entry of the table stands for two elements, so that a draw costs
/// one random word and one entry whatever the length of the list.
struct ZipfDistribution: Sendable {
  private struct Entry {
    /// Below this threshold of 32 bits the first element is drawn, otherwise the second.
    var threshold: UInt32
    var first: Int32
    var second: Int32
  }

  private let entries: [Entry]

  /// - Parameters:
  ///   - elements: by rank, the most frequent first; not empty.
  ///   - exponent: the s above; 0 draws all alike.
  init(of elements: [Int], exponent: Double) {
    precondition(!elements.isEmpty, "ZipfDistribution.init: 'elements' must not be empty")
    let weights = elements.indices.map { pow(Double($0 + 1), -exponent) }
    let mean = weights.reduce(0, +) / Double(weights.count)
    // The contents of the entries, in units of one entry; an entry is filled up from an element
    // with more than one unit.
    var shares = weights.map { $0 / mean }
    var entries = elements.map {
      Entry(threshold: .max, first: Int32($0), second: Int32($0))
    }
    var small = shares.indices.filter { shares[$0] < 1 }
    var large = shares.indices.filter { shares[$0] >= 1 }
    while let poor = small.popLast(), let rich = large.popLast() {
      entries[poor].threshold = UInt32(shares[poor] * Double(UInt32.max))
      entries[poor].second = Int32(elements[rich])
      shares[rich] -= 1 - shares[poor]
      if shares[rich] < 1 { small.append(rich) } else { large.append(rich) }
    }
    self.entries = entries
  }

  @inline(__always)
  func draw(_ random: inout RandomBits) -> Int {
    let bits = random.next()
    // The upper half chooses the entry, the lower half an element of the entry.
    let entry = entries[Int(((bits >> 32) * UInt64(entries.count)) >> 32)]
    return Int(UInt32(truncatingIfNeeded: bits) < entry.threshold ? entry.first : entry.second)
  }
}
