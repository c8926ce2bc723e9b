// SPDX-License-Identifier: MIT

import XCTest

@testable import Corinth

/// The layout of objects, and the references that the Swift runtime hands out: design note 27.
/// `InstanceBoxTests` has the offsets of properties in boxes.
final class ObjectAssumptionTests: XCTestCase {
  private class Base {
    let first: UInt64 = 1
    let second: UInt8 = 2
  }

  private final class Derived: Base {
    let third: UInt16 = 3
    let fourth = SIMD4<UInt64>(4, 5, 6, 7)
  }

  private func read<Value>(_ object: AnyObject, at offset: Int, as type: Value.Type) -> Value {
    unsafe UnsafeRawPointer(Unmanaged.passUnretained(object).toOpaque()).load(
      fromByteOffset: offset, as: type)
  }

  func testPropertiesFollowAHeaderOf16BytesInTheirOrder() {
    let object = Derived()
    XCTAssertEqual(read(object, at: 16, as: UInt64.self), 1)
    XCTAssertEqual(read(object, at: 24, as: UInt8.self), 2)
    XCTAssertEqual(read(object, at: 26, as: UInt16.self), 3)
    XCTAssertEqual(read(object, at: 32, as: SIMD4<UInt64>.self), SIMD4(4, 5, 6, 7))
  }

  /// The lowest bits of an address are tags of slots and flags of cells.
  func testTheAddressesOfObjectsAreMultiplesOf16() {
    var objects: [AnyObject] = []
    for _ in 0..<1_000 {
      objects.append(Base())
      objects.append(Derived())
    }
    for object in objects {
      let address = unsafe UInt(bitPattern: Unmanaged.passUnretained(object).toOpaque())
      XCTAssertEqual(address % 16, 0)
    }
  }

  func testAReferenceIsTheAddressOfItsObject() {
    let object = Base()
    let address = unsafe UInt(bitPattern: Unmanaged.passUnretained(object).toOpaque())
    XCTAssertEqual(unsafe unsafeBitCast(object, to: UInt.self), address)
    XCTAssertEqual(unsafe unsafeBitCast(Base?.some(object), to: UInt.self), address)
    XCTAssertEqual(unsafe unsafeBitCast(Base?.none, to: UInt.self), 0)
    XCTAssertEqual(
      unsafe unsafeBitCast(Unmanaged.passUnretained(object), to: UInt.self), address)
  }

  /// An ended object that was retained again would be used after it is freed.
  func testAnObjectWhoseDeinitHasBegunIsNotRetained() {
    final class Ending {
      let ended: (UncountedReference<Ending>) -> Void
      init(_ ended: @escaping (UncountedReference<Ending>) -> Void) { self.ended = ended }
      deinit { ended(UncountedReference(self)) }
    }
    var found: [Bool] = []
    var object: Ending? = Ending { found.append($0.object != nil) }
    let reference = object.map { UncountedReference($0) }
    XCTAssertTrue(reference?.object === object)
    object = nil
    XCTAssertEqual(found, [false])
    XCTAssertNil(reference?.object, "the memory is there, the object is not")
  }
}
