// SPDX-License-Identifier: MIT

import CCorinth
import Foundation
import TestSupport
import XCTest

/// Registries with parents, which are many and mostly stay empty.
final class FamilyTests: XCTestCase {
  private let parent = TestRegistry()

  func testARegistryThatNothingWasInsertedInFindsNothing() {
    for registry in [TestRegistry(), TestRegistry(parent: parent)] {
      for key in [.plain, corinth_key(nameHash: 1, name: 1), corinth_key(hash: .max)] {
        XCTAssertNil(registry.findInCache(key))
        XCTAssertNil(registry.find(key))
      }
      XCTAssertTrue(registry.slots.isEmpty)
      XCTAssertEqual(registry.count, 0)
      XCTAssertFalse(registry.hasInternals)
    }
  }

  func testAChildWithoutKeysShowsItsParentsSlotsInItsCacheOnly() {
    let slot = parent.insert(.plain).slot
    let child = TestRegistry(parent: parent)
    XCTAssertEqual(child.findInCache(.plain), slot)
    XCTAssertNil(child.find(.plain))
    XCTAssertTrue(child.slots.isEmpty)
    let other = corinth_key(type: 1 << 20)
    let later = parent.insert(other).slot
    XCTAssertEqual(child.findInCache(other), later)
    XCTAssertFalse(child.hasInternals)
  }

  func testAChildWithKeysShowsNoneOfItsParents() {
    _ = parent.insert(.plain)
    let child = TestRegistry(parent: parent)
    let other = corinth_key(type: 1 << 20)
    let own = child.insert(other).slot
    XCTAssertNil(child.findInCache(.plain))
    XCTAssertEqual(child.findInCache(other), own)
    XCTAssertNil(parent.find(other))
  }

  /// The parent's own key, which may come later, would be hidden by what the cache of its own
  /// parent shows.
  func testAChildOfAParentWithoutKeysSharesNoCache() {
    _ = parent.insert(.plain)
    let middle = TestRegistry(parent: parent)
    let child = TestRegistry(parent: middle)
    XCTAssertNotNil(middle.findInCache(.plain))
    XCTAssertNil(child.findInCache(.plain))
  }

  func testAChildStopsSharingWhenToldTo() {
    _ = parent.insert(.plain)
    let child = TestRegistry(parent: parent)
    unsafe corinth_registry_stop_sharing(child.pointer)
    XCTAssertNil(child.findInCache(.plain))
    XCTAssertNotNil(parent.findInCache(.plain))
    let own = child.insert(.plain).slot
    unsafe corinth_registry_stop_sharing(child.pointer)
    XCTAssertEqual(child.findInCache(.plain), own)
  }

  func testASharedCacheOutlivesTheGrowthOfItsParents() {
    let slot = parent.insert(.plain).slot
    let child = TestRegistry(parent: parent)
    for index in 1...1_000 { _ = parent.insert(corinth_key(type: UInt(index) << 6)) }
    XCTAssertEqual(child.findInCache(.plain), slot)
  }

  func testAChildHasSlotsOfItsOwn() {
    let child = TestRegistry(parent: parent)
    let slot = parent.insert(.plain).slot
    let (own, inserted) = child.insert(.plain)
    XCTAssertTrue(inserted)
    XCTAssertNotEqual(own, slot)
    XCTAssertEqual(child.find(.plain), own)
    XCTAssertEqual(child.findInCache(.plain), own)
    XCTAssertEqual(parent.find(.plain), slot)
  }

  func testAnEmptyRegistryCanBeLocked() {
    let child = TestRegistry(parent: parent)
    for _ in 0..<2 {
      child.withWriterMutex {}
      XCTAssertTrue(child.hasInternals)
      XCTAssertEqual(child.count, 0)
      XCTAssertNil(child.find(.plain))
    }
  }

  func testChildrenLeaveNoGrowth() throws {
    try XCTSkipIf(isSanitized, "sanitizers keep freed memory")
    let count = StressSize.scaled(100_000)
    churn(count / 10)
    // A few bytes of each child would come to more than this.
    assertMemoryInUse(growsByAtMost: 4 * count) { churn(count) }
  }

  /// One child in a hundred gets a slot.
  private func churn(_ count: Int) {
    for index in 0..<count {
      let child = TestRegistry(parent: parent)
      if index % 100 == 0 { _ = child.insert(.plain) }
    }
  }

  // MARK: - The first writer

  private let threads = 4
  private let children = StressSize.scaled(2_000)

  func testThreadsThatInsertFirstMakeOneTable() throws {
    let start = Barrier(threads)
    let keys = (1...3).map { corinth_key(type: UInt($0) << 4) }
    let registries = (0..<children).map { _ in TestRegistry(parent: parent) }
    let inserted = try onThreads(threads) { index in
      registries.map { registry in
        start.wait()
        // Each thread begins with another key.
        return keys.indices.count { registry.insert(keys[($0 + index) % keys.count]).inserted }
      }
    }
    for (index, registry) in registries.enumerated() {
      XCTAssertEqual(inserted.reduce(0) { $0 + $1[index] }, keys.count)
      XCTAssertEqual(registry.count, keys.count)
      XCTAssertEqual(Set(registry.slots), Set(keys.compactMap { registry.find($0) }))
      for key in keys { XCTAssertEqual(registry.findInCache(key), registry.find(key)) }
    }
  }

  func testThreadsThatLockFirstExcludeOneAnother() throws {
    // SAFETY: read and written with the registry's writer mutex held, and after all threads.
    final class Count: @unchecked Sendable { var value = 0 }
    let start = Barrier(threads)
    let counted = (0..<children).map { _ in (TestRegistry(parent: parent), Count()) }
    try onThreads(threads) { _ in
      for (registry, count) in counted {
        start.wait()
        registry.withWriterMutex { count.value += 1 }
      }
    }
    for (_, count) in counted { XCTAssertEqual(count.value, threads) }
  }

  func testReadersBesideTheFirstWriterFindNothingOrTheSlot() throws {
    let start = Barrier(threads)
    let registries = (0..<children).map { _ in TestRegistry(parent: parent) }
    try onThreads(threads) { index in
      for registry in registries {
        start.wait()
        if index == 0 { _ = registry.insert(.plain) }
        var count = 0
        repeat {
          count = registry.count
          let slots = registry.slots
          XCTAssertGreaterThanOrEqual(slots.count, count)
          for slot in slots { XCTAssertEqual(registry.find(.plain), slot) }
        } while count == 0 && sched_yield() == 0
      }
    }
  }

  // MARK: - Depth

  func testAFamilyHasOneDepth() {
    let stranger = TestRegistry()
    let child = TestRegistry(parent: parent)
    let grandchild = TestRegistry(parent: child)
    for registry in [parent, child, grandchild] {
      XCTAssertEqual(registry.unrecordedDepth, CORINTH_PATH_TRACKING_THRESHOLD)
    }
    for _ in 0..<2 {
      grandchild.recordAllDepths()
      for registry in [parent, child, grandchild, TestRegistry(parent: parent)] {
        XCTAssertEqual(registry.unrecordedDepth, 0)
      }
    }
    XCTAssertEqual(stranger.unrecordedDepth, CORINTH_PATH_TRACKING_THRESHOLD)
  }

  func testADepthChangesForAllThreads() throws {
    try onThreads(threads) { [parent] index in
      let child = TestRegistry(parent: parent)
      if index == 0 { child.recordAllDepths() }
      while child.unrecordedDepth != 0 {}
    }
    XCTAssertEqual(parent.unrecordedDepth, 0)
  }
}
