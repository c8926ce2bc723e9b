// SPDX-License-Identifier: MIT

import XCTest

@testable import Corinth

/// Boxes and arguments are read by their addresses, without a look at their classes.
final class InstanceBoxTests: XCTestCase {
  private struct Nothing: Hashable {}

  private struct Mixed: Hashable {
    var small: Int8 = 3
    var text = "a text that is too long for the small form"
    var last: Int16 = -4
  }

  private func assertCopied<Product: Equatable>(_ product: Product, line: UInt = #line) {
    let box: AnyInstanceBox = InstanceBox(product)
    XCTAssertEqual(box.instance(of: Product.self), product, line: line)
  }

  func testABoxGivesTheInstanceThatItHolds() {
    assertCopied(true)
    assertCopied(Int16(-7))
    assertCopied(UInt64.max)
    assertCopied("a text that is too long for the small form")
    assertCopied([1, 2, 3])
    assertCopied(Int?.none)
    assertCopied(Mixed?.some(Mixed()))
    assertCopied(Nothing())
    assertCopied(SIMD16<Float>(repeating: 5))
    assertCopied(SIMD2<UInt8>(1, 2))
    let error: any Error = CancellationError()
    let box: AnyInstanceBox = InstanceBox(error)
    XCTAssertTrue(box.instance(of: (any Error).self) is CancellationError)
    let both: AnyInstanceBox = InstanceBox((UInt8(1), SIMD4<Int64>(repeating: 2)))
    XCTAssertEqual(both.instance(of: (UInt8, SIMD4<Int64>).self).1[3], 2)
  }

  // MARK: - Arguments

  private func key<Arguments>(_ arguments: Arguments, _ types: [any Any.Type]) throws
    -> AnyArguments
  {
    let key = ArgumentsBox(arguments)
    key.identify(by: try XCTUnwrap(ArgumentHashing(of: types)))
    return key
  }

  func testEachOfSeveralArgumentsIsCompared() throws {
    typealias Arguments = (Int8, Nothing, SIMD4<Int64>, Mixed, Bool, UInt32?)
    let types: [any Any.Type] = [
      Int8.self, Nothing.self, SIMD4<Int64>.self, Mixed.self, Bool.self, UInt32?.self,
    ]
    let first: Arguments = (1, Nothing(), SIMD4(1, 2, 3, 4), Mixed(), true, 9)
    var others = Array(repeating: first, count: 5)
    others[0].0 = 2
    others[1].2[3] = 5
    others[2].3.last = 0
    others[3].4 = false
    others[4].5 = nil
    let key = try key(first, types)
    let same = try self.key(first, types)
    XCTAssertTrue(key.areEqual(to: same) && key.hash == same.hash)
    for other in others {
      let other = try self.key(other, types)
      XCTAssertFalse(key.areEqual(to: other))
      XCTAssertNotEqual(key.hash, other.hash)
    }
  }

  func testArgumentsAreNoKeyIfOneIsNotHashable() {
    XCTAssertNil(ArgumentHashing(of: [Int.self, (() -> Void).self]))
    XCTAssertNotNil(ArgumentHashing(of: [Int.self, [Int?].self]))
  }

  // MARK: - Coarse time

  func testAnEndIsSureUntilShortlyBeforeIt() {
    let start = CoarseTime(monotonic: 1_000, wall: 5_000)
    let milliseconds: Int64 = 1_000_000
    func isSure(after passed: Int64, slept: Int64 = 0) -> Bool {
      CoarseTime(monotonic: 1_000 + passed, wall: 5_000 + passed + slept)
        .isSurely(within: 1_000 * milliseconds, of: start)
    }
    XCTAssertTrue(isSure(after: 0))
    XCTAssertTrue(isSure(after: 900 * milliseconds))
    XCTAssertFalse(isSure(after: 960 * milliseconds))
    XCTAssertFalse(isSure(after: 2_000 * milliseconds))
    // As much as two readings of a clock may differ by.
    XCTAssertTrue(isSure(after: 0, slept: 10 * milliseconds))
    XCTAssertFalse(isSure(after: 0, slept: 100 * milliseconds))
    XCTAssertFalse(isSure(after: 0, slept: 5_000 * milliseconds))
    XCTAssertFalse(isSure(after: 0, slept: -5_000 * milliseconds))
    XCTAssertTrue(
      CoarseTime(monotonic: 1_001, wall: 5_001).isSurely(within: .max, of: start))
    XCTAssertFalse(CoarseTime(monotonic: 1_001, wall: 5_001).isSurely(within: 0, of: start))
  }
}
