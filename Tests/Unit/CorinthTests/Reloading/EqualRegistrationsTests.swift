// SPDX-License-Identifier: MIT

import Corinth
import Foundation
import TestSupport
import XCTest

/// Reloads that register what is registered already: a file that is read again has the same values,
/// but for a few.
final class EqualRegistrationsTests: ReloadTestCase {
  struct Rate: Sendable, Equatable {
    var percent: Double
  }

  /// Equatable, and yet an object: two that are equal may become different.
  final class Token: Equatable, Sendable {
    let text: String

    init(_ text: String) { self.text = text }

    static func == (left: Token, right: Token) -> Bool { left.text == right.text }
  }

  struct Pair: Sendable, Equatable {
    let number: Int
  }

  /// Says what its `==` does.
  struct Probe: Sendable, Equatable {
    let number: Int
    let compare: @Sendable () -> Void

    static func == (left: Probe, right: Probe) -> Bool {
      left.compare()
      return left.number == right.number
    }
  }

  /// Whether a database that depends on a value stays when a reload registers another value in its
  /// place.
  private func staysInUse<Value: Sendable>(
    _ value: Value, when other: Value, _ options: RegistrationOptions<Value>? = nil,
    line: UInt = #line
  ) async throws -> Bool {
    let container = Container()
    try container.register(value: value)
    try add(Database.self, to: container, dependingOn: Value.self) { [services] resolver in
      _ = try resolver.resolve(Value.self)
      return Database(services)
    }
    let reloadable = ReloadableContainer(container)
    let database = try reloadable.current.resolve(Database.self)
    var stays: [Bool] = []
    // The second reload compares with what the first one has registered.
    for _ in 1...2 {
      let disposed = log.entries.count
      let before = try reloadable.current.resolve(Database.self)
      try await reloadable.reload { try $0.register(value: other, with: options) }.value
      let isSame = try reloadable.current.resolve(Database.self) === before
      XCTAssertEqual(log.entries.count, isSame ? disposed : disposed + 1, line: line)
      stays.append(isSame)
    }
    withExtendedLifetime(database) {}
    try await container.shutdown()
    return stays[0]
  }

  private func assertStays<Value: Sendable>(
    _ value: Value, _ other: Value, line: UInt = #line
  ) async throws {
    let stays = try await staysInUse(value, when: other, line: line)
    XCTAssertTrue(stays, line: line)
  }

  private func assertReplaced<Value: Sendable>(
    _ value: Value, _ other: Value, line: UInt = #line
  ) async throws {
    let stays = try await staysInUse(value, when: other, line: line)
    XCTAssertFalse(stays, line: line)
  }

  // MARK: - Values

  /// Each registration of a reload was a change, whatever it said.
  func testAnEqualValueIsNoChange() async throws {
    try await assertStays(Rate(percent: 7), Rate(percent: 7))
    try await assertStays("a", "a")
    try await assertStays([1: "a"], [1: "a"])
    try await assertReplaced(Rate(percent: 7), Rate(percent: 19))
    try await assertReplaced(Rate(percent: .nan), Rate(percent: .nan))
    // Nobody can compare them.
    try await assertReplaced(Settings(version: 1), Settings(version: 1))
    let closure: @Sendable () -> Int = { 1 }
    try await assertReplaced(closure, closure)
  }

  func testAnObjectIsComparedByItsIdentity() async throws {
    let token = Token("a")
    try await assertStays(token, token)
    try await assertReplaced(token, Token("a"))
    let service = Service(services)
    try await assertStays(service, service)
    try await assertReplaced(service, Service(services))
    try await assertStays(token as Token?, token)
    try await assertReplaced(token as Token?, Token("a"))
    try await assertStays(token as any Sendable, token)
    try await assertReplaced(token as any Sendable, Token("a"))
  }

  func testAnOptionalIsComparedByItsContent() async throws {
    try await assertStays(Rate?.none, nil)
    try await assertStays(Rate(percent: 7) as Rate?, Rate(percent: 7))
    try await assertReplaced(Rate(percent: 7) as Rate?, nil)
    try await assertReplaced(Rate?.none, Rate(percent: 7))
    try await assertStays(Rate??.some(nil), .some(nil))
    try await assertReplaced(Rate??.some(nil), .none)
    try await assertStays((any Sendable)?.some(1), 1)
    try await assertReplaced((any Sendable)?.some(1), 2)
    try await assertStays(Settings?.none, nil)
    try await assertReplaced(Settings?.some(Settings(version: 1)), Settings(version: 1))
  }

  func testAnExistentialIsComparedByWhatItHolds() async throws {
    try await assertStays(Rate(percent: 7) as any Sendable, Rate(percent: 7))
    try await assertReplaced(Rate(percent: 7) as any Sendable, Rate(percent: 8))
    try await assertReplaced(Pair(number: 1) as any Sendable, 1)
    try await assertReplaced(1 as any Sendable, 1.0)
    try await assertReplaced(1 as any Sendable, 1 as Int?)
    try await assertStays(1 as Int? as any Sendable, 1 as Int?)
    try await assertReplaced(Settings(version: 1) as any Sendable, Settings(version: 1))
    try await assertReplaced(1 as any CustomStringConvertible & Sendable, "1")
  }

  func testWhatRunsWithAValueIsAChange() async throws {
    let stays = try await staysInUse(1, when: 1, .onDispose { _ in })
    XCTAssertFalse(stays)
    let isEager = try await staysInUse(1, when: 1, .eager)
    XCTAssertTrue(isEager)
  }

  func testAFactoryIsAChange() async throws {
    try addServices()
    let reloadable = ReloadableContainer(base)
    let database = try reloadable.current.resolve(Database.self)
    try await reloadable.reload { next in
      try next.register(evaluating: Settings(version: 1))
    }.value
    XCTAssertFalse(try reloadable.current.resolve(Database.self) === database)
  }

  // MARK: - What else is registered

  func testAForwardOfAnEqualValueIsNoChange() async throws {
    let container = Container()
    try container.register(value: "a").implements((any CustomStringConvertible).self)
    try container.register(value: 1).implements((any Sendable).self)
    try add(Database.self, to: container, dependingOn: (any CustomStringConvertible).self) {
      [services] resolver in
      _ = try resolver.resolve((any CustomStringConvertible).self)
      return Database(services)
    }
    let reloadable = ReloadableContainer(container)
    let database = try reloadable.current.resolve(Database.self)
    for text in ["a", "a", "b"] {
      try await reloadable.reload { next in
        try next.register(value: text).implements((any CustomStringConvertible).self)
      }.value
      let isSame = try reloadable.current.resolve(Database.self) === database
      XCTAssertEqual(isSame, text == "a")
      let now = "\(try reloadable.current.resolve((any CustomStringConvertible).self))"
      XCTAssertEqual(now, text)
    }
    // Another registration under the same type.
    let last = try reloadable.current.resolve(Database.self)
    try await reloadable.reload { next in
      try next.register(value: 1).implements((any CustomStringConvertible).self)
    }.value
    XCTAssertFalse(try reloadable.current.resolve(Database.self) === last)
    try await container.shutdown()
  }

  func testTheDecoratedInstanceOfAnEqualValueStays() async throws {
    let token = Token("a")
    let container = Container()
    try container.register(value: token).dependsOn()
    try container.decorate(Token.self) { token, _ in Token(token.text + "+") }
    let reloadable = ReloadableContainer(container)
    let decorated = try reloadable.current.resolve(Token.self)
    for _ in 1...2 {
      try await reloadable.reload { try $0.register(value: token).dependsOn() }.value
      XCTAssert(try reloadable.current.resolve(Token.self) === decorated)
    }
    try await reloadable.reload { next in
      try next.register(value: token).dependsOn()
      try next.decorate(Token.self) { token, _ in Token(token.text + "-") }
    }.value
    XCTAssertEqual(try reloadable.current.resolve(Token.self).text, "a+-")
    // One that a reload has registered.
    let other = Token("b")
    try await reloadable.reload { try $0.register(value: other).dependsOn() }.value
    let last = try reloadable.current.resolve(Token.self)
    XCTAssertEqual(last.text, "b+-")
    for _ in 1...2 {
      try await reloadable.reload { try $0.register(value: other).dependsOn() }.value
      XCTAssert(try reloadable.current.resolve(Token.self) === last)
    }
    try await container.shutdown()
  }

  func testAnotherPlaceInACollectionIsAChange() async throws {
    let container = Container()
    try add(Database.self, to: container, dependingOn: [Rate].self) { [services] resolver in
      let rates = try resolver.resolve([Rate].self).map { Int($0.percent) }
      return Database(services, version: rates.reduce(0) { 10 * $0 + $1 })
    }
    try container.register(value: Rate(percent: 1), name: "1")
    let reloadable = ReloadableContainer(container)
    XCTAssertEqual(try reloadable.current.resolve(Database.self).version, 1)
    func reload(_ change: (Container) throws -> Void) async throws -> Database {
      try await reloadable.reload(change).value
      return try reloadable.current.resolve(Database.self)
    }
    let first = try await reload { next in
      try next.register(value: Rate(percent: 2), name: "2")
      try next.register(value: Rate(percent: 3), name: "3")
    }
    XCTAssertEqual(first.version, 123)
    let second = try await reload { next in
      for number in [3, 2, 1] {
        try next.register(value: Rate(percent: Double(number)), name: Name("\(number)"))
      }
    }
    XCTAssert(second === first)
    let third = try await reload { next in
      XCTAssert(next.unregister(Rate.self, name: "2"))
      try next.register(value: Rate(percent: 2), name: "2")
    }
    XCTAssertEqual(third.version, 132)
    try await container.shutdown()
  }

  func testAnEqualRegistrationHasItsOwnLineAndOpenUnitsStay() async throws {
    try base.register(value: Rate(percent: 7), file: "Base/A.swift", line: 1)
    let reloadable = ReloadableContainer(base)
    try await reloadable.scopes.withScope { scope in
      try await reloadable.reload { next in
        try next.register(value: Rate(percent: 7), file: "Base/A.swift", line: 2)
      }
      XCTAssertEqual(try scope.resolve(Rate.self).percent, 7)
    }
    XCTAssertEqual(reloadable.current.registrations.map(\.location.line), [2])
  }

  /// A policy of its own refused what makes an equal registration count as the former one.
  func testAnEqualRegistrationMayRefuseOthers() async throws {
    try base.register(value: Rate(percent: 7), onDuplicate: .refuse)
    let reloadable = ReloadableContainer(base)
    for _ in 1...3 {
      try await reloadable.reload { next in
        try next.register(value: Rate(percent: 7), onDuplicate: .refuse)
      }.value
      XCTAssertEqual(try reloadable.current.resolve(Rate.self).percent, 7)
    }
  }

  // MARK: - The user's ==

  /// Comparisons run where a lock of the container would end in a deadlock.
  func testAComparisonMayUseTheContainersAndOtherThreads() async throws {
    let version = Locked<Container?>(nil)
    let reloadable = ReloadableContainer(base)
    let compared = AtomicCounter()
    let compare: @Sendable () -> Void = { [base] in
      compared.add()
      @Sendable func useContainers() {
        XCTAssertEqual(try base.resolve(Probe.self).number, 1)
        XCTAssertEqual(try reloadable.current.resolve(Probe.self).number, 1)
        XCTAssertEqual(try version.withLock { $0 }?.resolve(Probe.self).number, 1)
        XCTAssertNoThrow(try base.register(value: "\(compared.value)", name: "log"))
        _ = reloadable.current.registrations
        try? reloadable.scopes.makeScope().syncClose()
      }
      useContainers()
      _ = JoinableThread { useContainers() }.join()
    }
    try base.register(value: Probe(number: 1, compare: compare))
    try await reloadable.reload { next in
      version.withLock { $0 = next }
      try next.register(value: Probe(number: 1, compare: compare))
    }.value
    XCTAssertEqual(compared.value, 1)
    version.withLock { $0 = nil }
  }

  /// What a comparison registers would have been served beside instances of the version before.
  func testWhatAComparisonRegistersIsAChange() async throws {
    let version = Locked<Container?>(nil)
    try base.register(value: Rate(percent: 1))
    try add(Database.self, dependingOn: Rate.self) { [services] resolver in
      Database(services, version: Int(try resolver.resolve(Rate.self).percent))
    }
    let compare: @Sendable () -> Void = {
      do { try version.withLock { $0 }?.register(value: Rate(percent: 2)) } catch {
        XCTFail("\(error)")
      }
    }
    try base.register(value: Probe(number: 1, compare: compare))
    let reloadable = ReloadableContainer(base)
    XCTAssertEqual(try reloadable.current.resolve(Database.self).version, 1)
    try await reloadable.reload { next in
      version.withLock { $0 = next }
      try next.register(value: Probe(number: 1, compare: compare))
    }.value
    version.withLock { $0 = nil }
    XCTAssertEqual(try reloadable.current.resolve(Rate.self).percent, 2)
    XCTAssertEqual(try reloadable.current.resolve(Database.self).version, 2)
  }
}
