// SPDX-License-Identifier: MIT

import TestSupport
import XCTest

@testable import Corinth

/// The cores of scopes that have ended serve the thread's next scopes, but not while something
/// still refers to them.
final class ScopeReuseTests: XCTestCase {
  @PerTest private var container = Container()

  private func coreOfNextScope() throws -> ObjectIdentifier {
    let scope = container.makeScope()
    try scope.syncClose()
    return ObjectIdentifier(scope.registry)
  }

  func testTheNextScopeHasTheCoreOfTheLast() throws {
    try XCTSkipUnless(ThreadSpares.areKept)
    let first = try coreOfNextScope()
    XCTAssertEqual(try coreOfNextScope(), first)
  }

  /// Behaviors of any container in the process once ended all reuse.
  func testBehaviorsElsewhereEndNoReuse() throws {
    try XCTSkipUnless(ThreadSpares.areKept)
    let other = Container()
    other.add(MetricsBehavior())
    let first = try coreOfNextScope()
    XCTAssertEqual(try coreOfNextScope(), first)
  }

  /// A recording compares the containers that it was made in with those that are asked later.
  func testACoreWithAnUncountedReferenceIsNotUsedAgain() throws {
    let reference = try container.syncWithScope { UncountedReference($0.registry) }
    try container.syncWithScope { _ in XCTAssertNil(reference.object) }
  }

  func testARecordedRunThatOutlivesItsScopeDoesNotTakeTheNextForIt() throws {
    let container = container
    let recording = container.recordDependencies()
    defer { recording.stop() }
    let observation = Locked<Observation?>(nil)
    try container.register(Int.self) { _ in
      observation.withLock { $0 = Observation.current }
      return 1
    }
    try container.register(String.self) { _ in "" }
    try container.syncWithScope { _ = try $0.resolve(Int.self) }
    try container.syncWithScope { scope in
      _ = try observation.withLock { $0 }.around { try scope.resolve(String.self) }
    }
    let record = try XCTUnwrap(
      container.registry.registrations { $0.key.product == Int.self }.first)
    let found = container.registry.recorded.dependencies(of: record.serial)
    XCTAssertEqual(found.map(\.timing), [.elsewhere])
  }
}
