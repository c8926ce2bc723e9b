// SPDX-License-Identifier: MIT

import AstrojectDialect
import TestSupport
import XCTest

extension Registrable {
  @discardableResult
  fileprivate func kept(_ events: EventLog) -> Self {
    self.as(Singleton()).afterInit { _, _ in events.add("made") }
  }
}

extension Registrable where Product: Sendable {
  @discardableResult
  fileprivate func shared() -> Self { asSingleton() }
}

/// Modifiers through the protocol do what those of a registration do.
final class RegistrableTests: ContainerTestCase {
  private let tracker = LifetimeTracker()

  private func register() throws -> Registration<Tracked> {
    try container.register(Tracked.self) { [tracker] _ in tracker.make() }
  }

  private func isShared() throws -> Bool {
    let first = try container.resolve(Tracked.self)
    return try container.resolve(Tracked.self) === first
  }

  func testAnExtensionGivesACombinationOfModifiersAName() throws {
    let events = EventLog()
    try register().kept(events)
    XCTAssertTrue(try isShared())
    XCTAssertEqual(events.entries, ["made"])
    try register().shared().eager()
    try container.syncWarmUp()
    XCTAssertEqual(tracker.created, 2)
    XCTAssertTrue(try isShared())
  }

  func testModifiersAreChainedToAnyRegistrable() throws {
    let known: any Registrable<Tracked> = try register()
    known.asPrototype().asWeak().asGraph().asSingleton()
    XCTAssertTrue(try isShared())
    let unknown: any Registrable = known
    unknown.asPrototype()
    XCTAssertFalse(try isShared())
    unknown.asUnchecked(.singleton)
    XCTAssertTrue(try isShared())
    known.asCached(for: .zero)
    XCTAssertFalse(try isShared())
    unknown.asUnchecked(.weak)
    XCTAssertTrue(try isShared())
    unknown.asUnchecked(.cached(for: .zero))
    XCTAssertFalse(try isShared())
    known.asScoped()
    XCTAssertThrowsError(try isShared()) { XCTAssertTrue($0.is(.scopeRequired), "\($0)") }
  }

  func testAnActionIsChainedToAnyRegistrable() async throws {
    let events = EventLog()
    let registration: any Registrable<Tracked> = try container.registerAsync(Tracked.self) {
      [tracker] _ in tracker.make()
    }
    registration.asSingleton().afterInit { _, _ in events.add("first") }
      .afterInit { _, _ in
        await Task.yield()
        events.add("second")
      }
    _ = try await container.resolveAsync(Tracked.self)
    XCTAssertEqual(events.entries, ["first", "second"])
  }

  func testModifiersOfCorinthFollowThoseOfAstroject() async throws {
    let events = EventLog()
    try register().asSingleton().onDispose { _ in events.add("gone") }
      .implements((any AnyObject & Sendable).self)
    _ = try container.resolve((any AnyObject & Sendable).self)
    try await container.shutdown()
    XCTAssertEqual(events.entries, ["gone"])
  }

  private struct Overridable: Assembly {
    func assemble(container: Container) throws {
      try container.register(Int.self, overridable: true) { _ in 1 }
      try container.register(Int.self) { _ in 2 }
      try container.register(Int.self, overridable: true) { _ in 3 }
    }
  }

  func testAnOverridableRegistrationSaysWhatASecondOneMeans() throws {
    let hints = EventLog()
    Container.onHint = { hints.add($0) }
    defer { Container.onHint = nil }
    try Assembler(container: container).apply(assemblies: [Overridable()])
    XCTAssertEqual(hints.entries, [])
    XCTAssertEqual(try container.resolve(Int.self), 3)
  }
}
