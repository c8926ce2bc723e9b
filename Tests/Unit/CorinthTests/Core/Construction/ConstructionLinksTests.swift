// SPDX-License-Identifier: MIT

import TestSupport
import XCTest

@testable import Corinth

/// The lists of lenders and borrowers alone: nothing is built.
final class ConstructionLinksTests: ManualTestCase {
  private func make(_ count: Int) throws -> [Construction] {
    let record = try XCTUnwrap(begin("model")).record
    return (0..<count).map { _ in
      Construction.begun(of: record, in: container.registry, requestedBy: nil)
    }
  }

  func testALinkIsInTheListsOfBoth() throws {
    let all = try make(2)
    ConstructionLinks.link(all[0], to: all[1])
    XCTAssertTrue(all[1].links.lenders.elementsEqual([all[0]], by: ===))
    XCTAssertTrue(all[0].links.borrowers.elementsEqual([all[1]], by: ===))
    XCTAssertTrue(all[0].links.lenders.isEmpty && all[1].links.borrowers.isEmpty)
    _ = ConstructionLinks.unlink(all[0])
  }

  func testALinkIsMadeOnceAndNeverToItself() throws {
    let all = try make(2)
    for _ in 0..<2 { ConstructionLinks.link(all[0], to: all[1]) }
    ConstructionLinks.link(all[0], to: all[0])
    XCTAssertEqual(all[1].links.lenders.count, 1)
    XCTAssertEqual(all[0].links.borrowers.count, 1)
    XCTAssertTrue(all[0].links.lenders.isEmpty)
    _ = ConstructionLinks.unlink(all[0])
  }

  func testLendersTakeThePlaceOfAnEliminatedConstruction() throws {
    let all = try make(3)
    ConstructionLinks.link(all[0], to: all[1])
    ConstructionLinks.link(all[1], to: all[2])
    let former = ConstructionLinks.eliminate(all[1])
    XCTAssertTrue(former.elementsEqual([all[2]], by: ===))
    XCTAssertTrue(all[2].links.lenders.elementsEqual([all[0]], by: ===))
    XCTAssertTrue(all[0].links.borrowers.elementsEqual([all[1], all[2]], by: ===))
    XCTAssertTrue(all[1].links.lenders.elementsEqual([all[0]], by: ===), "it is held by them")
    _ = ConstructionLinks.unlink(all[0])
  }

  func testTwoThatBorrowFromEachOtherAreFreeWhenBothAreEliminated() throws {
    let all = try make(2)
    ConstructionLinks.link(all[0], to: all[1])
    ConstructionLinks.link(all[1], to: all[0])
    _ = ConstructionLinks.eliminate(all[0])
    XCTAssertTrue(all[0].links.lenders.elementsEqual([all[1]], by: ===))
    XCTAssertTrue(all[1].links.lenders.isEmpty, "nobody waits for its own end")
    let former = ConstructionLinks.eliminate(all[1])
    XCTAssertTrue(former.elementsEqual([all[0]], by: ===))
    XCTAssertTrue(all[0].links.lenders.isEmpty)
  }

  func testAnUnlinkedConstructionLeavesNobodyInItsPlace() throws {
    let all = try make(3)
    ConstructionLinks.link(all[0], to: all[1])
    ConstructionLinks.link(all[1], to: all[2])
    let former = ConstructionLinks.unlink(all[1])
    XCTAssertTrue(former.elementsEqual([all[2]], by: ===))
    for construction in all {
      XCTAssertTrue(construction.links.lenders.isEmpty && construction.links.borrowers.isEmpty)
    }
  }

  /// The instance that it refers to is lost in the child as well. It was published there.
  func testADoomedConstructionIsDoomedInAForkedChildToo() throws {
    let links = ConstructionLinks()
    links.abandonment = .itself
    links.doom = ResolutionError(
      FixtureError("refused"), thrownBy: try begin("lender").record)
    let copy = links.copyOfPhase()
    XCTAssertTrue(copy.isDoomed)
    guard case .itself = copy.abandonment else { return XCTFail("\(copy.abandonment as Any)") }
    XCTAssertTrue(copy.failure?.underlyingError is FixtureError)
  }

  func testOnlyWhatTheForkingThreadDoesItselfIsLeftInAForkedChild() throws {
    let (a, b) = (try begin("a"), try beginExposed("b"))
    let (inside, outside) = (b.resolve(a), ManualResolve(of: b))
    ConstructionLinks.link(a.construction, to: b.construction)
    let copy = b.links.copyOfPhase()
    XCTAssertEqual(copy.phase.name, "initializing")
    XCTAssertTrue(copy.lenders.isEmpty && copy.waits.isEmpty && copy.waiters.isEmpty)
    XCTAssertEqual([inside.verdict, outside.verdict], [.waiting, .waiting])
  }

  // MARK: - Against the model

  /// Constructions get early references, end and fail in any order. All lists are those that follow
  /// from the whole history.
  func testTheListsOfRandomHistoriesAreThoseOfTheModel() throws {
    try skipUnderThreadSanitizer()
    for seed in 1...UInt64(StressSize.scaled(3000)) {
      var random = SeededGenerator(seed: seed)
      let all = try make(Int.random(in: 2...7, using: &random))
      var history = History(all)
      for _ in 0..<30 {
        history.step(&random)
        if let difference = history.difference {
          return XCTFail("seed \(seed): \(difference) after \(history.log)")
        }
      }
      history.endAll()
      XCTAssertTrue(history.isEmpty, "seed \(seed): links are left after \(history.log)")
    }
  }

  private struct History {
    let all: [Construction]
    var model: LendersModel
    var log: [String] = []

    init(_ all: [Construction]) {
      self.all = all
      model = LendersModel(all.count)
    }

    mutating func step(_ random: inout SeededGenerator) {
      let one = Int.random(in: all.indices, using: &random)
      let other = Int.random(in: all.indices, using: &random)
      switch Int.random(in: 0..<10, using: &random) {
      case 0: fail(one)
      case 1, 2: end(one)
      default: lend(one, to: other)
      }
    }

    private mutating func lend(_ lender: Int, to borrower: Int) {
      let isLendable =
        model.progress[lender] != .failed && !model.isPublished(lender) && !model.isDoomed(lender)
      guard isLendable, model.progress[borrower] == .running, !model.isDoomed(borrower) else {
        return
      }
      log.append("\(lender) lends to \(borrower)")
      // As the graph does it: those that a held one waits for are the lenders in its place.
      let isHeld = model.progress[lender] == .done
      for each in isHeld ? all[lender].links.lenders : [all[lender]] {
        ConstructionLinks.link(each, to: all[borrower])
      }
      model.lend(lender, to: borrower)
    }

    private mutating func end(_ index: Int) {
      guard model.progress[index] == .running else { return }
      log.append("\(index) ends")
      if !model.isDoomed(index) { _ = ConstructionLinks.eliminate(all[index]) }
      model.end(index, failing: false)
    }

    private mutating func fail(_ index: Int) {
      guard model.progress[index] == .running else { return }
      log.append("\(index) fails")
      var failing = [all[index]]
      while let next = failing.popLast() { failing += ConstructionLinks.unlink(next) }
      model.end(index, failing: true)
    }

    mutating func endAll() {
      for index in all.indices { end(index) }
    }

    /// What the lists have that the model has not, or the reverse.
    var difference: String? {
      let lenders = all.indices.map { model.lenders(of: $0) }
      for index in all.indices {
        let links = all[index].links
        let borrowers = Set(all.indices.filter { lenders[$0].contains(index) })
        for (name, list, expected) in [
          ("lenders", links.lenders, lenders[index]), ("borrowers", links.borrowers, borrowers),
        ] {
          let found = list.map { each in all.firstIndex { $0 === each } ?? -1 }
          if found.count != expected.count || Set(found) != expected {
            return "\(name) of \(index) are \(found), not \(expected.sorted())"
          }
        }
      }
      return nil
    }

    var isEmpty: Bool {
      all.allSatisfy { $0.links.lenders.isEmpty && $0.links.borrowers.isEmpty }
    }
  }
}
