// SPDX-License-Identifier: MIT

import Corinth
import TestSupport
import XCTest

final class ListingTests: ContainerTestCase {
  private let tracker = LifetimeTracker()

  @discardableResult
  private func register(_ name: Name? = nil) throws -> Registration<Tracked> {
    try container.register(Tracked.self, name: name, file: "App/Main.swift", line: 10) {
      [tracker] _ in tracker.make()
    }
  }

  func testRegistrationsAreListedInTheOrderInWhichTheyWereMade() throws {
    try register("b")
    try container.register(Int.self) { _ in 1 }
    try register("a")
    try register("b").as(.singleton)
    XCTAssertEqual(
      container.registrations.map(\.key.description),
      ["Tracked named \"b\"", "Int", "Tracked named \"a\""], "an override takes its place")
    container.removeAll()
    XCTAssertTrue(container.registrations.isEmpty)
  }

  func testAListedRegistrationSaysWhatItIs() throws {
    let container = container
    try register().eager().as(.singleton)
    try container.register(Int.self, onDuplicate: .refuse) { (_, text: String) in text.count }
    try container.registerAsync(String.self, scope: .cached(for: .seconds(1))) { _ in "" }
    try container.forward(Double.self, to: Int.self)
    try container.register(Motor.self) { _ in Motor() }.onDispose { _ in }
    let listed = container.registrations
    XCTAssertEqual(
      listed.map(\.kind),
      [.factory, .factoryWithArguments, .asynchronousFactory, .forwarding, .factory])
    XCTAssertEqual(
      listed.map(\.scope.description),
      ["singleton", "transient", "cached", "transient", "transient"])
    XCTAssertEqual(listed.map(\.isEager), [true, false, false, false, false])
    XCTAssertEqual(listed.map(\.isOverridable), [true, false, true, true, true])
    XCTAssertEqual(listed.map(\.fault), [nil, nil, nil, nil, .disposalRequiresOwner])
    XCTAssertEqual(listed.first?.location.description, "App/Main.swift:10")
    XCTAssertEqual(Set(listed.map(\.level)), [0])
    XCTAssertEqual(tracker.created, 0)
  }

  func testAListingTellsWhatIsBuilt() throws {
    let container = container
    func built() -> [Bool] { container.registrations.map(\.isBuilt) }
    try register("singleton").as(.singleton)
    try register("weak").as(.weak)
    try register("cached").as(.cached(for: .seconds(3600)))
    try register("transient")
    try container.register(Tracked.self) { [tracker] (_, _: Int) in tracker.make() }.as(.singleton)
    XCTAssertEqual(built(), [false, false, false, false, false])
    var kept: [Tracked] = []
    for name: Name in ["singleton", "weak", "cached", "transient"] {
      kept.append(try container.resolve(Tracked.self, name: name))
    }
    kept.append(try container.resolve(Tracked.self, arguments: 1))
    XCTAssertEqual(built(), [true, true, true, false, true])
    kept = []
    XCTAssertEqual(built(), [true, false, true, false, true], "a weak instance has gone")
    container.releaseAll()
    XCTAssertEqual(built(), [false, false, false, false, false])
  }

  func testParentsAreListedWithTheirLevels() throws {
    try register("shadowed")
    try register("own")
    let child = Container(parent: Container(parent: container))
    try child.register(Tracked.self, name: "shadowed") { [tracker] _ in tracker.make() }
    XCTAssertEqual(child.registrations.map(\.key.name), ["shadowed"])
    let all = child.registrations(includingParents: true)
    XCTAssertEqual(all.map(\.key.name), ["shadowed", "own", "shadowed"])
    XCTAssertEqual(all.map(\.level), [2, 2, 0])
    XCTAssertEqual(child.registrations(includingParents: false).count, 1)
  }

  // MARK: - Resolving by key

  func testAKeyIsResolvedWithoutItsType() async throws {
    try register().as(.singleton)
    try container.register(Int.self, name: "port") { _ in 80 }
    try container.registerAsync(String.self) { _ in "async" }
    let child = Container(parent: container)
    var found: [String] = []
    for key in container.registrations.map(\.key) {
      switch try await child.resolveAsync(key: key) {
      case let tracked as Tracked:
        XCTAssertTrue(try tracked === container.resolve(Tracked.self))
        XCTAssertTrue(try container.resolve(key: key) as? Tracked === tracked)
        found.append("Tracked")
      case let number as Int: found.append("\(number)")
      case let text as String: found.append(text)
      case let other: XCTFail("\(other)")
      }
    }
    XCTAssertEqual(found, ["Tracked", "80", "async"])
    let key = try XCTUnwrap(container.registrations.last?.key)
    XCTAssertThrowsError(try container.resolve(key: key)) {
      XCTAssertTrue($0.is(.asyncResolutionRequired))
    }
    container.removeAll()
    XCTAssertThrowsError(try container.resolve(key: key)) {
      XCTAssertTrue($0.is(.noRegistrationFound))
    }
  }

  func testAKeyWithArgumentsIsNotResolvedWithoutThem() async throws {
    try container.register(Int.self) { (_, text: String) in text.count }
    let key = try XCTUnwrap(container.registrations.first?.key)
    XCTAssertThrowsError(try container.resolve(key: key)) {
      assertGolden("key-with-arguments", "\($0)")
    }
    do {
      _ = try await container.resolveAsync(key: key)
      XCTFail("no error")
    } catch {
      XCTAssertTrue(error.is(.noRegistrationFound))
    }
  }

  // MARK: - Text

  func testAContainerDescribesItself() throws {
    XCTAssertEqual("\(container)", "Container with 0 registrations")
    try register("b").as(.singleton).eager()
    try container.register(Int.self, onDuplicate: .refuse, file: "App/Main.swift", line: 5) { _ in 1
    }
    try container.registerAsync(String.self, file: "App/Main.swift", line: 6) { _ in "" }
    try container.forward(Double.self, to: Int.self, file: "App/Main.swift", line: 7)
    try container.register(
      Motor.self, file: "App/Main.swift", line: 8
    ) { _ in Motor() }.eager()
    try register("a").as(.singleton)
    _ = try container.resolve(Tracked.self, name: "a")
    let scope = container.makeScope()
    try scope.register(Int.self, file: "App/Main.swift", line: 9) { _ in 2 }
    XCTAssertEqual(
      "\(scope)",
      "Request scope with 1 registration; its parent: Container with 6 registrations, 1 of them built"
    )
    assertGolden("container-debug-description", scope.debugDescription)
    try scope.syncClose()
    XCTAssertTrue("\(scope)".hasPrefix("Request scope, closed"))
    XCTAssertEqual(tracker.created, 1)
  }

  func testARegistrationIsPrintedWithoutItsContainer() throws {
    XCTAssertEqual("\(try register("a"))", "Tracked named \"a\", registered at App/Main.swift:10")
  }

  // MARK: - Concurrency

  func testAListingBesideWritersIsSortedAndHasEachKeyOnce() throws {
    let container = container
    let tracker = tracker
    let names = (0..<32).map { Name($0) }
    try onThreads(8) { thread in
      for round in 0..<100 {
        let name = names[(round + thread) % names.count]
        switch thread % 4 {
        case 0:
          try container.register(Tracked.self, name: name, scope: .singleton) { _ in tracker.make()
          }
        case 1: container.unregister(Tracked.self, name: name)
        case 2: _ = try container.resolveIfRegistered(Tracked.self, name: name)
        default:
          let keys = container.registrations.map(\.key)
          XCTAssertEqual(Set(keys).count, keys.count)
        }
      }
    }
    container.removeAll()
    settleReclamation()
    XCTAssertEqual(tracker.alive, 0)
  }
}
