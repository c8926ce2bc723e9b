// SPDX-License-Identifier: MIT

/// Who has to end before whom, computed from all that was ever lent. Nothing is ever taken out of
/// the lists, so there is nothing to forget.
struct LendersModel {
  enum Progress {
    case running, done, failed
  }

  private(set) var progress: [Progress]
  /// For each construction those that it got an early reference from.
  private var sources: [Set<Int>]

  init(_ count: Int) {
    progress = Array(repeating: .running, count: count)
    sources = Array(repeating: [], count: count)
  }

  var indices: Range<Int> { progress.indices }

  mutating func lend(_ lender: Int, to borrower: Int) {
    if lender != borrower { sources[borrower].insert(lender) }
  }

  mutating func end(_ construction: Int, failing: Bool) {
    progress[construction] = failing ? .failed : .done
  }

  /// Those that hold up the publication of one: they run, and what lies in between is done.
  func lenders(of construction: Int) -> Set<Int> {
    if isDoomed(construction) || progress[construction] == .failed { return [] }
    let found = reached(from: construction) { progress[$0] == .done }
    return found.filter { progress[$0] == .running && $0 != construction }
  }

  /// Whether it depends on one that has failed.
  func isDoomed(_ construction: Int) -> Bool {
    reached(from: construction) { _ in true }.contains { progress[$0] == .failed }
  }

  func isPublished(_ construction: Int) -> Bool {
    progress[construction] == .done && !isDoomed(construction) && lenders(of: construction).isEmpty
  }

  /// Those that one depends on, through any that are passed.
  private func reached(from construction: Int, through isPassed: (Int) -> Bool) -> Set<Int> {
    var found: Set<Int> = []
    var pending = Array(sources[construction])
    while let next = pending.popLast() {
      if found.insert(next).inserted, isPassed(next) { pending += sources[next] }
    }
    return found
  }
}
