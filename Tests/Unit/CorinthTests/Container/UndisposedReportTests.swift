// SPDX-License-Identifier: MIT

import Corinth
import TestSupport
import XCTest

/// Instances that a container lets go of without disposing of them.
final class UndisposedReportTests: ShutdownTestCase {
  private let reports = EventLog()

  override func setUp() {
    super.setUp()
    Container.onUndisposed = { [reports] in reports.add("\($0)") }
  }

  override func tearDown() {
    Container.onUndisposed = nil
    super.tearDown()
  }

  /// A container with a singleton that has a disposer and one that has none, each built.
  private func makeContainer(line: UInt = 10) throws -> Container {
    let container = Container()
    try container.register(
      NodeA.self, scope: .singleton, file: "App/Main.swift", line: line
    ) { [tracker] _ in CompanionOf(tracker) }.onDispose { _ in }
    try container.register(NodeB.self, scope: .singleton) { [tracker] _ in CompanionOf(tracker) }
    try container.register(NodeC.self, scope: .weak) { [tracker] _ in CompanionOf(tracker) }
    _ = try (container.resolve(NodeA.self), container.resolve(NodeB.self))
    return container
  }

  private func assertReports(_ golden: String..., line: UInt = #line) {
    let entries = reports.entries
    XCTAssertEqual(entries.count, golden.count, "\(entries)", line: line)
    for (name, text) in zip(golden, entries) { assertGolden(name, text, line: line) }
  }

  func testAnObserverThatIsRemovedIsNoLongerCalledAndAForkThatWasMadeBeforeCallsIt() throws {
    final class Token: Sendable {}
    let (token, seen) = (Token(), EventLog())
    let container = try makeContainer()
    container.addUndisposedObserver(token) { seen.add("\($0.cause)") }
    container.release(NodeA.self)
    XCTAssertEqual(seen.entries.count, 1)
    let fork = container.fork()
    container.removeUndisposedObserver(token)
    _ = try (container.resolve(NodeA.self), fork.resolve(NodeA.self))
    container.release(NodeA.self)
    XCTAssertEqual(seen.entries.count, 1)
    fork.release(NodeA.self)
    XCTAssertEqual(seen.entries.count, 2)
  }

  // MARK: - Instances

  func testAReleasedInstanceIsReported() async throws {
    let container = try makeContainer()
    container.release(NodeA.self)
    container.release(NodeB.self)
    container.release(NodeC.self)
    assertReports("drop-released")
    container.releaseAll()
    assertReports("drop-released")
    _ = try container.resolve(NodeA.self)
    container.releaseAll()
    assertReports("drop-released", "drop-released")
    try await container.shutdown()
  }

  func testAnOverriddenInstanceIsReported() async throws {
    let container = try makeContainer()
    for _ in 0..<2 {
      try container.register(NodeA.self) { [tracker] _ in CompanionOf(tracker) }
      try container.register(NodeB.self) { [tracker] _ in CompanionOf(tracker) }
    }
    assertReports("drop-overridden")
    try await container.shutdown()
  }

  func testRemovedInstancesAreReported() async throws {
    let container = try makeContainer()
    container.unregister(NodeA.self)
    container.unregister(NodeB.self)
    assertReports("drop-removed")
    let other = try makeContainer()
    other.removeAll()
    assertReports("drop-removed", "drop-removed")
  }

  func testAContainerThatIsDroppedReportsItsInstances() throws {
    _ = try makeContainer()
    assertReports("drop-container")
  }

  func testInstancesOfEachValueAreReported() throws {
    try container.register(String.self, scope: .singleton) { (_, number: Int) in "\(number)" }
      .onDispose { _ in }
    for number in 1...3 { _ = try container.resolve(String.self, arguments: number) }
    Container.onUndisposed = { [reports] in reports.add("\($0.instances.count)") }
    container.release(String.self, arguments: Int.self)
    XCTAssertEqual(reports.entries, ["3"])
  }

  // MARK: - Scopes

  func testAScopeThatIsDroppedReportsWhereItWasMadeAndWhatItKept() throws {
    try container.register(
      NodeA.self, scope: .scoped, file: "App/Main.swift", line: 10
    ) { [tracker] _ in CompanionOf(tracker) }.onDispose { _ in }
    try container.register(
      NodeB.self, scope: .scoped, file: "App/Main.swift", line: 11
    ) { [tracker] _ in CompanionOf(tracker) }
    do {
      let scope = container.makeScope(file: "App/Server.swift", line: 20)
      _ = try (scope.resolve(NodeA.self), scope.resolve(NodeB.self))
    }
    assertReports("drop-scope")
  }

  func testTheLocationIsThatOfTheCall() throws {
    let causes = EventLog()
    Container.onUndisposed = { causes.add("\($0.cause)") }
    try container.register(NodeA.self, scope: .scoped) { [tracker] _ in CompanionOf(tracker) }
    let line = #line + 1
    _ = try container.makeScope().resolve(NodeA.self)
    XCTAssertEqual(
      causes.entries, ["scopeNotClosed(madeAt: CorinthTests/UndisposedReportTests.swift:\(line))"])
  }

  func testAScopeWithoutInstancesIsNotReported() throws {
    try container.register(NodeA.self, scope: .scoped) { [tracker] _ in CompanionOf(tracker) }
    _ = container.makeScope()
    _ = Container(parent: container)
    assertReports()
  }

  // MARK: - No reports

  func testWhatIsDisposedOfIsNotReported() async throws {
    do {
      let container = try makeContainer()
      try await container.release(NodeA.self, disposing: true)
      _ = try container.resolve(NodeA.self)
      try container.register(NodeC.self, name: "scoped", scope: .scoped) { [tracker] _ in
        CompanionOf(tracker)
      }.onDispose { _ in }
      try await container.withScope { _ = try $0.resolve(NodeC.self, name: "scoped") }
      let scope = container.makeScope()
      _ = try scope.resolve(NodeC.self, name: "scoped")
      try await scope.close()
      try await container.shutdown(draining: .seconds(3600))
    }
    assertReports()
  }

  func testWhatWasNeverBuiltIsNotReported() throws {
    do {
      let container = Container()
      try container.register(NodeA.self) { [tracker] _ in CompanionOf(tracker) }
        .as(.singleton).onDispose { _ in }.onDispose { _ in }
      try container.register(NodeA.self) { [tracker] _ in CompanionOf(tracker) }
        .as(.singleton).onDispose { _ in }
      container.unregister(NodeA.self)
    }
    assertReports()
  }

  /// It may use containers: no lock is held.
  func testTheHandlerMayRegisterAndResolve() throws {
    let container = try makeContainer()
    Container.onUndisposed = { [reports] report in
      _ = try? container.register(Int.self) { _ in 1 }
      let found = try? container.resolve(Int.self)
      Container.onUndisposed = nil
      reports.add("\(report.instances.map(\.key.description)) \(found ?? 0)")
    }
    container.release(NodeA.self)
    XCTAssertEqual(reports.entries, [#"["CompanionOf<A>"] 1"#])
  }
}
