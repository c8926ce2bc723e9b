// SPDX-License-Identifier: MIT

import TestSupport
import XCTest

@testable import Corinth

/// Scoped and graph instances by argument, with actions, of names and of several containers: they
/// had a store of their own once, and lie in cells as all others do.
final class ScopePlaceTests: StressTestCase {
  private let tracker = LifetimeTracker()
  private let container = Container()
  private let log = EventLog()

  private func register(_ scope: AnyScope) throws -> Registration<Tracked> {
    let tracker = tracker
    return try container.register(Tracked.self) { (_, _: Int) in tracker.make() }.as(scope)
  }

  /// The table of the instances by argument grows with the seventh value. The former table had a
  /// reference to each instance, and was retired.
  func testManyInstancesByArgumentGoWithTheirScope() throws {
    _ = try register(.scoped)
    let scope = container.makeScope()
    let section = Section.enter()
    defer { section.leave() }
    for value in 0..<50 { _ = try scope.resolve(Tracked.self, arguments: value) }
    try scope.syncClose()
    XCTAssertEqual(tracker.created, 50)
    XCTAssertEqual(tracker.alive, 0, "although a section is open")
  }

  func testManyInstancesByArgumentGoWithTheirResolution() throws {
    _ = try register(.graph)
    let section = Section.enter()
    defer { section.leave() }
    try container.withResolution { resolution in
      for value in 0..<50 { _ = try resolution.resolver.resolve(Tracked.self, arguments: value) }
      XCTAssertEqual(tracker.alive, 50)
    }
    XCTAssertEqual(tracker.alive, 0, "although a section is open")
  }

  func testInstancesByArgumentGoInTheOrderInWhichTheyCameBackwards() throws {
    let (tracker, log) = (tracker, log)
    try container.register(Parting.self) { (_, value: Int) in
      Parting(tracker) { log.add("\(value)") }
    }.as(.scoped)
    let scope = container.makeScope()
    for value in 0..<20 { _ = try scope.resolve(Parting.self, arguments: value * 7 % 20) }
    try scope.syncClose()
    XCTAssertEqual(log.entries, (0..<20).reversed().map { "\($0 * 7 % 20)" })
  }

  /// The close found the disposer after the seal only, and could not be repeated.
  func testAnAsynchronousDisposerThatComesLateRefusesASynchronousClose() async throws {
    let (tracker, disposed) = (tracker, AtomicCounter())
    let registrations = [
      try register(.scoped),
      try container.register(Tracked.self, name: "action", scope: .scoped) { _ in tracker.make() }
        .afterInit { _, _ in },
      try container.register(Tracked.self, name: "plain", scope: .scoped) { _ in tracker.make() },
    ]
    for (index, registration) in registrations.enumerated() {
      let scope = container.makeScope()
      func resolve() throws -> Tracked {
        switch index {
        case 0: try scope.resolve(Tracked.self, arguments: 1)
        case 1: try scope.resolve(Tracked.self, name: "action")
        default: try scope.resolve(Tracked.self, name: "plain")
        }
      }
      let instance = try resolve()
      registration.onDispose { _ in
        await Task.yield()
        disposed.add()
      }
      XCTAssertThrowsError(try scope.syncClose()) { error in
        guard case CloseError.asyncCloseRequired = error else { return XCTFail("\(error)") }
      }
      XCTAssertTrue(try resolve() === instance, "the scope is open")
      try await scope.close()
      XCTAssertEqual(disposed.value, index + 1)
    }
  }

  /// A cell of the outer resolution had a reference to the scope.
  func testTheInputsOfAScopeGoWithItAlthoughItTookPartInAnOuterResolution() throws {
    let tracker = tracker
    try container.registerInput(Tracked.self)
    try container.register([Int].self, scope: .graph) { _ in [1] }
    weak var input: Tracked?
    try container.withResolution { outer in
      do {
        let made = tracker.make()
        input = made
        let scope = container.makeScope(providing: made)
        try scope.withResolution { _ = try $0.resolver.resolve([Int].self) }
        try scope.syncClose()
      }
      XCTAssertNil(input)
    }
  }
}
