// SPDX-License-Identifier: MIT

import Corinth
import TestSupport
import XCTest

/// What an instance is told of the resolve that asks it.
final class StorageContextTests: ContainerTestCase {
  private let tracker = LifetimeTracker()

  @discardableResult
  private func register(
    _ recorder: Recorder, name: Name? = nil
  ) throws -> Registration<Tracked> {
    try container.register(Tracked.self, name: name) { [tracker] _ in tracker.make() }
      .as(recorder)
  }

  func testTheContainerIsTheOneItIsRegisteredIn() throws {
    let recorder = Recorder()
    try register(recorder)
    let child = Container(parent: container)
    _ = try child.resolve(Tracked.self)
    XCTAssertFalse(recorder.calls.isEmpty)
    for call in recorder.calls { XCTAssertTrue(call.container === container, call.name) }
  }

  func testTheResolverResolvesThere() throws {
    try container.register(Int.self) { _ in 7 }
    let seen = AtomicCounter()
    try register(
      Recorder { context in
        if let value = try? context.resolver.resolve(Int.self) { seen.add(value) }
      })
    _ = try container.resolve(Tracked.self)
    XCTAssertEqual(seen.value, 7)
  }

  func testOneResolveHasOneResolution() throws {
    let recorder = Recorder(keepsProducts: false)
    try register(recorder)
    try register(recorder, name: "other")
    for scope in [AnyScope.transient, .graph, .singleton] {
      try container.register([Tracked].self, scope: scope) {
        [try $0.resolve(Tracked.self), try $0.resolve(Tracked.self, name: "other")]
      }
      try container.register([[Tracked]].self) {
        [try $0.resolve([Tracked].self), [try $0.resolve(Tracked.self)]]
      }
      let before = recorder.calls.count
      _ = try container.resolve([[Tracked]].self)
      XCTAssertEqual(Set(recorder.calls.dropFirst(before).map(\.resolution)).count, 1, "\(scope)")
    }
  }

  func testTwoResolvesHaveTwo() throws {
    let recorder = Recorder()
    try register(recorder)
    try container.register([Tracked].self) { [try $0.resolve(Tracked.self)] }
    var seen: Set<UInt64> = []
    for _ in 0..<5 {
      for resolve in [{ _ = try $0.resolve(Tracked.self) }, { _ = try $0.resolve([Tracked].self) }]
        as [(Container) throws -> Void]
      {
        let before = recorder.calls.count
        try resolve(container)
        let used = Set(recorder.calls.dropFirst(before).map(\.resolution))
        XCTAssertTrue(seen.isDisjoint(with: used))
        seen.formUnion(used)
      }
    }
  }

  func testTheFirstResolveHasOneResolutionFromGetToSet() throws {
    let recorder = Recorder()
    try register(recorder)
    _ = try container.resolve(Tracked.self)
    XCTAssertEqual(Set(recorder.calls.map(\.resolution)).count, 1, "\(recorder.names)")
  }

  func testNestedInstancesHaveTheResolutionOfTheOuterOne() throws {
    let recorder = Recorder()
    try register(recorder, name: "inner")
    try container.register(Tracked.self, name: "outer") {
      _ = try $0.resolve(Tracked.self, name: "inner")
      return try $0.resolve(Tracked.self, name: "inner")
    }.as(recorder)
    _ = try container.resolve(Tracked.self, name: "outer")
    XCTAssertEqual(Set(recorder.calls.map(\.resolution)).count, 1, "\(recorder.names)")
  }

  func testTheArgument() throws {
    let recorder = Recorder(keepsProducts: false)
    try register(recorder)
    _ = try container.resolve(Tracked.self)
    XCTAssertTrue(recorder.calls.allSatisfy { $0.argument == nil })
    try container.register(Tracked.self) { [tracker] (_, _: Int) in tracker.make() }.as(recorder)
    var before = recorder.calls.count
    _ = try container.resolve(Tracked.self, arguments: 5)
    XCTAssertTrue(recorder.calls.dropFirst(before).allSatisfy { $0.argument as? Int == 5 })
    try container.register(Tracked.self) { [tracker] (_, _: Int, _: String) in tracker.make() }
      .as(recorder)
    before = recorder.calls.count
    _ = try container.resolve(Tracked.self, arguments: 5, "x")
    XCTAssertTrue(
      recorder.calls.dropFirst(before).allSatisfy {
        ($0.argument as? (Int, String)).map { $0 == (5, "x") } ?? false
      })
  }

  func testArgumentsMustBeHashable() throws {
    struct Opaque {}
    try container.register(Tracked.self) { [tracker] (_, _: Opaque) in
      tracker.make()
    }.as(Recorder())
    assertInvalid(.scopeRefusesArguments) {
      try container.resolve(Tracked.self, arguments: Opaque())
    }
  }
}
