// SPDX-License-Identifier: MIT

import TestSupport
import XCTest

@testable import Corinth

final class ConstructionPhaseTests: ManualTestCase {
  /// From each phase to those that may follow it.
  private static let legal: [String: Set<String>] = [
    "building": ["initializing", "ended"],
    "initializing": ["postponed", "held", "ended"],
    "postponed": ["initializing", "postponed", "ended"],
    "held": ["publishing", "ended"],
    "publishing": ["ended"],
    "ended": [],
  ]

  private struct Phases {
    let instance: UnpublishedInstance
    let all: [ConstructionPhase]
  }

  private func phases() throws -> Phases {
    let instance = try begin("subject").returnInstance(tracker.make())
    let blocker = try begin("blocker").construction
    return Phases(
      instance: instance,
      all: [
        .building, .initializing(instance), .postponed(instance, until: blocker), .held(instance),
        .publishing(instance, after: nil), .ended,
      ])
  }

  func testThereAreSixPhasesWithNamesOfTheirOwn() throws {
    XCTAssertEqual(Set(try phases().all.map(\.name)), Set(Self.legal.keys))
  }

  func testAPhaseBecomesOneThatMayFollowItAndNoOther() throws {
    let all = try phases().all
    for phase in all {
      for next in all {
        XCTAssertEqual(
          phase.canBecome(next), Self.legal[phase.name]?.contains(next.name),
          "from \(phase.name) to \(next.name)")
      }
    }
  }

  func testLinksPassThroughEachLegalTransition() throws {
    let all = try phases().all
    for path in [
      ["building", "initializing", "held", "ended"],
      ["building", "initializing", "held", "publishing", "ended"],
      ["building", "initializing", "postponed", "postponed", "initializing", "ended"],
      ["building", "initializing", "postponed", "ended"], ["building", "ended"],
    ] {
      let links = ConstructionLinks()
      XCTAssertEqual(links.phase.name, path.first)
      for name in path.dropFirst() {
        links.move(to: try XCTUnwrap(all.first { $0.name == name }))
        XCTAssertEqual(links.phase.name, name)
      }
    }
  }

  /// It is what a resolve may get early.
  func testThereIsAnInstanceFromInitializingToPublishing() throws {
    let phases = try phases()
    let having = phases.all.filter { $0.instance != nil }
    XCTAssertEqual(having.map(\.name), ["initializing", "postponed", "held", "publishing"])
    XCTAssertTrue(having.allSatisfy { $0.instance === phases.instance })
  }

  func testOnlyOnePhaseIsHeldAndOneIsEnded() throws {
    let all = try phases().all
    XCTAssertEqual(all.filter(\.isHeld).map(\.name), ["held"])
    XCTAssertEqual(all.filter(\.isEnded).map(\.name), ["ended"])
  }

  // MARK: - What holds a construction up

  func testAPostponedConstructionIsHeldUpByTheOneThatItsActionsNeed() throws {
    let (subject, blocker) = (try begin("subject"), try begin("blocker"))
    let phase = ConstructionPhase.postponed(
      try subject.returnInstance(tracker.make()), until: blocker.construction)
    let holders = phase.holders(of: subject.construction)
    XCTAssertEqual(holders.map(\.key), [blocker.key])
  }

  func testLendersHoldAConstructionUpOnceItsOwnWorkIsDone() throws {
    let (subject, lender) = (try begin("subject"), try begin("lender"))
    let instance = try subject.returnInstance(tracker.make())
    ConstructionLinks.link(lender.construction, to: subject.construction)
    for phase in [
      ConstructionPhase.building, .initializing(instance), .publishing(instance, after: nil),
      .ended,
    ] {
      XCTAssertTrue(phase.holders(of: subject.construction).isEmpty, phase.name)
    }
    let holders = ConstructionPhase.held(instance).holders(of: subject.construction)
    XCTAssertEqual(holders.map(\.key), [lender.key])
  }

  func testAConstructionIsPublishedAfterTheOneBeforeIt() throws {
    let (subject, former) = (try begin("subject"), try begin("former"))
    let phase = ConstructionPhase.publishing(
      try subject.returnInstance(tracker.make()), after: former.construction)
    XCTAssertEqual(phase.holders(of: subject.construction).map(\.key), [former.key])
  }
}
