// SPDX-License-Identifier: MIT

import Corinth
import TestSupport
import XCTest

/// What becomes of the instances that are kept for the values of an argument.
final class PerArgumentLifetimeTests: ContainerTestCase {
  private let tracker = LifetimeTracker()

  func testAWeakInstanceIsDroppedForItsValueOnly() throws {
    try container.register(Tracked.self, scope: .weak) { [tracker] (_, _: Int) in tracker.make() }
    let one = try container.resolve(Tracked.self, arguments: 1)
    XCTAssertEqual(try container.resolve(Tracked.self, arguments: 2).serial, 2)
    XCTAssertEqual(tracker.alive, 1)
    XCTAssertEqual(try container.resolve(Tracked.self, arguments: 2).serial, 3)
    XCTAssertTrue(try container.resolve(Tracked.self, arguments: 1) === one)
  }

  func testAllValuesAreDroppedTogether() throws {
    let endings: [(String, (Container) throws -> Void)] = [
      ("releaseAll", { $0.releaseAll() }),
      ("release", { XCTAssertTrue($0.release(Tracked.self, arguments: Int.self)) }),
      ("unregister", { $0.unregister(Tracked.self, arguments: Int.self) }),
      ("removeAll", { $0.removeAll() }),
      ("override", { try $0.register(Tracked.self) { (_, _: Int) in Tracked(LifetimeTracker()) } }),
    ]
    for (name, end) in endings {
      for scope in [AnyScope.singleton, .cached(for: .seconds(3600))] {
        let container = Container()
        let tracker = LifetimeTracker()
        try container.register(Tracked.self, scope: scope) { (_, _: Int) in tracker.make() }
        for value in 0..<20 { _ = try container.resolve(Tracked.self, arguments: value) }
        XCTAssertEqual(tracker.alive, 20)
        try end(container)
        XCTAssertEqual(tracker.left, 0, "\(name), \(scope)")
      }
    }
  }

  func testReleasingBuildsAnewForAllValues() throws {
    try container.register(Tracked.self, scope: .singleton) { [tracker] (_, _: Int) in
      tracker.make()
    }
    for value in 0..<3 { _ = try container.resolve(Tracked.self, arguments: value) }
    container.releaseAll()
    for value in 0..<3 {
      XCTAssertEqual(try container.resolve(Tracked.self, arguments: value).serial, value + 4)
    }
  }

  /// Looking a value up runs its `==`, which may use the container.
  func testAValueMayUseTheContainerWhenItIsCompared() throws {
    let container = container
    try container.register(Int.self) { _ in 1 }
    try container.register(Tracked.self, scope: .singleton) { [tracker] (_, _: Nosy) in
      tracker.make()
    }
    for value in [1, 2, 1, 2, 3] {
      _ = try container.resolve(
        Tracked.self, arguments: Nosy(value: value, container: container))
    }
    XCTAssertEqual(tracker.created, 3)
    container.removeAll()
  }

  private struct Nosy: Hashable, Sendable {
    let value: Int
    let container: Container

    static func == (left: Self, right: Self) -> Bool {
      let visited = try? left.container.resolve(Int.self)
      _ = try? left.container.register(Int.self, name: "visited") { _ in 1 }
      return visited != nil && left.value == right.value
    }

    func hash(into hasher: inout Hasher) {}
  }
}
