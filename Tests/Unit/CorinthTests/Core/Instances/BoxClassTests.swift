// SPDX-License-Identifier: MIT

import XCTest

@testable import Corinth

final class BoxClassTests: XCTestCase {
  private struct Pair<First, Second> {}

  private func assertHasItsClass<Product>(_ product: Product.Type) {
    // Looked up, then known.
    for _ in 0..<2 { XCTAssertTrue(boxClass(of: product) == InstanceBox<Product>.self) }
  }

  /// More types than are known, which share lines.
  private func assertHaveTheirClasses<Product>(_ product: Product.Type, depth: Int) {
    assertHasItsClass(product)
    if depth == 0 { return }
    assertHaveTheirClasses(Pair<Product, Int>.self, depth: depth - 1)
    assertHaveTheirClasses(Pair<Int, Product>.self, depth: depth - 1)
  }

  func testTheBoxesOfEachProductHaveAClassOfTheirOwn() {
    assertHasItsClass((any Sendable).self)
    assertHasItsClass((() -> Void).self)
    assertHaveTheirClasses(String.self, depth: 10)
  }
}
