// SPDX-License-Identifier: MIT

import Corinth
import Foundation
import TestSupport
import XCTest

/// What was replaced beside a reader is destroyed although nobody writes any more.
///
/// A pool that was overridden while any thread of the process resolved anything used to live until
/// the next registration: for ever, in a service that registers at start-up only.
final class LeftBehindTests: ContainerTestCase {
  private let tracker = LifetimeTracker()

  /// Runs `write` while a stranger's thread is inside a section, and waits until the only instance
  /// is gone.
  private func assertGoesWithoutAnotherWriter(
    line: UInt = #line, _ write: (Container) throws -> Container?
  ) throws {
    let stranger = Container()
    try stranger.register(Int.self, scope: .singleton) { _ in 1 }
    _ = try stranger.resolve(Int.self)
    let inside = Gate()
    let mayLeave = Gate()
    var container: Container? = try makeContainerWithAPool()
    let reader = JoinableThread {
      try Self.insideOfASection(of: stranger) {
        inside.open()
        mayLeave.wait()
      }
    }
    inside.wait()
    container = try container.map(write) ?? nil
    XCTAssertEqual(tracker.alive, 1, line: line)
    mayLeave.open()
    try reader.join().get()
    while tracker.alive > 0 { _ = try stranger.resolve(Int.self) }
    withExtendedLifetime(container) {}
  }

  /// Runs `body` nested in so many borrowers that the innermost one's section stays open.
  private static func insideOfASection(
    of container: Container, levels: Int = 65, _ body: () throws -> Void
  ) throws {
    if levels == 0 { return try body() }
    try container.withResolved(Int.self) { _ in
      try insideOfASection(of: container, levels: levels - 1, body)
    }
  }

  private func makeContainerWithAPool() throws -> Container {
    let container = makeContainer()
    try container.register(Tracked.self, scope: .singleton) { [tracker] _ in tracker.make() }
    _ = try container.resolve(Tracked.self)
    return container
  }

  func testAnOverriddenInstanceGoes() throws {
    try assertGoesWithoutAnotherWriter { [tracker] container in
      try container.register(Tracked.self, scope: .singleton) { _ in tracker.make() }
      return container
    }
  }

  func testARemovedInstanceGoes() throws {
    try assertGoesWithoutAnotherWriter { container in
      container.unregister(Tracked.self)
      return container
    }
  }

  func testTheInstancesOfAContainerThatIsGoneGo() throws {
    try assertGoesWithoutAnotherWriter { _ in nil }
  }

  /// A thread that builds destroys nothing itself: what its factory overrides was left until it
  /// returned, and longer if it did not.
  func testAnInstanceGoesThatAFactoryOverrides() throws {
    let container = try makeContainerWithAPool()
    try container.register(Int.self, scope: .singleton) { [tracker] resolver in
      try resolver.container.register(Tracked.self) { _ in tracker.make() }
      while tracker.alive > 0 { usleep(1000) }
      return 1
    }
    XCTAssertEqual(try container.resolve(Int.self), 1)
  }
}
