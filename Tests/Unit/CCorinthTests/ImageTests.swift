// SPDX-License-Identifier: MIT

import CCorinth
import CTestSupport
import TestSupport
import XCTest

/// A registry of another image is one with another number: this process has one image, those of
/// `make plugins` have two.
final class ImageTests: XCTestCase {
  func testRegistriesHaveTheNumberOfTheImageThatMadeTheirRoot() {
    let root = TestRegistry()
    let child = TestRegistry(parent: root)
    for registry in [root, child] {
      XCTAssertEqual(unsafe registry.pointer.pointee.image, 0)
    }
  }

  // Two copies that used one registry freed what the other one read.
  func testUsesOfARegistryOfAnotherImageEndTheProgram() {
    assertIsRefused("an insertion") { _ = $0.insert(.plain) }
    assertIsRefused("a writer") { $0.withWriterMutex {} }
    assertIsRefused("several writers") { registry in
      var pointer = unsafe Optional(registry.pointer)
      unsafe corinth_registries_lock(&pointer, 1)
    }
    assertIsRefused("a child") { unsafe _ = corinth_registry_create_child($0.pointer, false) }
    assertIsRefused("a scope") { unsafe _ = corinth_registry_create_child($0.pointer, true) }
    assertIsRefused("a closing") { unsafe corinth_registry_stop_sharing($0.pointer) }
    assertIsRefused("a construction") { unsafe corinth_registry_check_image($0.pointer) }
  }

  func testTheFirstSectionOfAThreadInARegistryOfAnotherImageEndsTheProgram() throws {
    try skipWithoutThreadsInAChild()
    assertIsRefused("a section") { registry in
      _ = try? onThreads(1) { _ in unsafe _ = corinth_section_enter_in(registry.pointer, nil) }
    }
    assertIsRefused("a section of those attached") { registry in
      _ = try? onThreads(1) { _ in
        unsafe _ = corinth_section_enter_attached_in(registry.pointer, nil)
      }
    }
  }

  /// Only Linux without membarrier(2) left the record out of a hit's sight: elsewhere the second
  /// copy did not compare.
  func testThreadsOfALaterImageCompareInEachSection() throws {
    try skipWithoutThreadsInAChild()
    assertSucceedsInAChild {
      corinth_test_image_becomes_later()
      let isInSight = Locked(true)
      _ = try? onThreads(1) { _ in
        unsafe corinth_section_leave(corinth_section_enter())
        isInSight.withLock { $0 = corinth_test_thread_is_attached() }
      }
      return isInSight.withLock { $0 } ? 1 : 0
    }
  }

  private func assertIsRefused(
    _ name: String, line: UInt = #line, _ use: (TestRegistry) -> Void
  ) {
    let registry = TestRegistry()
    func useInAChild() -> Int32 {
      unsafe registry.pointer.pointee.image = 7
      use(registry)
      return 0
    }
    unsafe withOutcomeOfAChild(useInAChild) { outcome in
      let text = unsafe String(cString: outcome.error_output)
      XCTAssertTrue(
        text.contains("made by the copy of Corinth in a library that is loaded no more"),
        "\(name): \(text)", line: line)
      XCTAssertTrue(text.contains("CorinthDynamic"), "\(name): \(text)", line: line)
      XCTAssertEqual(unsafe outcome.signal, SIGABRT, name, line: line)
    }
  }
}
