// SPDX-License-Identifier: MIT

import CCorinth
import CTestSupport
import Foundation
import TestSupport
import XCTest

/// A forked child process uses the registries of its parent, whoever was making them.
final class ForkTests: XCTestCase {
  private static let key = corinth_key.plain

  /// Whether the registry is whole and takes the key, in the only thread of a child process.
  private static func isUsable(_ registry: TestRegistry) -> Bool {
    let before = registry.find(key)
    let (slot, inserted) = registry.insert(key)
    registry.withWriterMutex {}
    return inserted == (before == nil) && registry.find(key) == slot
      && registry.findInCache(key) == slot && registry.slots == [slot] && registry.count == 1
  }

  /// Whether these are, and new ones with them as parents.
  private static func areUsable(_ registries: [TestRegistry]) -> Bool {
    let children = registries.map { TestRegistry(parent: $0) }
    return (registries + children).allSatisfy(isUsable)
  }

  private static func assertUsableInAChild(_ registries: [TestRegistry], line: UInt = #line) {
    var registries = registries
    var outcome = unsafe withUnsafeMutablePointer(to: &registries) { registries in
      unsafe corinth_test_fork(
        { context in
          guard let registries = unsafe context?.load(as: [TestRegistry].self) else { return 2 }
          return ForkTests.areUsable(registries) ? 0 : 1
        }, registries, 30_000)
    }
    defer { unsafe corinth_test_outcome_destroy(&outcome) }
    XCTAssertFalse(unsafe outcome.timed_out, line: line)
    XCTAssertEqual(
      unsafe outcome.exit_status, 0, unsafe String(cString: outcome.error_output), line: line)
  }

  func testAChildUsesRegistriesThatNothingWasInsertedIn() {
    let parent = TestRegistry()
    let registries = [parent] + (0..<10).map { _ in TestRegistry(parent: parent) }
    Self.assertUsableInAChild(registries)
    for registry in registries { XCTAssertFalse(registry.hasInternals) }
    for registry in registries { XCTAssertTrue(Self.isUsable(registry)) }
    Self.assertUsableInAChild(registries)
  }

  func testAChildUsesRegistriesThatThreadsOfItsParentAreMaking() throws {
    try skipUnderThreadSanitizer(
      "Swift's runtime then takes a lock at each use of a static, which a child may find taken")
    let parent = TestRegistry()
    // What Swift's runtime sets up at first use would stay half done in a child, so it is used
    // here.
    XCTAssertTrue(Self.areUsable([TestRegistry()]))
    for _ in 0..<StressSize.scaled(50) {
      let registries = (0..<20).map { _ in TestRegistry(parent: parent) }
      let forked = AtomicCounter()
      try onThreads(3) { index in
        if index == 0 {
          Self.assertUsableInAChild(registries)
          forked.add()
          return
        }
        for registry in registries { _ = registry.insert(Self.key) }
        while forked.value == 0 {
          for registry in registries {
            _ = TestRegistry(parent: parent).insert(Self.key)
            registry.withWriterMutex {}
          }
        }
      }
      for registry in registries { XCTAssertTrue(Self.isUsable(registry)) }
    }
  }
}
