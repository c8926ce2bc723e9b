// SPDX-License-Identifier: MIT

extension Array {
  /// The index of the first element for which `isBehind` holds, as for all after it; or the count.
  ///
  /// - Complexity: O(log *n*) in the number of elements.
  func partitioningIndex(where isBehind: (Element) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if isBehind(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}

extension Sequence {
  /// The first result of `body` other than `nil`. Every element is looked at once: a lazy
  /// `compactMap` asks twice for the result taken, which other threads may have removed by then.
  func firstResult<Result>(_ body: (Element) -> Result?) -> Result? {
    for element in self {
      if let result = body(element) { return result }
    }
    return nil
  }

  /// The elements with ascending numbers. All callers share one sort, of three kilobytes of code.
  func ordered(by number: (Element) -> UInt64) -> [Element] {
    let elements = Array(self)
    return elements.map(number).ascendingIndices.map { elements[$0] }
  }
}

extension [UInt64] {
  @inline(never) fileprivate var ascendingIndices: [Int] { indices.sorted { self[$0] < self[$1] } }
}
