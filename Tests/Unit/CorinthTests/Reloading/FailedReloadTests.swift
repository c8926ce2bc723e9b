// SPDX-License-Identifier: MIT

import Corinth
import TestSupport
import XCTest

/// Reloads that change nothing.
final class FailedReloadTests: ReloadTestCase {
  struct Refusal: Error {}

  /// Asserts that a reload fails, and that the version before stays as it is.
  private func assertChangesNothing(
    _ reloadable: ReloadableContainer, file: StaticString = #filePath, line: UInt = #line,
    _ change: (Container) throws -> Void, _ check: (any Error) -> Void = { _ in }
  ) async throws {
    let before = reloadable.current
    let cache = try before.resolve(Cache.self)
    await assertThrows(file: file, line: line, { try await reloadable.reload(change) }, check)
    XCTAssert(reloadable.current === before, file: file, line: line)
    XCTAssert(try reloadable.current.resolve(Cache.self) === cache, file: file, line: line)
  }

  func testAChangeThatThrowsChangesNothing() async throws {
    try addServices()
    let reloadable = ReloadableContainer(base)
    try await assertChangesNothing(reloadable) { next in
      try next.register(value: Settings(version: 2))
      throw Refusal()
    } _: {
      XCTAssert($0 is Refusal)
    }
    XCTAssertEqual(log.entries, [])
  }

  func testAFactoryThatThrowsChangesNothingAndWhatWasBuiltIsDisposedOf() async throws {
    try addServices()
    let reloadable = ReloadableContainer(base)
    try await assertChangesNothing(reloadable) { next in
      try next.register(value: Settings(version: 2))
      try add(Cache.self, to: next, dependingOn: Database.self) { resolver in
        _ = try resolver.resolve(Database.self)
        throw Refusal()
      }
    } _: {
      XCTAssertEqual($0 as? ResolutionError, .warmUpFailed)
    }
    XCTAssertEqual(log.entries, ["Database 2"])
    try await reloadable.reload(to: 3)
    XCTAssertEqual(try reloadable.current.resolve(Cache.self).version, 3)
  }

  func testAVersionThatIsNotValidChangesNothing() async throws {
    try addServices()
    let reloadable = ReloadableContainer(base)
    try await assertChangesNothing(reloadable) { next in
      try next.register(String.self) { _ in "" }.dependsOn(Int.self)
    } _: {
      XCTAssertEqual($0 as? RegistrationError, .validationFailed)
    }
  }

  func testACancelledReloadChangesNothing() async throws {
    try addServices()
    let building = AsyncGate()
    try base.registerAsync(String.self) { resolver in
      let version = try resolver.resolve(Settings.self).version
      if version == 2 {
        building.open()
        try await Task.sleep(for: .seconds(1000))
      }
      return "\(version)"
    }.as(.singleton).dependsOn(Settings.self)
    let reloadable = ReloadableContainer(base)
    _ = try await reloadable.current.resolveAsync(String.self)
    let before = reloadable.current
    let task = Task { try await reloadable.reload(to: 2) }
    await building.wait()
    task.cancel()
    await assertThrows { try await task.value }
    XCTAssert(reloadable.current === before)
    try await reloadable.reload(to: 3)
    let text = try await reloadable.current.resolveAsync(String.self)
    XCTAssertEqual(text, "3")
  }

  /// The findings of a reload that is refused and changes nothing.
  private func refusals(
    _ reloadable: ReloadableContainer, line: UInt = #line, _ change: (Container) throws -> Void
  ) async throws -> (findings: [ValidationFinding], text: String) {
    var refused: (findings: [ValidationFinding], text: String) = ([], "")
    try await assertChangesNothing(reloadable, line: line, change) { error in
      guard case .reloadRefused(let findings)? = error as? RegistrationError
      else { return XCTFail("\(error)", line: line) }
      refused = (findings, "\(error)")
    }
    return refused
  }

  func testAnUnknownDependencyRefusesAndNamesTheRegistration() async throws {
    try addServices()
    let line: UInt = #line + 1
    try base.register(String.self, scope: .singleton) { "\(try $0.resolve(Settings.self).version)" }
    let (findings, text) = try await refusals(ReloadableContainer(base)) { next in
      try next.register(value: Settings(version: 2))
    }
    XCTAssertEqual(findings.map(\.path), [[.init(String.self)]])
    XCTAssertEqual(findings.flatMap(\.places).map(\.location.line), [line])
    XCTAssert(text.contains("FailedReloadTests.swift:\(line)"), text)
  }

  func testAnUnknownTransientRefusesOnlyIfAnInstanceThatStaysDependsOnIt() async throws {
    try addServices()
    try base.register(Int.self) { try $0.resolve(Settings.self).version }
    let reloadable = ReloadableContainer(base)
    _ = try reloadable.current.resolve(Cache.self)
    try await reloadable.reload(to: 2)
    XCTAssertEqual(try reloadable.current.resolve(Int.self), 2)
    try base.register(String.self, scope: .singleton) { "\(try $0.resolve(Int.self))" }
      .dependsOn(Int.self)
    let (findings, _) = try await refusals(reloadable) { next in
      try next.register(value: Settings(version: 3))
    }
    XCTAssertEqual(findings.map(\.path), [[.init(String.self), .init(Int.self)]])
    XCTAssertEqual(findings.map(\.key), [.init(Int.self)])
  }

  /// The first one was named alone, and the next when that was mended.
  func testAllUnknownRegistrationsAreNamedOnce() async throws {
    try addServices()
    func register<Product: Sendable>(
      _ product: Product.Type, _ scope: Scope<Product>, line: UInt,
      _ make: @escaping @Sendable () -> Product
    ) throws -> Registration<Product> {
      try base.register(product, scope: scope, file: "App/Registrations.swift", line: line) { _ in
        make()
      }
    }
    _ = try register(Int.self, .transient, line: 1) { 1 }
    try register(String.self, .singleton, line: 2) { "" }.dependsOn(Int.self)
    try register(Substring.self, .singleton, line: 3) { "" }.dependsOn(Int.self, Double.self)
    _ = try register(Double.self, .singleton, line: 4) { 1 }
    try register(Bool.self, .singleton, line: 5) { true }.dependsOn(Int.self).afterInit { _, _ in }
    try register(Float.self, .singleton, line: 6) { 1 }.dependsOn(Settings.self)
      .as(KeepingInstance())
    _ = try register(Character.self, .transient, line: 7) { "c" }
    let (findings, text) = try await refusals(ReloadableContainer(base)) { next in
      try next.register(value: Settings(version: 2))
    }
    XCTAssertEqual(
      findings.map(\.key), [.init(Int.self), .init(Double.self), .init(Float.self)])
    XCTAssertEqual(findings.flatMap(\.places).map(\.location.line), [1, 4, 6])
    XCTAssert(RegistrationError.reloadRefused(findings) == .reloadRefused)
    assertGolden("reload-refused", text)
  }

  private struct KeepingInstance: CustomStorage {
    func get(for context: StorageContext) -> Float? { nil }
    func set(_ product: Float, for context: StorageContext) {}
    func release() {}
  }

  func testAnUnknownRegistrationThatIsReplacedIsNoReasonToRefuse() async throws {
    try base.register(Settings.self, scope: .singleton) { _ in Settings(version: 1) }
    let reloadable = ReloadableContainer(base)
    for version in 2...3 {
      try await reloadable.reload { next in
        try next.register(Settings.self, scope: .singleton) { _ in Settings(version: version) }
      }.value
      XCTAssertEqual(try reloadable.current.resolve(Settings.self).version, version)
    }
  }

  func testAClosedContainerIsNotReloaded() async throws {
    try addServices()
    let reloadable = ReloadableContainer(base)
    try await base.close()
    await assertThrows {
      try await reloadable.reload(to: 2)
    } _: {
      XCTAssertEqual($0 as? ResolutionError, .containerClosed)
    }
    XCTAssert(reloadable.current.isClosed)
  }
}
