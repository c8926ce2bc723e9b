// SPDX-License-Identifier: MIT

import CCorinth
import TestSupport
import XCTest

final class RegistryTests: XCTestCase {
  private let registry = TestRegistry()

  /// Every part of the key in turn.
  private func key(_ index: Int) -> corinth_key {
    let number = UInt(index / 3 + 1)
    return switch index % 3 {
    case 0: corinth_key(type: number << 4)
    case 1: corinth_key(arguments: number << 4)
    default: corinth_key(nameHash: UInt64(number), name: UInt64(number))
    }
  }

  private func assertHoldsKeys(_ count: Int, _ registry: TestRegistry) {
    let slots = (0..<count).map { index in
      let (slot, inserted) = registry.insert(key(index))
      XCTAssertTrue(inserted)
      return slot
    }
    XCTAssertEqual(registry.count, count)
    XCTAssertEqual(Set(slots).count, count)
    for index in 0..<count {
      XCTAssertEqual(registry.find(key(index)), slots[index])
      let (slot, inserted) = registry.insert(key(index))
      XCTAssertFalse(inserted)
      XCTAssertEqual(slot, slots[index])
    }
    for index in count..<count + 100 { XCTAssertNil(registry.find(key(index))) }
    XCTAssertEqual(registry.slots, slots.reversed())
  }

  func testAnEmptyRegistryFindsNothing() {
    XCTAssertNil(registry.find(.plain))
    XCTAssertEqual(registry.count, 0)
    XCTAssertTrue(registry.slots.isEmpty)
  }

  func testAnInsertedSlotHasItsKeyAndNoWord() {
    let (slot, inserted) = registry.insert(
      corinth_key(arguments: 0x20, nameHash: 3, name: 4, storage: 5))
    XCTAssertTrue(inserted)
    XCTAssertEqual(slot.word, CORINTH_WORD_ABSENT)
    XCTAssertEqual(slot.key.product, corinth_product(corinth_key.type, true, true))
    XCTAssertEqual(slot.key.arguments, 0x20)
    XCTAssertEqual(slot.key.name_hash, 3)
    XCTAssertEqual(slot.key.name_bits.0, 4)
    XCTAssertEqual(slot.key.name_bits.1, 5)
  }

  func testKeysThatDifferInOnePartAreDifferent() {
    let keys = [
      .plain, corinth_key(type: 0x2000), corinth_key(arguments: 0x10),
      corinth_key(arguments: 0x20), corinth_key(nameHash: 1, name: 1),
      corinth_key(nameHash: 1, name: 2), corinth_key(nameHash: 2, name: 1),
      corinth_key(arguments: 0x10, nameHash: 1, name: 1),
    ]
    let slots = keys.map { registry.insert($0).slot }
    XCTAssertEqual(Set(slots).count, keys.count)
    for (key, slot) in zip(keys, slots) { XCTAssertEqual(registry.find(key), slot) }
  }

  func testNamesOfEqualValueAndDifferentBitsAreTheSame() {
    let slot = registry.insert(corinth_key(nameHash: 1, name: 7, storage: 1)).slot
    XCTAssertEqual(registry.find(corinth_key(nameHash: 1, name: 7, storage: 2)), slot)
    XCTAssertFalse(registry.insert(corinth_key(nameHash: 1, name: 7, storage: 3)).inserted)
    XCTAssertEqual(slot.key.name_bits.1, 1)
  }

  func testNamesWithEqualHashesAreToldApartByValue() {
    let slots = (0..<100).map { registry.insert(corinth_key(nameHash: 1, name: $0)).slot }
    XCTAssertEqual(Set(slots).count, 100)
    for value in 0..<100 {
      let key = corinth_key(nameHash: 1, name: UInt64(value), storage: 1)
      XCTAssertEqual(registry.find(key), slots[value])
    }
    XCTAssertNil(registry.find(corinth_key(nameHash: 1, name: 100)))
  }

  func testManyKeysAreFoundWhileAndAfterTheRegistryGrows() {
    assertHoldsKeys(10_000, registry)
  }

  func testKeysWhoseFingerprintsCollideAreFound() {
    for bits: UInt32 in [1, 4, 8] {
      assertHoldsKeys(500, TestRegistry(fingerprintBits: bits))
    }
  }

  func testSlotsAreWholeCacheLines() {
    for index in 0..<100 {
      XCTAssertEqual(registry.insert(key(index)).slot.address % 64, 0)
    }
  }

  func testSlotsStayWhereTheyAre() {
    let first = registry.insert(key(0)).slot
    unsafe _ = corinth_slot_exchange(first.pointer, 16)
    for index in 1..<5_000 { _ = registry.insert(key(index)) }
    XCTAssertEqual(registry.find(key(0)), first)
    XCTAssertEqual(first.word, 16)
  }

  func testDestroyVisitsEachSlotOnceTheNewestFirst() {
    // SAFETY: the destructor runs on this thread, in the call below.
    enum Visits { nonisolated(unsafe) static var words: [UInt] = [] }
    unsafe Visits.words = []
    let registry = unsafe corinth_registry_create({ _, _ in false }, 64, false)
    for index in 1...100 {
      let key = corinth_key(type: UInt(index) << 4)
      var inserted = false
      let slot = unsafe insertSlot(registry, key, &inserted)
      unsafe _ = corinth_slot_exchange(slot, UInt(index))
    }
    unsafe corinth_registry_destroy(registry) { slot in
      unsafe Visits.words.append(corinth_slot_load(slot))
    }
    XCTAssertEqual(unsafe Visits.words, (1...100).reversed())
  }

  func testThreadsThatInsertTheSameKeysMakeEachOnce() throws {
    let count = StressSize.scaled(500)
    let inserted = try onThreads(4) { [registry] _ in
      (0..<count).count { registry.insert(corinth_key(type: UInt($0 + 1) << 4)).inserted }
    }
    XCTAssertEqual(inserted.reduce(0, +), count)
    XCTAssertEqual(registry.count, count)
    XCTAssertEqual(Set(registry.slots).count, count)
  }

  func testNamesMayUseTheRegistryWhileTheyAreCompared() {
    // SAFETY: set before the registry compares names, on this thread.
    enum Nested { nonisolated(unsafe) static var registry: UnsafeMutablePointer<corinth_registry>? }
    let registry = unsafe corinth_registry_create(
      { _, _ in
        let key = corinth_key(type: 0x3000)
        var inserted = false
        unsafe _ = insertSlot(Nested.registry, key, &inserted)
        return false
      }, 64, false)
    unsafe Nested.registry = registry
    for name: UInt64 in 1...3 {
      let key = corinth_key(nameHash: 1, name: name)
      var inserted = false
      unsafe _ = insertSlot(registry, key, &inserted)
      XCTAssertTrue(inserted)
    }
    XCTAssertEqual(unsafe corinth_registry_count(registry), 4)
    unsafe corinth_registry_destroy(registry) { _ in }
  }

  /// An insertion began anew whenever a slot had been made during its search. A comparison that
  /// makes one each time kept it from ending.
  func testInsertionsEndThoughEachComparisonOfNamesInsertsAKey() {
    // SAFETY: only touched on this thread.
    enum Nested {
      nonisolated(unsafe) static var registry: UnsafeMutablePointer<corinth_registry>?
      nonisolated(unsafe) static var comparisons = 0
    }
    unsafe Nested.comparisons = 0
    let registry = unsafe corinth_registry_create(
      { _, _ in
        unsafe Nested.comparisons += 1
        // Far more than it takes: without an end of its own, the test would not fail but hang.
        if unsafe Nested.comparisons > 10_000 { return false }
        let key = unsafe corinth_key(type: 0x3000 + UInt(Nested.comparisons) << 4)
        var inserted = false
        unsafe _ = insertSlot(Nested.registry, key, &inserted)
        return false
      }, 64, false)
    unsafe Nested.registry = registry
    for name: UInt64 in 1...4 {
      let key = corinth_key(nameHash: 1, name: name)
      var inserted = false
      unsafe _ = insertSlot(registry, key, &inserted)
      XCTAssertTrue(inserted)
    }
    XCTAssertEqual(unsafe Nested.comparisons, 6, "each name is compared with each other once")
    XCTAssertEqual(unsafe corinth_registry_count(registry), 10)
    unsafe corinth_registry_destroy(registry) { _ in }
  }

  /// Threads insert keys of one hash while each comparison of their names inserts others.
  func testThreadsThatInsertTheSameNamesBesideComparisonsMakeEachOnce() throws {
    // SAFETY: set before the threads begin.
    enum Nested { nonisolated(unsafe) static var registry: UnsafeMutablePointer<corinth_registry>? }
    let names = UInt64(StressSize.scaled(60))
    let registry = unsafe corinth_registry_create(
      { left, right in
        guard let left = unsafe left, let right = unsafe right else { return false }
        let pair = unsafe left.pointee.name_bits.0 << 20 | right.pointee.name_bits.0
        let key = corinth_key(nameHash: 2 + pair, name: pair)
        var inserted = false
        unsafe _ = insertSlot(Nested.registry, key, &inserted)
        return unsafe left.pointee.name_bits.0 == right.pointee.name_bits.0
      }, 64, false)
    unsafe Nested.registry = registry
    let inserted = try onThreads(4) { index in
      (1...names).count { name in
        let key = corinth_key(nameHash: 1, name: name, storage: UInt64(index))
        var inserted = false
        unsafe _ = insertSlot(Nested.registry, key, &inserted)
        return inserted
      }
    }
    XCTAssertEqual(inserted.reduce(0, +), Int(names))
    unsafe corinth_registry_destroy(registry) { _ in }
  }
}
