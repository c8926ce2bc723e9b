// SPDX-License-Identifier: MIT

import CCorinth
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
    XCTAssertNil(registry.findInCache(corinth_key(type: 0x2000)))
    XCTAssertNil(registry.findInCache(corinth_key(nameHash: 1, name: 1)))
  }

  func testAKeyWithNameAndArgumentsIsFoundByAllOfItsParts() {
    let key = corinth_key(arguments: 0x20, nameHash: 3, name: 4, storage: 5)
    let slot = registry.insert(key).slot
    XCTAssertEqual(registry.findInCache(key), slot)
    XCTAssertNil(registry.findInCache(.plain))
    for other in [
      corinth_key(type: 0x2000, arguments: 0x20, nameHash: 3, name: 4, storage: 5),
      corinth_key(arguments: 0x10, nameHash: 3, name: 4, storage: 5),
      corinth_key(arguments: 0x20, nameHash: 2, name: 4, storage: 5),
      corinth_key(arguments: 0x20, nameHash: 3, name: 3, storage: 5),
    ] { XCTAssertNil(registry.findInCache(other)) }
  }

  func testANameOfOtherBitsIsLeftToTheRegistry() {
    let slot = registry.insert(corinth_key(nameHash: 3, name: 4, storage: 5)).slot
    let other = corinth_key(nameHash: 3, name: 4, storage: 6)
    XCTAssertNil(registry.findInCache(other))
    XCTAssertEqual(registry.find(other), slot)
  }

  func testMostKeysAreFoundInTheCache() {
    let count = 1_000
    for plain in [true, false] {
      let registry = TestRegistry()
      let keys = (1...count).map {
        plain
          ? corinth_key(type: UInt($0) << 4) : corinth_key(nameHash: UInt64($0), name: UInt64($0))
      }
      let slots = keys.map { registry.insert($0).slot }
      let found = zip(keys, slots).count { registry.findInCache($0) == $1 }
      XCTAssertGreaterThan(found, count * 9 / 10)
    }
  }

  func testKeysThatFillOneLineOfTheCacheAreFound() {
    let keys = (0..<100).map { corinth_key(hash: 0xABCD << 48 | UInt64($0)) }
    let slots = keys.map { registry.insert($0).slot }
    for (key, slot) in zip(keys, slots) { XCTAssertEqual(registry.find(key), slot) }
    XCTAssertNil(registry.find(corinth_key(hash: 0xABCD << 48 | 100)))
  }

  func testKeysAtTheEndsOfTheCacheAreFound() {
    let keys = [0, 1, UInt64.max, .max - 1, 1 << 63, .max >> 1].map { corinth_key(hash: $0) }
    let slots = keys.map { registry.insert($0).slot }
    for (key, slot) in zip(keys, slots) { XCTAssertEqual(registry.find(key), slot) }
  }
}
