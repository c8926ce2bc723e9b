// SPDX-License-Identifier: MIT

extension [Timeline.Entry] {
  /// The constructions that determined the end of the last construction: every construction has
  /// waited for the previous construction.
  ///
  /// ```swift
  /// for index in timeline.entries.criticalPath { print(timeline.entries[index].key) }
  /// ```
  ///
  /// To start faster, make a construction of the path faster.
  ///
  /// - Returns: the indices of the constructions, in the order in which the constructions ended.
  /// - Complexity: O(*n* + *w*) in the numbers of constructions and waits.
  ///
  /// A value is read: takes no lock.
  public var criticalPath: [Int] {
    func last(_ candidates: some Collection<Int>) -> Int? {
      candidates.filter { self[$0].end != nil }.max { left, right in
        self[left].end ?? .zero < self[right].end ?? .zero
      }
    }
    var path: [Int] = []
    var seen: Set<Int> = []
    var next = last(indices)
    while let index = next {
      path.append(index)
      seen.insert(index)
      next = last(self[index].waitedFor.filter { !seen.contains($0) })
    }
    return path.reversed()
  }
}
