// SPDX-License-Identifier: MIT

import TestSupport
import XCTest

@testable import Corinth

/// Random histories of constructions that get early references, end and fail, through the functions
/// that the core itself calls.
final class LendingHistoryTests: ManualTestCase {
  /// After each step the same constructions are published, doomed and dropped as in the model.
  func testConstructionsEndInRandomHistoriesAsInTheModel() throws {
    for seed in 1...UInt64(StressSize.scaled(2000)) {
      var random = SeededGenerator(seed: seed)
      var history = History(
        try (0..<Int.random(in: 2...6, using: &random)).map { try begin(Name("\(seed)-\($0)")) })
      for _ in 0..<25 {
        try history.step(&random) { tracker.make() }
        if let difference = history.difference {
          return XCTFail("seed \(seed): \(difference) after \(history.log)")
        }
      }
      try history.endAll { tracker.make() }
      XCTAssertNil(history.difference, "seed \(seed), after \(history.log)")
      XCTAssertTrue(
        history.all.allSatisfy(\.construction.isFinished),
        "seed \(seed): something is held for ever after \(history.log)")
    }
  }

  private struct History {
    let all: [ManualConstruction]
    private var model: LendersModel
    private(set) var log: [String] = []

    init(_ all: [ManualConstruction]) {
      self.all = all
      model = LendersModel(all.count)
    }

    mutating func step(
      _ random: inout SeededGenerator, _ makeProduct: () -> Tracked
    ) throws {
      let one = Int.random(in: all.indices, using: &random)
      let other = Int.random(in: all.indices, using: &random)
      switch Int.random(in: 0..<10, using: &random) {
      case 0: fail(one)
      case 1: try finish(one, makeProduct)
      case 2: try expose(one, makeProduct)
      default: lend(one, to: other)
      }
    }

    mutating func endAll(_ makeProduct: () -> Tracked) throws {
      for index in all.indices { try finish(index, makeProduct) }
    }

    private func isRunning(_ index: Int) -> Bool { model.progress[index] == .running }

    private mutating func expose(_ index: Int, _ makeProduct: () -> Tracked) throws {
      guard isRunning(index), all[index].instance == nil else { return }
      log.append("\(index) has an instance")
      try all[index].expose(makeProduct())
    }

    private mutating func lend(_ lender: Int, to borrower: Int) {
      guard lender != borrower, all[lender].instance != nil, !all[lender].construction.isFinished,
        !model.isDoomed(lender), isRunning(borrower), !model.isDoomed(borrower)
      else { return }
      log.append("\(lender) lends to \(borrower)")
      let wait = all[borrower].inside { Wait(requestedBy: nil) }
      let box = WaitForGraph.withLock { _ in
        WaitForGraph.earlyReference(to: all[lender].construction, for: wait)
      }
      XCTAssertTrue(box === all[lender].instance?.earlyReference)
      model.lend(lender, to: borrower)
    }

    private mutating func finish(_ index: Int, _ makeProduct: () -> Tracked) throws {
      guard isRunning(index) else { return }
      try expose(index, makeProduct)
      log.append("\(index) ends")
      let isPublished = try all[index].finish()
      model.end(index, failing: false)
      XCTAssertEqual(isPublished, model.isPublished(index), "\(index) after \(log)")
    }

    private mutating func fail(_ index: Int) {
      guard isRunning(index) else { return }
      log.append("\(index) fails")
      all[index].fail()
      model.end(index, failing: true)
    }

    /// What has become of a construction that has not become of it in the model.
    var difference: String? {
      for index in all.indices {
        let isDoomed = model.isDoomed(index)
        let isPublished = model.isPublished(index)
        let isDropped =
          model.progress[index] == .failed || isDoomed && model.progress[index] == .done
        let found = (
          all[index].isPublished, all[index].construction.isFinished,
          WaitForGraph.withLock { _ in all[index].construction.links.isDoomed }
        )
        let expected = (isPublished, isPublished || isDropped, isDoomed)
        // What a construction was doomed by does not matter once it has failed by itself.
        let isFailed = model.progress[index] == .failed
        if found.0 != expected.0 || found.1 != expected.1 || found.2 != expected.2 && !isFailed {
          return "\(index) is published, finished, doomed: \(found), not \(expected)"
        }
      }
      return nil
    }
  }
}
