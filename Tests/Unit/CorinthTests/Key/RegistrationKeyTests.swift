// SPDX-License-Identifier: MIT

import Corinth
import XCTest

final class RegistrationKeyTests: XCTestCase {
  private func key<Product>(_ product: Product.Type, name: Name? = nil) -> RegistrationKey {
    key { container in try container.resolve(product, name: name) }
  }

  private func key<Product, First, each Rest>(
    _ product: Product.Type, name: Name? = nil, arguments first: First, _ rest: repeat each Rest
  ) -> RegistrationKey {
    key { container in
      try container.resolve(product, name: name, arguments: first, repeat each rest)
    }
  }

  /// The key that `resolve` does not find.
  private func key<Product>(
    _ resolve: (Container) throws -> Product
  ) -> RegistrationKey {
    do {
      _ = try resolve(Container())
    } catch let error as ResolutionError {
      return error.key
    } catch {
      XCTFail("\(error)")
    }
    preconditionFailure("RegistrationKeyTests.key: the container must be empty")
  }

  func testKeysAreEqualWhenAllPartsAre() {
    let all = [
      key(Int.self), key(Int?.self), key(Int.self, name: "a"), key(Int.self, name: Name(1)),
      key(Int.self, arguments: 1), key(Int.self, arguments: 1, 2),
      key(Int.self, name: "a", arguments: 1), key(String.self),
    ]
    for (index, left) in all.enumerated() {
      for (other, right) in all.enumerated() {
        XCTAssertEqual(left == right, index == other, "\(left), \(right)")
      }
    }
    XCTAssertEqual(Set(all + all).count, all.count)
    XCTAssertEqual(key(Int.self, name: "a"), key(Int.self, name: Name("a")))
  }

  func testAKeyIsDescribedAsMessagesShowIt() {
    XCTAssertEqual(key(Int.self).description, "Int")
    XCTAssertEqual(key((any Engine).self).description, "any Engine")
    XCTAssertEqual(key(Int?.self, name: "a").description, "Int? named \"a\"")
    XCTAssertEqual(key((any Engine)?.self).description, "(any Engine)?")
    XCTAssertEqual(key((() -> Int)?.self).description, "(() -> Int)?")
    XCTAssertEqual(key(Any?.self).description, "Any?")
    XCTAssertEqual(key([[any Engine]?].self).description, "[[any Engine]?]")
    XCTAssertEqual(
      key(Int.self, arguments: (any Engine)?.none).description,
      "Int with arguments ((any Engine)?)")
    XCTAssertEqual(key(Int.self, name: Name(7)).description, "Int named 7")
    XCTAssertEqual(key(Int.self, arguments: 1).description, "Int with arguments (Int)")
    XCTAssertEqual(
      key(Int.self, name: "a", arguments: 1, "").description,
      "Int named \"a\" with arguments (Int, String)")
  }

  func testAFunctionAsTheOnlyArgumentIsShownInParentheses() {
    let function: (Int) -> String = { "\($0)" }
    XCTAssertEqual(
      key(Int.self, arguments: function).description,
      "Int with arguments ((Int) -> String)")
  }
}
