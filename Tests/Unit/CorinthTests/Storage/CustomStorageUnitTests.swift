// SPDX-License-Identifier: MIT

import Corinth
import TestSupport
import XCTest

/// Stores one product for each resolution, and one for each tenant that is the argument.
private final class PerResolution: CustomStorage {
  private let products = Locked<[UInt64: Int]>([:])

  func get(for context: StorageContext) -> Int? { products.withLock { $0[context.resolution] } }

  func set(_ product: Int, for context: StorageContext) {
    products.withLock { $0[context.resolution] = product }
  }

  func release() { products.withLock { $0 = [:] } }
}

/// A custom scope has unit tests: contexts can be made.
final class CustomStorageUnitTests: XCTestCase {
  func testTwoContextsAreTwoResolutions() {
    let scope = PerResolution()
    let context = StorageContext()
    scope.set(1, for: context)
    XCTAssertEqual(scope.get(for: context), 1)
    XCTAssertNil(scope.get(for: StorageContext()))
    XCTAssertEqual(scope.get(for: StorageContext(resolution: context.resolution)), 1)
  }

  func testAContextHasTheArgumentsGiven() {
    XCTAssertNil(StorageContext().argument)
    XCTAssertEqual(StorageContext(argument: 7).argument as? Int, 7)
    let several = StorageContext(argument: (7, "x")).argument as? (Int, String)
    XCTAssertEqual(several?.0, 7)
    XCTAssertEqual(several?.1, "x")
  }

  func testAContextHasTheContainerGiven() throws {
    let container = Container()
    try container.register(Int.self) { _ in 1 }
    let context = StorageContext(container: container)
    XCTAssertTrue(try context.container === container)
    XCTAssertEqual(try context.resolver.resolve(Int.self), 1)
    XCTAssertThrowsError(try StorageContext().container) { XCTAssertTrue($0.is(.containerGone)) }
  }

  func testAResolutionMadeForATestIsNoOther() throws {
    let seen = Locked<[UInt64]>([])
    let container = Container()
    try container.register(Int.self) { _ in 1 }
      .as(Observer { context in seen.withLock { $0.append(context.resolution) } })
    let ids = (0..<3).map { _ in StorageContext().resolution }
    _ = try container.resolve(Int.self)
    XCTAssertEqual(Set(ids + seen.withLock { $0 }).count, 4)
  }
}

private struct Observer: CustomStorage {
  let body: @Sendable (StorageContext) -> Void

  init(_ body: @escaping @Sendable (StorageContext) -> Void) { self.body = body }

  func get(for context: StorageContext) -> Int? {
    body(context)
    return nil
  }

  func set(_ product: Int, for context: StorageContext) {}

  func release() {}
}
