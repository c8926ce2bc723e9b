// SPDX-License-Identifier: MIT

/// The instances of a closing that may be disposed of now, as others end.
///
/// A window of the order at a time: the next one begins when all of the one before have ended.
struct DisposalSchedule {
  private let relations: DisposalRelations
  private let count: Int
  private let windowSize: Int
  private var window: DisposalWindow
  /// For each instance of the window, how many earlier ones have not ended that it keeps its order to.
  private var waits: [Int] = []
  private var ready = Heap<ReadyInstance>()
  /// The number of those in the window that have not ended.
  private var open = 0

  /// - Complexity: O(*n* *w*) in the numbers of instances and of those in a window, for all calls together.
  init(of count: Int, _ relations: DisposalRelations, windowSize: Int = 1024) {
    self.relations = relations
    self.count = count
    self.windowSize = windowSize
    window = DisposalWindow(0..<0, of: relations)
    beginWindow()
  }

  private mutating func beginWindow() {
    let begin = window.range.upperBound
    if begin == count { return }
    window = DisposalWindow(begin..<min(begin + windowSize, count), of: relations)
    open = window.range.count
    waits = window.range.map { later in
      (begin..<later).count(where: { !window.areIndependent($0, later) })
    }
    for instance in window.range where waits[instance - begin] == 0 {
      ready.insert(ReadyInstance(index: instance))
    }
  }

  /// The first one that waits for no other; `nil` if all do.
  mutating func next() -> Int? { ready.popFirst()?.index }

  /// Notes that one has ended that ``next()`` has returned.
  mutating func end(_ instance: Int) {
    let begin = window.range.lowerBound
    for later in (instance + 1)..<max(instance + 1, window.range.upperBound)
    where !window.areIndependent(instance, later) {
      waits[later - begin] -= 1
      if waits[later - begin] == 0 { ready.insert(ReadyInstance(index: later)) }
    }
    open -= 1
    if open == 0 { beginWindow() }
  }

  /// An instance, of which a heap takes out the first in the order of disposal.
  private struct ReadyInstance: HeapElement {
    let index: Int

    func isBefore(_ other: ReadyInstance) -> Bool { index < other.index }

    func isPlaced(at index: Int) {}
  }
}
