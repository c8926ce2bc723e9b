// SPDX-License-Identifier: MIT

import Corinth
import TestSupport
import XCTest

/// The hints of messages at likely mistakes.
final class HintTests: ContainerTestCase {
  private protocol Mailer: Sendable {}
  private struct Smtp: Mailer {}
  private struct Report: Sendable { let mailer: any Mailer }
  private struct Pool: Sendable {}
  private struct Session: Sendable {}
  private struct Store: Sendable {}
  private class Animal: @unchecked Sendable {}
  private final class Dog: Animal, @unchecked Sendable {}

  private func assertMessage(
    _ name: String, line: UInt = #line, of resolve: () throws -> Any
  ) {
    XCTAssertThrowsError(try resolve(), line: line) { error in
      // Private types are printed with a number that depends on the build.
      let text = "\(error)".replacing(/\(unknown context at \$[0-9a-f]+\)\./, with: "")
      assertGolden(name, text, line: line)
    }
  }

  func testTheSummaryOfAnErrorIsItsMessageWithoutHints() throws {
    try container.register(Report.self) { Report(mailer: try $0.resolve((any Mailer).self)) }
    XCTAssertThrowsError(try container.resolve(Report.self)) { error in
      let (summary, text) = ((error as? ResolutionError)?.summary ?? "", "\(error)")
      XCTAssertTrue(text.hasPrefix(summary + "\n  hint: "), text)
      XCTAssertTrue(summary.contains("path: "), summary)
    }
  }

  private func registerSmtp() throws {
    try container.register(Smtp.self, file: "App/Setup.swift", line: 1) { _ in Smtp() }
  }

  func testAProtocolThatIsAskedForWhereAnImplementationIsRegistered() throws {
    try registerSmtp()
    assertMessage("hint-protocol-asked") { try container.resolve((any Mailer).self) }
  }

  func testAnImplementationThatIsAskedForWhereTheProtocolIsRegistered() throws {
    try container.register((any Mailer).self, file: "App/Setup.swift", line: 1) { _ in Smtp() }
    assertMessage("hint-implementation-asked") { try container.resolve(Smtp.self) }
  }

  func testASuperclassIsAskedForWhereASubclassIsRegistered() throws {
    try container.register(Dog.self, file: "App/Setup.swift", line: 1) { _ in Dog() }
    assertMessage("hint-superclass-asked") { try container.resolve(Animal.self) }
  }

  func testOtherTypesAreNotSuggested() throws {
    try registerSmtp()
    XCTAssertThrowsError(try container.resolve((any Error).self)) {
      XCTAssertFalse("\($0)".contains("Smtp"), "\($0)")
    }
  }

  func testAMissingDependencyNamesTheRegistrationThatAsks() throws {
    try container.register(Report.self, file: "App/Setup.swift", line: 7) {
      Report(mailer: try $0.resolve())
    }
    assertMessage("hint-asker") { try container.resolve(Report.self) }
  }

  func testAFactoryThatResolvesItsOwnKey() throws {
    try registerSmtp()
    try container.register((any Mailer).self, file: "App/Setup.swift", line: 2) {
      try $0.resolve((any Mailer).self)
    }
    assertMessage("hint-own-key") { try container.resolve((any Mailer).self) }
  }

  func testAnArgumentDeclaredAsAny() throws {
    try container.register(Report.self, file: "App/Setup.swift", line: 3) { (_, _: Any) in
      Report(mailer: Smtp())
    }
    assertMessage("hint-any-argument") { try container.resolve(Report.self, arguments: 1) }
    XCTAssertNoThrow(try container.resolve(Report.self, arguments: 1 as Any))
  }

  func testAnArgumentDeclaredAsAProtocol() throws {
    try container.register(Report.self, file: "App/Setup.swift", line: 3) {
      (_, mailer: any Mailer) in Report(mailer: mailer)
    }
    let mailer: any Mailer = Smtp()
    assertMessage("hint-protocol-argument") {
      try container.resolve(Report.self, arguments: mailer)
    }
    XCTAssertNoThrow(try container.resolve(Report.self, arguments: mailer as any Mailer))
  }

  func testASynchronousFactoryThatNeedsAnAsynchronousProduct() async throws {
    try container.registerAsync(
      Pool.self, scope: .singleton, file: "App/Setup.swift", line: 4
    ) { _ in Pool() }
    try container.register(Store.self, file: "App/Setup.swift", line: 5) { resolver in
      _ = try resolver.resolve(Pool.self)
      return Store()
    }
    do {
      _ = try await container.resolveAsync(Store.self)
      XCTFail("no error")
    } catch { assertMessage("hint-become-async") { throw error } }
  }

  func testNamesAndArgumentsOfAProtocolAreHintedAtAsSourceWritesThem() throws {
    try container.register((any Mailer).self, file: "App/Setup.swift", line: 1) { _ in Smtp() }
    assertMessage("hint-protocol-name") { try container.resolve((any Mailer).self, name: "x") }
    try container.register(Report.self, file: "App/Setup.swift", line: 3) {
      (_, mailer: any Mailer) in Report(mailer: mailer)
    }
    assertMessage("hint-protocol-argument-left-out") { try container.resolve(Report.self) }
  }

  func testACollectionWithoutElements() throws {
    try container.wire(
      Report.self, using: { (mailers: [any Mailer]) in Report(mailer: mailers[0]) },
      file: "App/Setup.swift", line: 7)
    assertMessage("hint-empty-collection") { try container.resolve(Report.self) }
    XCTAssertThrowsError(try container.resolve([Provider<Pool>].self)) {
      XCTAssertFalse("\($0)".contains("contribute"), "\($0)")
    }
  }

  func testAnAsynchronousTransientIsNotBuiltBefore() throws {
    try container.registerAsync(Pool.self, file: "App/Setup.swift", line: 4) { _ in Pool() }
    assertMessage("hint-async-transient") { try container.resolve(Pool.self) }
  }

  func testAnEagerAsynchronousSingletonComesBeforeWhatNeedsIt() async throws {
    try container.register(Store.self, file: "App/Setup.swift", line: 5) { resolver in
      _ = try resolver.resolve(Pool.self)
      return Store()
    }.as(.singleton)
    try container.registerAsync(Pool.self, file: "App/Setup.swift", line: 6) { _ in Pool() }
      .as(.singleton).eager()
    assertMessage("hint-async-eager") { try container.resolve(Store.self) }
  }

  func testACaptiveErrorNamesTheCaptorAndItsLineFirst() throws {
    try container.register(Session.self, scope: .scoped, file: "App/Setup.swift", line: 6) { _ in
      Session()
    }
    try container.register(Store.self, scope: .singleton, file: "App/Setup.swift", line: 8) {
      _ = try $0.resolve(Session.self)
      return Store()
    }
    assertMessage("hint-captor") { try container.makeScope().resolve(Store.self) }
  }

  func testAProviderOfTheRootThatIsUsedInAScope() throws {
    try container.register(Session.self, scope: .scoped, file: "App/Setup.swift", line: 6) { _ in
      Session()
    }
    let provider = try container.provider(for: Session.self)
    try container.register(Store.self, file: "App/Setup.swift", line: 9) { _ in
      _ = try provider()
      return Store()
    }
    try container.register(Report.self, scope: .scoped, file: "App/Setup.swift", line: 10) {
      _ = try $0.resolve(Store.self)
      return Report(mailer: Smtp())
    }
    assertMessage("hint-provider-of-the-root") {
      try container.makeScope().resolve(Report.self)
    }
  }

  func testAReplacementOfWhatIsNotRegistered() async throws {
    do {
      try await container.replace(Store.self) { _ in Store() }
      XCTFail("no error")
    } catch { assertMessage("hint-replace-missing") { throw error } }
  }

  func testAReplacementOfWhatAParentRegisters() throws {
    try container.register(Store.self, file: "App/Setup.swift", line: 11) { _ in Store() }
    let child = Container(parent: container)
    assertMessage("hint-replace-in-a-child") { try child.syncReplace(Store.self) { _ in Store() } }
  }

  func testACycleNamesTheLinesOfItsRegistrations() throws {
    try container.register(Store.self, file: "App/Setup.swift", line: 12) {
      _ = try $0.resolve(Session.self)
      return Store()
    }
    try container.register(Session.self, file: "App/Setup.swift", line: 13) {
      _ = try $0.resolve(Pool.self)
      return Session()
    }
    try container.register(Pool.self, scope: .singleton, file: "App/Setup.swift", line: 14) {
      _ = try $0.resolve(Store.self)
      return Pool()
    }
    assertMessage("hint-cycle-of-three") { try container.resolve(Store.self) }
  }

  func testAContainerThatIsShutDownDoesNotSuggestAnotherScope() async throws {
    try await container.shutdown()
    assertMessage("hint-shut-down") { try container.resolve(Store.self) }
    assertMessage("hint-shut-down") { try container.makeScope().resolve(Store.self) }
  }
}
