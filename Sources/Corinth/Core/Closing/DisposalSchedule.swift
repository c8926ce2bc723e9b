// SPDX-License-Identifier: MIT

/// Tells which instances of a closing may be disposed of next, as others end.
///
/// Takes a window of the order at a time: a window begins when all instances before it have ended.
struct DisposalSchedule {
  private let relations: DisposalRelations
  private let count: Int
  private let windowSize: Int
  private var window: DisposalWindow
  /// For each instance of the window, the number of earlier ones to be awaited.
  private var waits: [Int] = []
  /// The instances of the window that wait for no other, the first one last.
  private var ready: [Int] = []
  /// The number of instances of the window that have not ended.
  private var open = 0

  /// - Complexity: O(*n* *w*) in the numbers of instances and of instances in a window, for all
  ///   calls together.
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
    ready = window.range.reversed().filter { waits[$0 - begin] == 0 }
  }

  /// The first instance that waits for no other; `nil` if all wait.
  mutating func next() -> Int? { ready.popLast() }

  /// Notes the end of an instance returned by ``next()``.
  mutating func end(_ instance: Int) {
    let begin = window.range.lowerBound
    for later in (instance + 1)..<max(instance + 1, window.range.upperBound)
    where !window.areIndependent(instance, later) {
      waits[later - begin] -= 1
      if waits[later - begin] == 0 { ready.append(later) }
    }
    ready.sort(by: >)
    open -= 1
    if open == 0 { beginWindow() }
  }
}
