// SPDX-License-Identifier: MIT

import Corinth
import Synchronization
import XCTest

/// Stores one product for each resolution, and one for each tenant that is the argument.
private final class PerResolution: Instance {
  private let products = Mutex<[UInt64: Int]>([:])

  func get(for context: InstanceContext) -> Int? { products.withLock { $0[context.resolution] } }

  func set(_ product: Int, for context: InstanceContext) {
    products.withLock { $0[context.resolution] = product }
  }

  func release() { products.withLock { $0 = [:] } }
}

/// A custom scope has unit tests: contexts can be made.
final class InstanceUnitTests: XCTestCase {
  func testTwoContextsAreTwoResolutions() {
    let scope = PerResolution()
    let context = InstanceContext()
    scope.set(1, for: context)
    XCTAssertEqual(scope.get(for: context), 1)
    XCTAssertNil(scope.get(for: InstanceContext()))
    XCTAssertEqual(scope.get(for: InstanceContext(resolution: context.resolution)), 1)
  }

  func testAContextHasTheArgumentsGiven() {
    XCTAssertNil(InstanceContext().argument)
    XCTAssertEqual(InstanceContext(argument: 7).argument as? Int, 7)
    let several = InstanceContext(argument: (7, "x")).argument as? (Int, String)
    XCTAssertEqual(several?.0, 7)
    XCTAssertEqual(several?.1, "x")
  }

  func testAContextHasTheContainerGiven() throws {
    let container = Container()
    try container.register(Int.self) { _ in 1 }
    let context = InstanceContext(container: container)
    XCTAssertTrue(try context.container === container)
    XCTAssertEqual(try context.resolver.resolve(Int.self), 1)
    XCTAssertThrowsError(try InstanceContext().container) { XCTAssertTrue($0.is(.containerGone)) }
  }

  func testAResolutionMadeForATestIsNoOther() throws {
    let seen = Mutex<[UInt64]>([])
    let container = Container()
    try container.register(Int.self) { _ in 1 }
      .as(Observer { context in seen.withLock { $0.append(context.resolution) } })
    let ids = (0..<3).map { _ in InstanceContext().resolution }
    _ = try container.resolve(Int.self)
    XCTAssertEqual(Set(ids + seen.withLock { $0 }).count, 4)
  }
}

private struct Observer: Instance {
  let body: @Sendable (InstanceContext) -> Void

  init(_ body: @escaping @Sendable (InstanceContext) -> Void) { self.body = body }

  func get(for context: InstanceContext) -> Int? {
    body(context)
    return nil
  }

  func set(_ product: Int, for context: InstanceContext) {}

  func release() {}
}
