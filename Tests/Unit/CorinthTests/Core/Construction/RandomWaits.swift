// SPDX-License-Identifier: MIT

import TestSupport

@testable import Corinth

/// Threads and tasks that build and wait, without a check that the waits end.
final class RandomWaits {
  private(set) var all: [ManualConstruction] = []
  private var around: [Int?] = []
  private var waits: [Wait] = []
  /// From each construction to those that must come further first.
  private(set) var edges: [Set<Int>] = []
  /// From each construction to those that a resolve directly in it waits for, and to those built in
  /// it.
  private var steps: [Set<Int>] = []

  init(
    _ random: inout SeededGenerator,
    begin: (_ index: Int, _ isAsynchronous: Bool) throws -> ManualConstruction
  ) throws {
    for index in 0..<Int.random(in: 2...8, using: &random) {
      let outer = Bool.random(using: &random) ? all.indices.randomElement(using: &random) : nil
      let isAsynchronous = Int.random(in: 0..<4, using: &random) == 0
      if let outer {
        all.append(try all[outer].inside { try begin(index, isAsynchronous) })
      } else {
        all.append(try begin(index, isAsynchronous))
      }
      around.append(outer)
    }
    edges = Array(repeating: [], count: all.count)
    steps = edges
    for (inner, outer) in around.enumerated() {
      if let outer, !all[inner].construction.isAsynchronous { steps[outer].insert(inner) }
    }
    for _ in 0..<Int.random(in: 1...2 * all.count, using: &random) { addWait(&random) }
  }

  /// The construction and those that its thread, or the task's, is inside of.
  private func blocked(by index: Int) -> [Int] {
    guard !all[index].construction.isAsynchronous, let outer = around[index] else { return [index] }
    return [index] + blocked(by: outer)
  }

  private func addWait(_ random: inout SeededGenerator) {
    guard let source = all.indices.randomElement(using: &random),
      let target = all.indices.randomElement(using: &random)
    else { return }
    // A resolver of another construction may have been handed to the thread.
    let requester = Bool.random(using: &random) ? all.indices.randomElement(using: &random) : nil
    let wait = all[source].inside {
      Wait(requestedBy: requester.map { all[$0].construction })
    }
    WaitForGraph.withLock { wait.begin(for: all[target].construction, .thread(Latch()), &$0) }
    waits.append(wait)
    if let requester, let outermost = blocked(by: source).last {
      steps[requester].insert(outermost)
    }
    for innermost in [source, requester].compactMap({ $0 }) {
      steps[innermost].insert(target)
      for each in blocked(by: innermost) { edges[each].insert(target) }
    }
  }

  /// Makes some constructions wait for lenders, those among them that are left running.
  func hold(
    _ random: inout SeededGenerator, _ makeProduct: () -> Tracked
  ) throws {
    for held in all.indices.dropLast() where Bool.random(using: &random) {
      try all[held].expose(makeProduct())
      let lender = Int.random(in: held + 1..<all.count, using: &random)
      ConstructionLinks.link(all[lender].construction, to: all[held].construction)
      if let instance = all[held].instance { all[held].links.move(to: .held(instance)) }
      edges[held].insert(lender)
      steps[held].insert(lender)
    }
  }

  func isReachable(_ goal: Int, from start: Int) -> Bool {
    var found: Set<Int> = [start]
    var pending = [start]
    while let next = pending.popLast() {
      pending += edges[next].filter { found.insert($0).inserted }
    }
    return found.contains(goal)
  }

  /// Whether each key follows from the one before it.
  func isPath(_ keys: [RegistrationKey], from start: Int, to goal: Int) -> Bool {
    let indices = keys.map { key in all.firstIndex { $0.key == key } ?? -1 }
    return indices.first == start && indices.last == goal
      && zip(indices, indices.dropFirst()).allSatisfy { steps[$0].contains($1) }
  }

  func end() {
    WaitForGraph.withLock { changes in
      for wait in waits { changes.end(wait, .retry) }
    }
  }
}
