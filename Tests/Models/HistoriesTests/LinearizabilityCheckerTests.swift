// SPDX-License-Identifier: MIT

import TestSupport
import XCTest

@testable import Histories

/// Histories made up by hand, of which a reader can tell whether they are right.
final class LinearizabilityCheckerTests: XCTestCase {
  private let tracker = LifetimeTracker()

  private typealias Kind = HistoryScript.Kind

  private func singleton(_ number: Int) -> Kind { .override(.init(number, .singleton)) }

  private func event(
    _ time: Range<Int>, _ kind: Kind, _ outcome: HistoryEvent.Outcome
  ) -> HistoryEvent {
    HistoryEvent(HistoryScript.Operation(kind, key: 0), thread: 0, outcome, time: time)
  }

  /// A resolve that returns the instance numbered `instance`, of the registration numbered
  /// `registration`.
  private func resolve(_ time: Range<Int>, _ instance: Int, of registration: Int) -> HistoryEvent {
    let found = HistoryInstance(tracker, registration: registration, number: instance)
    return event(time, .resolve(.plain), .instance(found))
  }

  private func resolveNothing(_ time: Range<Int>) -> HistoryEvent {
    event(time, .resolve(.plain), .instance(nil))
  }

  private func isLinearizable(_ events: [HistoryEvent]) -> Bool {
    // The order in which events were noted says nothing.
    var (forwards, backwards) = (
      LinearizabilityChecker(events), LinearizabilityChecker(events.reversed())
    )
    let isRight = forwards.violation() == nil
    XCTAssertEqual(backwards.violation() == nil, isRight)
    return isRight
  }

  func testOperationsOneAfterTheOtherMustDoWhatTheySay() {
    let history = [
      resolveNothing(1..<2),
      event(3..<4, .contains(.own), .answer(false)),
      event(5..<6, .register(.init(1, .singleton)), .answer(true)),
      event(7..<8, .contains(.child), .answer(true)),
      event(9..<10, .release, .answer(false)),
      resolve(11..<12, 1, of: 1),
      resolve(13..<14, 1, of: 1),
      event(15..<16, singleton(2), .answer(false)),
      event(17..<18, .release, .answer(true)),
      resolve(19..<20, 2, of: 1),
      event(21..<22, .unregister, .answer(true)),
      event(23..<24, .unregister, .answer(false)),
      event(25..<26, .override(.init(3, .transient)), .answer(true)),
      resolve(27..<28, 3, of: 3),
      resolve(29..<30, 4, of: 3),
      event(31..<32, .release, .answer(false)),
    ]
    XCTAssertTrue(isLinearizable(history))
    for index in history.indices {
      var other = history
      switch history[index].outcome {
      case .answer(let answer):
        other[index] = event(history[index].time, history[index].operation.kind, .answer(!answer))
      case .instance(nil):
        other[index] = resolve(history[index].time, 9, of: 1)
      default:
        other[index] = resolveNothing(history[index].time)
      }
      XCTAssertFalse(isLinearizable(other), "\(other[index])")
    }
  }

  func testAResolveBesideAnOverrideMayReturnEitherRegistration() {
    let first = event(1..<2, singleton(1), .answer(true))
    let override = event(4..<6, singleton(2), .answer(true))
    for registration in 1...2 {
      XCTAssertTrue(isLinearizable([first, override, resolve(3..<5, 1, of: registration)]))
      XCTAssertTrue(isLinearizable([first, override, resolve(5..<7, 1, of: registration)]))
    }
  }

  func testAResolveAfterAnOverrideMustNotReturnTheFormerRegistration() {
    let registrations = [
      event(1..<2, singleton(1), .answer(true)), event(3..<4, singleton(2), .answer(true)),
    ]
    XCTAssertTrue(isLinearizable(registrations + [resolve(5..<6, 1, of: 2)]))
    XCTAssertFalse(isLinearizable(registrations + [resolve(5..<6, 1, of: 1)]))
    XCTAssertFalse(isLinearizable(registrations + [resolve(5..<6, 1, of: 3)]))
  }

  func testTheInstanceOfAFormerRegistrationMustNotComeBack() {
    let events = [
      event(1..<2, singleton(1), .answer(true)), event(3..<10, singleton(2), .answer(true)),
      resolve(4..<5, 2, of: 2),
    ]
    XCTAssertTrue(isLinearizable(events + [resolve(6..<7, 2, of: 2)]))
    XCTAssertFalse(isLinearizable(events + [resolve(6..<7, 1, of: 1)]))
  }

  func testOneRegistrationMustNotHaveTwoInstances() {
    let first = event(1..<2, singleton(1), .answer(true))
    XCTAssertTrue(isLinearizable([first, resolve(3..<5, 1, of: 1), resolve(4..<6, 1, of: 1)]))
    XCTAssertFalse(isLinearizable([first, resolve(3..<5, 1, of: 1), resolve(4..<6, 2, of: 1)]))
  }

  func testATransientMustNotHaveOneInstanceTwice() {
    let first = event(1..<2, .override(.init(1, .transient)), .answer(true))
    XCTAssertTrue(isLinearizable([first, resolve(3..<5, 1, of: 1), resolve(4..<6, 2, of: 1)]))
    XCTAssertFalse(isLinearizable([first, resolve(3..<5, 1, of: 1), resolve(4..<6, 1, of: 1)]))
  }

  func testAReleaseIsFollowedByANewInstance() {
    let start = [
      event(1..<2, singleton(1), .answer(true)), resolve(3..<4, 1, of: 1),
      event(5..<8, .release, .answer(true)),
    ]
    XCTAssertTrue(isLinearizable(start + [resolve(9..<10, 2, of: 1)]))
    XCTAssertFalse(isLinearizable(start + [resolve(9..<10, 1, of: 1)]))
    // Beside the release either one will do, but not the former after the later one.
    XCTAssertTrue(isLinearizable(start + [resolve(6..<9, 1, of: 1)]))
    XCTAssertTrue(isLinearizable(start + [resolve(6..<9, 2, of: 1)]))
    XCTAssertFalse(isLinearizable(start + [resolve(6..<7, 2, of: 1), resolve(9..<10, 1, of: 1)]))
  }

  func testAReleaseThatFindsAnInstanceNeedsAResolveBeforeItsEnd() {
    let first = event(1..<2, singleton(1), .answer(true))
    let release = event(4..<6, .release, .answer(true))
    XCTAssertFalse(isLinearizable([first, release]))
    XCTAssertTrue(isLinearizable([first, release, resolve(5..<8, 1, of: 1)]))
    XCTAssertFalse(isLinearizable([first, release, resolve(7..<8, 1, of: 1)]))
  }

  func testOneOfTwoRegistrationsThatRefuseEachOtherIsRefused() {
    let times = [1..<3, 2..<4]
    func history(_ answers: [Bool]) -> [HistoryEvent] {
      zip(times, answers).enumerated().map { index, event in
        self.event(event.0, .register(.init(index + 1, .singleton)), .answer(event.1))
      }
    }
    XCTAssertTrue(isLinearizable(history([true, false])))
    XCTAssertTrue(isLinearizable(history([false, true])))
    XCTAssertFalse(isLinearizable(history([true, true])))
    XCTAssertFalse(isLinearizable(history([false, false])))
  }

  /// All overlap: without a memory of dead ends the search would go through 13! orders.
  func testAnIllegalHistoryOfManyOverlappingOperationsIsRefusedSoon() {
    let events = (0..<13).map { index in
      event(index..<100 + index, index == 12 ? .unregister : .contains(.own), .answer(index == 12))
    }
    XCTAssertFalse(isLinearizable(events))
  }

  func testAFactoryThatRunsInVainIsSeen() {
    let events = [event(1..<2, singleton(1), .answer(true)), resolve(3..<4, 1, of: 1)]
    XCTAssertTrue(HistoryVerdict(events, built: 1, tracker).isRight)
    XCTAssertFalse(HistoryVerdict(events, built: 2, tracker).isRight)
  }

  func testAnUnexpectedOutcomeIsSeen() {
    let events = [event(1..<2, .release, .unexpected("an error"))]
    XCTAssertFalse(HistoryVerdict(events, built: 0, tracker).isRight)
  }
}
