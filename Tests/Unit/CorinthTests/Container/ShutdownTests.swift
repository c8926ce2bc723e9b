// SPDX-License-Identifier: MIT

import Corinth
import TestSupport
import XCTest

final class ShutdownTests: ShutdownTestCase {
  // MARK: - Order

  func testTheOneCompletedLastIsDisposedOfFirst() async throws {
    try add(A.self) { _ = try $0.resolve(NodeB.self) }
    try add(B.self)
    try add(C.self)
    try add(D.self)
    _ = try container.resolve(NodeC.self)
    _ = try container.resolve(NodeA.self)
    try await container.shutdown()
    XCTAssertEqual(log.entries, ["A", "B", "C"], "D has not been built")
  }

  func testDisposersOfOneRegistrationRunInTheReverseOrder() async throws {
    try add(A.self)
      .onDispose { [log] _ in
        await Task.yield()
        log.add("second")
      }
      .onDispose { [log] _ in log.add("third") }
    _ = try container.resolve(NodeA.self)
    try await container.shutdown()
    XCTAssertEqual(log.entries, ["third", "second", "A"])
  }

  func testTheDisposerGetsTheInstance() async throws {
    let disposed = EventLog()
    try container.registerAsync(Tracked.self) { [tracker] _ in tracker.make() }.as(.singleton)
      .onDispose { instance in
        await Task.yield()
        disposed.add("\(instance.serial)")
      }
    _ = try await container.resolveAsync(Tracked.self)
    try await container.shutdown()
    XCTAssertEqual(disposed.entries, ["1"])
  }

  func testTheInstanceOfEachValueIsDisposedOf() async throws {
    try container.register(String.self, scope: .singleton) { (_, number: Int) in "\(number)" }
      .onDispose { [log] instance in log.add(instance) }
    try container.registerAsync(String.self, scope: .singleton) { (_, first: Int, second: Bool) in
      "\(first) \(second)"
    }.onDispose { [log] instance in log.add(instance) }
    for number in 1...3 { _ = try container.resolve(String.self, arguments: number) }
    _ = try await container.resolveAsync(String.self, arguments: 4, true)
    try await container.shutdown()
    XCTAssertEqual(log.entries, ["4 true", "3", "2", "1"])
  }

  func testWhatWasReleasedOverriddenOrRemovedIsNotDisposedOf() async throws {
    try add(A.self)
    try add(B.self)
    try add(C.self)
    _ = try container.resolve(NodeA.self)
    _ = try container.resolve(NodeB.self)
    _ = try container.resolve(NodeC.self)
    container.release(NodeA.self)
    try container.register(NodeB.self) { [tracker] _ in CompanionOf(tracker) }
    container.unregister(NodeC.self)
    try await container.shutdown()
    XCTAssertEqual(log.entries, [])
  }

  func testWhatIsBuiltAfterAReleaseIsDisposedOfOnce() async throws {
    try add(A.self)
    _ = try container.resolve(NodeA.self)
    container.releaseAll()
    _ = try container.resolve(NodeA.self)
    try await container.shutdown()
    XCTAssertEqual(log.entries, ["A"])
  }

  // MARK: - Afterwards

  func testResolvingAfterwardsThrows() async throws {
    try add(A.self)
    try container.register(Int.self) { _ in 1 }
    let provider = try container.provider(for: NodeA.self)
    let kept = try container.resolve(NodeA.self)
    try await container.shutdown()
    XCTAssert(container.isClosed)
    func assertClosed(
      line: UInt = #line, _ resolve: nonisolated(nonsending) () async throws -> Void
    ) async {
      await assertThrows(line: line, resolve) { error in
        guard case ResolutionError.containerClosed = error else {
          return XCTFail("\(error)", line: line)
        }
      }
    }
    let container = container
    await assertClosed { _ = try container.resolve(NodeA.self) }
    await assertClosed { _ = try container.resolve(Int.self) }
    await assertClosed { _ = try container.resolve(Double.self) }
    await assertClosed { _ = try await container.resolveAsync(NodeA.self) }
    await assertClosed { _ = try await container.resolveAsync(NodeA.self, arguments: 1) }
    await assertClosed { _ = try container.resolveIfRegistered(NodeA.self) }
    await assertClosed { _ = try await container.resolveAsyncIfRegistered(NodeA.self) }
    await assertClosed { try container.withResolved(NodeA.self) { _ in } }
    await assertClosed { _ = try provider() }
    XCTAssertEqual(kept.serial, 1)
  }

  func testTheTextsOfWhatIsRefusedAfterwards() async throws {
    let container = Container(file: "App/Main.swift", line: 1)
    try container.register(String.self, name: "greeting") { _ in "" }
    try await container.shutdown(file: "App/Main.swift", line: 2)
    XCTAssertThrowsError(try container.resolve(String.self, name: "greeting")) { error in
      assertGolden("container-closed", "\(error)")
    }
    XCTAssertThrowsError(
      try container.register(String.self, file: "App/Main.swift", line: 10) { _ in "" }
    ) { error in
      guard case RegistrationError.containerClosed = error else { return XCTFail("\(error)") }
      assertGolden("registered-after-shutdown", "\(error)")
    }
    XCTAssertThrowsError(try container.registerAsync(String.self) { _ in "" })
    XCTAssertThrowsError(try container.forward(Int.self, to: String.self))
  }

  func testChildrenAndScopesOfAClosedContainerRefuseToResolve() async throws {
    try add(A.self)
    let child = Container(parent: container)
    try child.register(Int.self) { _ in 1 }
    let scope = child.makeScope()
    _ = try scope.resolve(NodeA.self)
    try await container.shutdown()
    for descendant in [child, scope, container.makeScope()] {
      XCTAssertThrowsError(try descendant.resolve(NodeA.self)) { error in
        guard case ResolutionError.containerClosed = error else { return XCTFail("\(error)") }
      }
      XCTAssertFalse(descendant.isClosed)
    }
    XCTAssertEqual(log.entries, ["A"])
  }

  func testAScopeDisposesOfItsOwnAfterItsContainer() async throws {
    try container.register(NodeB.self, scope: .scoped) { [tracker] _ in CompanionOf(tracker) }
      .onDispose { [log] _ in log.add("scoped") }
    try add(A.self)
    _ = try container.resolve(NodeA.self)
    let scope = container.makeScope()
    _ = try scope.resolve(NodeB.self)
    try await container.shutdown()
    XCTAssertEqual(log.entries, ["A"])
    try await scope.close()
    XCTAssertEqual(log.entries, ["A", "scoped"])
  }

  func testAParentOfAClosedChildGoesOn() async throws {
    try add(A.self)
    let child = Container(parent: container)
    _ = try child.resolve(NodeA.self)
    try await child.shutdown()
    XCTAssertNoThrow(try container.resolve(NodeA.self))
    XCTAssertEqual(log.entries, [])
  }

  func testNothingIsKeptAfterwards() async throws {
    try add(A.self)
    try container.register(NodeB.self, scope: .singleton) { [tracker] _ in CompanionOf(tracker) }
    _ = try container.resolve(NodeA.self)
    _ = try container.resolve(NodeB.self)
    try await container.shutdown()
    await tracker.waitUntilNoneIsLeft()
    XCTAssertEqual(tracker.alive, 0)
  }
}
