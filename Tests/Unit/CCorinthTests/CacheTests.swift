// SPDX-License-Identifier: MIT

import CCorinth
import TestSupport
import XCTest

final class CacheTests: XCTestCase {
  private let registry = TestRegistry()

  func testTheCacheOfAnEmptyRegistryHasNothing() {
    XCTAssertNil(registry.findInCache(.plain))
    XCTAssertNil(registry.findInCache(corinth_key(nameHash: 1, name: 1)))
    XCTAssertNil(registry.findInCache(corinth_key(hash: 0)))
    XCTAssertNil(registry.findInCache(corinth_key(hash: .max)))
  }

  func testAKeyWithoutNameAndArgumentsIsFoundByItsType() {
    let slot = registry.insert(.plain).slot
    XCTAssertEqual(registry.findInCache(.plain), slot)
    let ofOneEntry = (0x201..<0x301).map { corinth_key(type: $0 << 4) }
      .filter { $0.hash >> 59 == corinth_key.plain.hash >> 59 }
    XCTAssertGreaterThan(ofOneEntry.count, 0)
    for other in ofOneEntry { XCTAssertNil(registry.findInCache(other)) }
    XCTAssertNil(registry.findInCache(corinth_key(nameHash: 1, name: 1)))
    XCTAssertNil(registry.findInCache(corinth_key(nameHash: 1), hash: corinth_key.plain.hash))
  }

  func testAKeyWithNameAndArgumentsIsFoundByAllOfItsParts() {
    let key = corinth_key(arguments: 0x20, nameHash: 3, name: 4, storage: 5)
    let slot = registry.insert(key).slot
    XCTAssertEqual(registry.findInCache(key), slot)
    XCTAssertNil(registry.findInCache(.plain))
    // Looked up where the slot is, whatever the hash of the key.
    for other in [
      corinth_key(type: 0x2000, arguments: 0x20, nameHash: 3, name: 4, storage: 5),
      corinth_key(arguments: 0x10, nameHash: 3, name: 4, storage: 5),
      corinth_key(nameHash: 3, name: 4, storage: 5),
      corinth_key(arguments: 0x20, nameHash: 2, name: 4, storage: 5),
      corinth_key(arguments: 0x20, nameHash: 3, name: 3, storage: 5),
      corinth_key(arguments: 0x20, nameHash: 3, name: 4, storage: 4),
      corinth_key(arguments: 0x20, nameHash: 3, name: 4, storage: 1 << 56 | 5),
    ] { XCTAssertNil(registry.findInCache(other, hash: key.hash)) }
  }

  func testANameOfOtherBitsIsLeftToTheRegistry() {
    let slot = registry.insert(corinth_key(nameHash: 3, name: 4, storage: 5)).slot
    let other = corinth_key(nameHash: 3, name: 4, storage: 6)
    XCTAssertNil(registry.findInCache(other))
    XCTAssertEqual(registry.find(other), slot)
  }

  private func assertAllAreInTheCache(
    _ keys: [corinth_key], _ description: String, line: UInt = #line
  ) {
    let registry = TestRegistry()
    var slots: [Slot] = []
    for (index, key) in keys.enumerated() {
      slots.append(registry.insert(key).slot)
      // Often: what was placed may be moved by each of those that follow.
      guard index < 100 || (index + 1) % (keys.count / 4) == 0 else { continue }
      let missed = zip(keys, slots).count { registry.findInCache($0) != $1 }
      XCTAssertEqual(missed, 0, "of \(slots.count) \(description)", line: line)
    }
  }

  func testEveryKeyIsFoundInTheCache() {
    for count in [100, 1_000, 10_000, 100_000] {
      assertAllAreInTheCache(
        (1...count).map { corinth_key(nameHash: UInt64($0), name: UInt64($0)) }, "names")
    }
  }

  /// The metadata of types of one shape lie at equal distances.
  func testEveryTypeIsFoundInTheCacheWhateverTheDistanceOfTypes() {
    for distance: UInt in [16, 24, 48, 64, 96, 112, 144, 208, 528, 1_024, 4_096, 1 << 20] {
      for count in [24, 100, 1_000, 10_000] {
        assertAllAreInTheCache(
          (0..<UInt(count)).map { corinth_key(type: 0x7F12_3456_7000 + $0 * distance) },
          "types, \(distance) apart")
      }
    }
  }

  func testKeysForWhichTheCacheHasNoPlaceAreFound() {
    let keys = (0..<100).map { corinth_key(hash: 0xABCD << 48 | UInt64($0)) }
    XCTAssertEqual(keys.map(\.hash), (0..<100).map { 0xABCD << 48 | $0 })
    let slots = keys.map { registry.insert($0).slot }
    for (key, slot) in zip(keys, slots) { XCTAssertEqual(registry.find(key), slot) }
    XCTAssertNil(registry.find(corinth_key(hash: 0xABCD << 48 | 100)))
    XCTAssertEqual(zip(keys, slots).count { registry.findInCache($0) == $1 }, 2)
    // Others are not affected.
    let others = (0..<100).map { corinth_key(hash: $0 << 57 | $0 << 20) }
    for key in others { XCTAssertEqual(registry.insert(key).slot, registry.findInCache(key)) }
  }

  /// A reader may look at the first entry of a slot before this was moved there, and at the other
  /// one after.
  func testASlotIsFoundWhileItIsMoved() throws {
    // Of 32 entries. The second key finds the first at its own entry 0; the last one moves both.
    func key(at entry: UInt64, or other: UInt64, number: UInt64) -> corinth_key {
      corinth_key(hash: entry << 59 | (entry ^ other) << 27 | number)
    }
    let (first, moved) = (key(at: 0, or: 5, number: 1), key(at: 0, or: 3, number: 2))
    let others = [key(at: 4, or: 5, number: 3), key(at: 3, or: 4, number: 4)]
    for _ in 0..<StressSize.scaled(5) {
      let registries = (0..<2_000).map { _ in TestRegistry() }
      let slots = registries.map { registry in
        _ = registry.insert(first)
        return registry.insert(moved).slot.address
      }
      let filled = AtomicCounter()
      try onThreads(2) { index in
        for (number, registry) in registries.enumerated() {
          if index == 0 {
            for other in others { _ = registry.insert(other) }
            filled.add()
          } else {
            repeat {
              XCTAssertEqual(registry.find(moved)?.address, slots[number])
            } while filled.value <= number
          }
        }
      }
    }
  }

  func testKeysAtTheEndsOfTheCacheAreFound() {
    let keys = [0, 1, UInt64.max, .max - 1, 1 << 63, .max >> 1].map { corinth_key(hash: $0) }
    let slots = keys.map { registry.insert($0).slot }
    for (key, slot) in zip(keys, slots) { XCTAssertEqual(registry.find(key), slot) }
  }
}
