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

  private func assertAsyncHint(
    _ hint: String, line: UInt = #line,
    of resolve: nonisolated(nonsending) () async throws -> Void
  ) async {
    do {
      try await resolve()
      XCTFail("no error", line: line)
    } catch {
      let hints = "\(error)".split(separator: "\n").filter { $0.hasPrefix("  hint: ") }
      XCTAssertEqual(hints.first.map(String.init), "  hint: \(hint)", line: line)
    }
  }

  // The hint spoke of a factory, and registerAsync, where an initializer was wired.
  func testAWiredInitializerThatNeedsAnAsynchronousProduct() async throws {
    try container.wireAsync(Pool.self, scope: .singleton, using: { @Sendable () async in Pool() })
    try container.wire(
      Store.self, using: { (_: Pool) in Store() }, file: "App/Setup.swift", line: 5)
    try container.register(Report.self, file: "App/Setup.swift", line: 6) { resolver in
      _ = try resolver.resolve(Store.self)
      return Report(mailer: Smtp())
    }
    let container = container
    await assertAsyncHint(
      "use wireAsync in place of wire for Store (App/Setup.swift:5): wireAsync awaits the parameters."
    ) { _ = try await container.resolveAsync(Report.self) }
  }

  func testAnAsynchronousFactoryThatResolvesSynchronously() async throws {
    try container.registerAsync(Pool.self, scope: .singleton) { _ in Pool() }
    try container.registerAsync(Store.self, file: "App/Setup.swift", line: 5) { resolver in
      _ = try resolver.resolve(Pool.self)
      return Store()
    }
    let container = container
    await assertAsyncHint(
      "Store is asynchronous already (App/Setup.swift:5): `try await resolver.resolveAsync(...)` there."
    ) { _ = try await container.resolveAsync(Store.self) }
  }

  // A forward has no factory that could await anything.
  func testAForwardIsNotTheOneToBecomeAsynchronous() async throws {
    try container.registerAsync(Smtp.self, scope: .singleton) { _ in Smtp() }
      .implements((any Mailer).self)
    try container.wire(Report.self, using: Report.init, file: "App/Setup.swift", line: 5)
    let container = container
    await assertAsyncHint(
      "use wireAsync in place of wire for Report (App/Setup.swift:5): wireAsync awaits the parameters."
    ) { _ = try await container.resolveAsync(Report.self) }
    await assertAsyncHint("use `try await resolveAsync(...)`.") {
      _ = try container.resolve((any Mailer).self)
    }
  }

  // A test that resolved from its fork was told to warm up, as the application had done.
  func testAForkIsWarmedUpByItself() async throws {
    try container.registerAsync(
      Pool.self, scope: .singleton, with: .eager, file: "App/Setup.swift", line: 4
    ) { _ in Pool() }
    try container.registerAsync(
      Session.self, scope: .singleton, file: "App/Setup.swift", line: 5
    ) { _ in Session() }
    try await container.warmUp()
    let fork = container.fork()
    assertMessage("hint-fork-eager") { try fork.resolve(Pool.self) }
    assertMessage("hint-fork") { try fork.resolve(Session.self) }
    try await fork.warmUp()
    XCTAssertNoThrow(try fork.resolve(Pool.self))
  }

  // A handler needed the request, which was neither declared nor given; the hint said to register
  // it.
  func testWhatARequestScopeLacksMayBeAnInput() throws {
    try container.register(Store.self, scope: .scoped, file: "App/Setup.swift", line: 8) {
      _ = try $0.resolve(Session.self)
      return Store()
    }
    assertMessage("hint-input") { try container.makeScope().resolve(Store.self) }
  }

  func testNoInputIsSuggestedWhereItCannotBeOne() throws {
    try container.register(Store.self, scope: .singleton) {
      _ = try $0.resolve(Session.self)
      return Store()
    }
    let scope = container.makeScope()
    for resolve in [
      { _ = try scope.resolve(Store.self) }, { _ = try scope.resolve(Pool.self, name: "main") },
      { _ = try scope.resolve([Pool].self) }, { _ = try self.container.resolve(Pool.self) },
    ] as [() throws -> Void] {
      XCTAssertThrowsError(try resolve()) {
        XCTAssertFalse("\($0)".contains("registerInput"), "\($0)")
      }
    }
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
    let container = Container(file: "App/Setup.swift", line: 1)
    try await container.shutdown(file: "App/Setup.swift", line: 2)
    assertMessage("hint-shut-down") { try container.resolve(Store.self) }
    assertMessage("hint-shut-down") { try container.makeScope().resolve(Store.self) }
  }
}
