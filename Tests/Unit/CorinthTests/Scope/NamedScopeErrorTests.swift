// SPDX-License-Identifier: MIT

import Corinth
import TestSupport
import XCTest

final class NamedScopeErrorTests: ContainerTestCase {
  private final class Session: Sendable {}
  private final class Transaction: Sendable {}
  private final class Repository: Sendable {
    init(_ part: AnyObject) {}
  }

  override func setUpWithError() throws {
    try container.wire(Session.self, scope: .scoped(in: .request), using: Session.init)
    try container.wire(Transaction.self, scope: .scoped(in: .transaction), using: Transaction.init)
  }

  private func error(line: UInt = #line, of body: () throws -> some Any) -> ResolutionError? {
    do {
      _ = try body()
      XCTFail("no error", line: line)
    } catch let error as ResolutionError { return error } catch { XCTFail("\(error)", line: line) }
    return nil
  }

  private func assert(
    _ error: ResolutionError?, _ kind: ResolutionError, says parts: String..., line: UInt = #line
  ) {
    guard let error else { return XCTFail("no error", line: line) }
    XCTAssertTrue(error.is(kind), "\(error)", line: line)
    for part in parts { XCTAssertTrue("\(error)".contains(part), "\(error)", line: line) }
  }

  func testOutsideOfTheNamedScope() throws {
    for container in [container, container.makeScope(), container.makeScope(named: .transaction)] {
      assert(
        error { try container.resolve(Session.self) }, .scopeRequired,
        says: "Session is scoped in \"request\"", "registered at",
        "`container.withScope(named: \"request\") { scope in ... }`")
    }
    assert(error { try container.resolveIfRegistered(Session.self) }, .scopeRequired)
    let provider = try container.provider(for: Session.self)
    assert(error { try provider() }, .scopeRequired)
  }

  func testAnInstanceOfTheRequestCannotHaveOneOfItsTransactions() throws {
    try container.register(Repository.self, scope: .scoped(in: .request)) {
      Repository(try $0.resolve(Transaction.self))
    }
    let transaction = container.makeScope(named: .request).makeScope(named: .transaction)
    let failure = error { try transaction.resolve(Repository.self) }
    assert(
      failure, .scopeRequired, says: "Transaction is scoped in \"transaction\"",
      "register Repository as .scoped(in: \"transaction\") too")
    XCTAssertEqual(
      failure?.path, [RegistrationKey(Repository.self), RegistrationKey(Transaction.self)])
  }

  func testAnInstanceOfATransactionMayHaveThoseOfItsRequest() throws {
    try container.register(Repository.self, scope: .scoped(in: .transaction)) {
      Repository(try $0.resolve(Session.self))
    }
    let transaction = container.makeScope(named: .request).makeScope(named: .transaction)
    XCTAssertNoThrow(try transaction.makeScope().resolve(Repository.self))
    XCTAssertNoThrow(try container.validate())
  }

  func testWhatOutlivesTheNamedScopeIsRefused() throws {
    let keeps: [(Registration<Repository>) throws -> Void] = [
      { $0.as(.singleton) }, { $0.as(.weak) }, { $0.as(.cached(for: .seconds(60))) },
      { $0.as(KeptProduct()) },
    ]
    for keep in keeps {
      try keep(
        container.register(Repository.self) { Repository(try $0.resolve(Session.self)) })
      let request = container.makeScope(named: .request)
      let found = error { try request.makeScope().resolve(Repository.self) }
      assert(
        found, .captiveDependency, says: "would keep",
        "register Repository as .scoped(in: \"request\") too")
      guard case .captiveDependency(let context)? = found else { continue }
      XCTAssertEqual(context.captor, RegistrationKey(Repository.self))
    }
  }

  func testAnInstanceOfTheRequestMustNotKeepWhatItGetsFromATransaction() throws {
    let request = container.makeScope(named: .request)
    let transaction = request.makeScope(named: .transaction)
    try container.register(Repository.self, scope: .scoped(in: .request)) { _ in
      Repository(try transaction.resolve(Transaction.self))
    }
    assert(error { try transaction.resolve(Repository.self) }, .captiveDependency)
    container.removeAll()
  }

  // MARK: - Validation

  private func findings(of container: Container, line: UInt = #line) -> [ValidationFinding] {
    do { try container.validate() } catch RegistrationError.validationFailed(let report) {
      return report.findings
    } catch { XCTFail("\(error)", line: line) }
    return []
  }

  func testValidationFindsWhatASingletonWouldKeep() throws {
    try container.wire(Parts.self, scope: .singleton, using: Parts.init)
    let findings = findings(of: container)
    XCTAssertEqual(findings.map(\.kind), [.captive])
    XCTAssertEqual(
      findings.first?.path, [RegistrationKey(Parts.self), RegistrationKey(Session.self)])
    XCTAssertTrue("\(findings)".contains(".scoped(in: \"request\")"), "\(findings)")
  }

  func testValidationAcceptsWhatMayBeThere() throws {
    for scope in [Scope<Parts>.scoped, .scoped(in: .request), .scoped(in: .transaction), .graph] {
      try container.wire(Parts.self, scope: scope, using: Parts.init)
      XCTAssertEqual(findings(of: container).map(\.kind), [], "\(scope)")
      XCTAssertNoThrow(try container.syncValidate(building: true))
    }
  }

  func testValidationOfARequestFindsWhatNeedsAnInnerScope() throws {
    try container.wire(Unit.self, scope: .scoped(in: .request), using: Unit.init)
    let request = container.makeScope(named: .request)
    XCTAssertEqual(findings(of: request).map(\.kind), [.captive])
    XCTAssertEqual(
      findings(of: request).first?.path,
      [RegistrationKey(Unit.self), RegistrationKey(Transaction.self)])
    XCTAssertEqual(findings(of: container).map(\.kind), [])
  }

  func testASingletonOfTheRequestMayKeepItsInstances() throws {
    let request = container.makeScope(named: .request)
    let inner = request.makeScope()
    try inner.wire(Parts.self, scope: .singleton, using: Parts.init)
    XCTAssertNoThrow(try inner.resolve(Parts.self))
    XCTAssertEqual(findings(of: inner).map(\.kind), [])
    try inner.wire(Unit.self, scope: .singleton, using: Unit.init)
    XCTAssertEqual(findings(of: inner).map(\.kind), [.captive])
  }

  func testAValidationThatBuildsHasAllScopes() throws {
    try container.register(Repository.self, scope: .scoped(in: .request)) {
      Repository(try $0.resolve(Session.self))
    }
    try container.register([Repository].self) { [try $0.resolve(Repository.self)] }
    XCTAssertNoThrow(try container.syncValidate(building: true))
    XCTAssertNoThrow(try container.makeScope(named: .request).syncValidate(building: true))
  }

  private final class Parts: Sendable {
    init(session: Session) {}
  }

  private final class Unit: Sendable {
    init(transaction: Transaction) {}
  }
}
