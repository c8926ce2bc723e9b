// SPDX-License-Identifier: MIT

import Corinth
import TestSupport
import XCTest

/// `Node<A>` needs `Node<B>` needs `Node<C>` needs `Node<A>`, in every mix of scopes.
final class CycleTests: XCTestCase {
  private func ring(_ scopes: AnyScope...) throws -> Container {
    let container = Container()
    try container.register(Node<A>.self, scope: scopes[0]) { Node(try $0.resolve(Node<B>.self)) }
    try container.register(Node<B>.self, scope: scopes[1]) { Node(try $0.resolve(Node<C>.self)) }
    try container.register(Node<C>.self, scope: scopes[2]) { Node(try $0.resolve(Node<A>.self)) }
    return container
  }

  private func assertCycle(
    _ expected: [String], file: StaticString = #filePath, line: UInt = #line,
    _ resolve: () throws -> Any
  ) {
    XCTAssertThrowsError(try resolve(), file: file, line: line) { error in
      guard case ResolutionError.circularDependencyDetected(let context) = error else {
        return XCTFail("\(error)", file: file, line: line)
      }
      XCTAssertEqual(context.path.map(\.description), expected, file: file, line: line)
    }
  }

  /// Removes the cycle and sees that no key was left behind unusable.
  private func assertUsableAfterwards(_ container: Container, line: UInt = #line) throws {
    try container.register(Node<C>.self) { _ in Node() }
    XCTAssertNotNil(try container.resolve(Node<A>.self).dependency, line: line)
    XCTAssertNotNil(try container.resolve(Node<B>.self).dependency, line: line)
    XCTAssertNil(try container.resolve(Node<C>.self).dependency, line: line)
  }

  func testACycleInAnyMixOfScopesIsReportedWithItsPathFromEachEnd() throws {
    let all = [AnyScope.transient, .singleton, .weak]
    for first in all {
      for second in all {
        for third in all {
          let container = try ring(first, second, third)
          for _ in 0..<2 {
            assertCycle(["Node<A>", "Node<B>", "Node<C>", "Node<A>"]) {
              try container.resolve(Node<A>.self)
            }
            assertCycle(["Node<B>", "Node<C>", "Node<A>", "Node<B>"]) {
              try container.resolve(Node<B>.self)
            }
            assertCycle(["Node<C>", "Node<A>", "Node<B>", "Node<C>"]) {
              try container.resolve(Node<C>.self)
            }
          }
          try assertUsableAfterwards(container)
        }
      }
    }
  }

  func testACycleAmongTwoTransientsIsReportedFromTheKeyAskedFor() throws {
    let container = Container()
    try container.register(Node<A>.self) { Node(try $0.resolve(Node<B>.self)) }
    try container.register(Node<B>.self) { Node(try $0.resolve(Node<A>.self)) }
    assertCycle(["Node<A>", "Node<B>", "Node<A>"]) { try container.resolve(Node<A>.self) }
    assertCycle(["Node<B>", "Node<A>", "Node<B>"]) { try container.resolve(Node<B>.self) }
  }

  func testThePathToACycleStartsAtTheKeyAskedForAndEntersWhereItDid() throws {
    for scope in [AnyScope.transient, .singleton] {
      let container = Container()
      try container.register(Node<D>.self, scope: scope) { Node(try $0.resolve(Node<A>.self)) }
      try container.register(Node<A>.self, scope: scope) { Node(try $0.resolve(Node<B>.self)) }
      try container.register(Node<B>.self, scope: scope) { Node(try $0.resolve(Node<A>.self)) }
      assertCycle(["Node<D>", "Node<A>", "Node<B>", "Node<A>"]) {
        try container.resolve(Node<D>.self)
      }
    }
  }

  func testARegistrationThatNeedsItselfIsACycle() throws {
    for scope in [AnyScope.transient, .singleton, .weak] {
      let container = Container()
      try container.register(Node<A>.self, scope: scope) { Node(try $0.resolve(Node<A>.self)) }
      assertCycle(["Node<A>", "Node<A>"]) { try container.resolve(Node<A>.self) }
      assertCycle(["Node<A>", "Node<A>"]) {
        try container.resolveIfRegistered(Node<A>.self) as Any
      }
      assertCycle(["Node<A>", "Node<A>"]) { try container.withResolved(Node<A>.self) { $0 } }
      assertCycle(["Node<A>", "Node<A>"]) { try container.provider(for: Node<A>.self)() }
      try container.register(Node<A>.self) { _ in Node() }
      XCTAssertNoThrow(try container.resolve(Node<A>.self))
    }
  }

  func testACycleThroughTheContainerInsteadOfTheResolverIsReported() throws {
    for scope in [AnyScope.transient, .singleton, .weak] {
      let container = Container()
      try container.register(Node<A>.self, scope: scope) {
        Node(try $0.container.resolve(Node<B>.self))
      }
      try container.register(Node<B>.self, scope: scope) {
        Node(try $0.container.resolve(Node<A>.self))
      }
      assertCycle(["Node<A>", "Node<B>", "Node<A>"]) { try container.resolve(Node<A>.self) }
    }
  }

  func testACycleOfNamesIsReported() throws {
    let container = Container()
    let count = 12
    for index in 0..<count {
      try container.register(Node<A>.self, name: Name(index)) {
        Node(try $0.resolve(Node<A>.self, name: Name((index + 1) % count)))
      }
    }
    let expected = (0...count).map { "Node<A> named \($0 % count)" }
    assertCycle(expected) { try container.resolve(Node<A>.self, name: Name(0)) }
  }

  func testTwoWaysToOneDependencyAreNotACycle() throws {
    for scope in [AnyScope.transient, .singleton, .weak] {
      let container = Container()
      try container.register(Node<C>.self, scope: scope) { _ in Node() }
      try container.register(Node<B>.self, scope: scope) { Node(try $0.resolve(Node<C>.self)) }
      try container.register(Node<A>.self, scope: scope) { resolver in
        _ = try resolver.resolve(Node<C>.self)
        _ = try resolver.resolve(Node<B>.self)
        return Node(try resolver.resolve(Node<B>.self))
      }
      XCTAssertNoThrow(try container.resolve(Node<A>.self))
    }
  }

  func testARegistrationMayUseTheSameKeyOfAnotherContainer() throws {
    let inner = Container()
    try inner.register(Node<A>.self) { _ in Node() }.as(.unchecked(.singleton))
    let outer = Container()
    try outer.register(Node<A>.self) { _ in Node(try inner.resolve(Node<A>.self)) }
      .as(.unchecked(.singleton))
    XCTAssertNotNil(try outer.resolve(Node<A>.self).dependency)
  }

  func testACycleAcrossContainersIsReported() throws {
    for scope in [AnyScope.transient, .singleton] {
      let left = Container()
      let right = Container()
      try left.register(Node<A>.self, scope: scope) { _ in Node(try right.resolve(Node<B>.self)) }
      try right.register(Node<B>.self, scope: scope) { [weak left] _ in
        Node(try left?.resolve(Node<A>.self))
      }
      assertCycle(["Node<A>", "Node<B>", "Node<A>"]) { try left.resolve(Node<A>.self) }
    }
  }

  func testAFactoryMayCatchTheCycleAndGoOn() throws {
    for scope in [AnyScope.transient, .singleton] {
      let container = Container()
      try container.register(Node<A>.self, scope: scope) { Node(try? $0.resolve(Node<B>.self)) }
      try container.register(Node<B>.self, scope: scope) { Node(try $0.resolve(Node<A>.self)) }
      XCTAssertNoThrow(try container.resolve(Node<A>.self))
      XCTAssertNoThrow(try container.resolve(Node<B>.self))
    }
  }

  func testCyclesAreReportedOnASmallStack() throws {
    for scope in [AnyScope.transient, .singleton, .weak] {
      let container = try ring(scope, scope, scope)
      try onSmallStack {
        XCTAssertThrowsError(try container.resolve(Node<A>.self))
      }
      try assertUsableAfterwards(container)
    }
  }

  func testAnEndlessRecursionWithArgumentsIsReportedOnASmallStack() throws {
    let container = Container()
    try container.register(Node<A>.self) { (resolver, number: Int) in
      Node(try resolver.resolve(Node<B>.self, arguments: number + 1))
    }
    try container.register(Node<B>.self) { (resolver, number: Int) in
      Node(try resolver.resolve(Node<C>.self, arguments: number + 1))
    }
    try container.register(Node<C>.self) { (resolver, number: Int) in
      Node(try resolver.resolve(Node<A>.self, arguments: number + 1))
    }
    let error = try onSmallStack {
      Result { _ = try container.resolve(Node<A>.self, arguments: 0) }
    }
    guard case .failure(ResolutionError.circularDependencyDetected(let context)) = error else {
      return XCTFail("\(error)")
    }
    XCTAssertEqual(
      context.path.map(\.description),
      ["A", "B", "C", "A"].map { "Node<\($0)> with arguments (Int)" })
  }
}
