// SPDX-License-Identifier: MIT

import Corinth
import TestSupport
import XCTest

/// Named scopes that are not open: how they would have to be opened.
final class ScopeNestingTests: ContainerTestCase {
  private final class Session: Sendable {}
  private final class Transfer: Sendable {}
  private final class Job: Sendable {}
  private final class Part<Of>: Sendable {
    init(_ part: Of) {}
  }

  override func setUpWithError() throws {
    try container.wire(
      Session.self, scope: .scoped(in: .request), using: Session.init, file: "Bank/Web.swift",
      line: 3)
    try container.wire(
      Transfer.self, scope: .scoped(in: .transaction), using: Transfer.init,
      file: "Bank/Money.swift", line: 5)
    try container.wire(
      Job.self, scope: .scoped(in: "job"), using: Job.init, file: "Bank/Jobs.swift", line: 7)
  }

  private func wire<Of: Sendable>(
    _ part: Part<Of>.Type, _ scope: Scope<Part<Of>>, in container: Container, line: Int
  ) throws {
    try container.wire(
      Part<Of>.self, scope: scope, using: Part<Of>.init, file: "Bank/Parts.swift",
      line: UInt(line))
  }

  func testNamesThatAreNeededAroundEachOtherAreFound() throws {
    try wire(Part<Transfer>.self, .transient, in: container, line: 1)
    try wire(Part<Part<Transfer>>.self, .scoped(in: .request), in: container, line: 2)
    XCTAssertNoThrow(try container.validate(), "a request may be opened in a transaction")
    try wire(Part<Session>.self, .scoped(in: .transaction), in: container, line: 3)
    let found = findings { try container.validate() }
    XCTAssertEqual(found.map(\.kind), [.captive])
    assertGolden("validation-scopes-within-each-other", found.map(\.description).joined())
    XCTAssertEqual(found.first?.places.map(\.location.line), [2, 5, 3, 3])
  }

  func testTheOutermostOfSuchScopesLacksWhatItsInstanceNeeds() throws {
    try wire(Part<Transfer>.self, .scoped(in: .request), in: container, line: 1)
    try wire(Part<Session>.self, .scoped(in: .transaction), in: container, line: 2)
    let (request, transaction) = (
      container.makeScope(named: .request), container.makeScope(named: .transaction)
    )
    let (within, around) = (
      request.makeScope(named: .transaction), transaction.makeScope(named: .request)
    )
    XCTAssertThrowsError(try within.resolve(Part<Transfer>.self))
    XCTAssertNoThrow(try within.resolve(Part<Session>.self))
    XCTAssertNoThrow(try around.resolve(Part<Transfer>.self))
    XCTAssertThrowsError(try around.resolve(Part<Session>.self))
  }

  func testACircleOfThreeNamesIsOneFinding() throws {
    try wire(Part<Transfer>.self, .scoped(in: .request), in: container, line: 1)
    try wire(Part<Job>.self, .scoped(in: .transaction), in: container, line: 2)
    XCTAssertNoThrow(try container.validate())
    try wire(Part<Session>.self, .scoped(in: "job"), in: container, line: 3)
    let found = findings { try container.validate() }
    XCTAssertEqual(found.map(\.kind), [.captive])
    XCTAssertTrue("\(found)".contains("\"request\", \"transaction\" and \"job\""), "\(found)")
  }

  func testEachPairOfNamesIsAFinding() throws {
    try wire(Part<Transfer>.self, .scoped(in: .request), in: container, line: 1)
    try wire(Part<Session>.self, .scoped(in: .transaction), in: container, line: 2)
    try wire(Part<Part<Transfer>>.self, .scoped(in: "job"), in: container, line: 3)
    try wire(Part<Job>.self, .scoped(in: .request), in: container, line: 4)
    XCTAssertEqual(findings { try container.validate() }.map(\.kind), [.captive, .captive])
  }

  func testAScopedInstanceBetweenIsOfTheScopeThatAsks() throws {
    try wire(Part<Transfer>.self, .scoped, in: container, line: 1)
    try wire(Part<Part<Transfer>>.self, .scoped(in: .request), in: container, line: 2)
    try wire(Part<Session>.self, .scoped(in: .transaction), in: container, line: 3)
    XCTAssertEqual(findings { try container.validate() }.map(\.kind), [.captive])
    let request = container.makeScope(named: .request)
    XCTAssertEqual(
      findings { try request.validate() }.map(\.key), [RegistrationKey(Transfer.self)])
    XCTAssertThrowsError(
      try request.makeScope(named: .transaction).resolve(Part<Part<Transfer>>.self))
  }

  func testAProviderIsCalledInTheScopeOfItsHolder() throws {
    try wire(Part<Provider<Transfer>>.self, .scoped(in: .request), in: container, line: 1)
    try wire(Part<Lazy<Session>>.self, .scoped(in: .transaction), in: container, line: 2)
    XCTAssertEqual(findings { try container.validate() }.map(\.kind), [.captive])
  }

  func testWhatASingletonKeepsIsNoNeedOfItsUser() throws {
    try wire(Part<Transfer>.self, .singleton, in: container, line: 1)
    try wire(Part<Part<Transfer>>.self, .scoped(in: .request), in: container, line: 2)
    try wire(Part<Session>.self, .scoped(in: .transaction), in: container, line: 3)
    let found = findings { try container.validate() }
    XCTAssertEqual(
      found.map(\.path), [[RegistrationKey(Part<Transfer>.self), RegistrationKey(Transfer.self)]])
  }

  func testASingletonOfAScopeKeepsWhatTheScopedInstancesOfThatNeed() throws {
    try wire(Part<Session>.self, .scoped, in: container, line: 1)
    let scope = container.makeScope()
    try wire(Part<Part<Session>>.self, .singleton, in: scope, line: 2)
    let path = [
      RegistrationKey(Part<Part<Session>>.self), RegistrationKey(Part<Session>.self),
      RegistrationKey(Session.self),
    ]
    XCTAssertEqual(findings { try scope.validate() }.map(\.path), [path])
    XCTAssertThrowsError(
      try scope.makeScope(named: .request).resolve(Part<Part<Session>>.self))
  }

  func testOpenScopesHaveANesting() throws {
    try wire(Part<Transfer>.self, .scoped(in: .request), in: container, line: 1)
    try wire(Part<Session>.self, .scoped(in: .transaction), in: container, line: 2)
    let request = container.makeScope(named: .request)
    XCTAssertEqual(
      findings { try request.validate() }.map(\.path),
      [[RegistrationKey(Part<Transfer>.self), RegistrationKey(Transfer.self)]])
    let inner = request.makeScope(named: .transaction).makeScope(named: .request)
    XCTAssertNoThrow(try inner.resolve(Part<Transfer>.self))
    XCTAssertNoThrow(try inner.resolve(Part<Session>.self))
    XCTAssertNoThrow(try inner.validate())
  }
}
