// SPDX-License-Identifier: MIT

import Corinth
import TestSupport
import XCTest

/// Chains that are deep without being cycles.
final class DepthTests: XCTestCase {
  private static let depth = 150

  /// What another container of the process is surrounded with must not take stack here.
  override class func setUp() {
    super.setUp()
    XCTAssertNoThrow(try Container().decorate(Int.self) { number, _ in number })
  }

  private func chain(_ scope: @escaping (Int) -> AnyScope) throws -> Container {
    let container = Container()
    for index in 0..<Self.depth {
      try container.register(Node<Int>.self, name: Name(index), scope: scope(index)) { resolver in
        guard index + 1 < Self.depth else { return Node() }
        return Node(try resolver.resolve(Node<Int>.self, name: Name(index + 1)))
      }
    }
    return container
  }

  private static func length(of node: Node<Int>) -> Int {
    var length = 1
    var next = node.dependency as? Node<Int>
    while let node = next {
      length += 1
      next = node.dependency as? Node<Int>
    }
    return length
  }

  private func assertResolves(_ container: Container, line: UInt = #line) throws {
    let first = Name(0)
    let length = try onSmallStack {
      Self.length(of: try container.resolve(Node<Int>.self, name: first))
    }
    XCTAssertEqual(length, Self.depth, line: line)
    let onMainThread = Self.length(of: try container.resolve(Node<Int>.self, name: first))
    XCTAssertEqual(onMainThread, Self.depth, line: line)
  }

  func testADeepChainOfTransientsResolves() throws {
    try assertResolves(try chain { _ in .transient })
  }

  func testADeepChainOfSingletonsResolves() throws {
    try assertResolves(try chain { _ in .singleton })
  }

  func testADeepChainOfWeakInstancesResolves() throws {
    try assertResolves(try chain { _ in .weak })
  }

  func testADeepChainOfAllScopesResolves() throws {
    try assertResolves(try chain { [.transient, .singleton, .weak][$0 % 3] })
  }

  func testADeepChainOfSingletonsResolvesOnTheMainThreadFirst() throws {
    let container = try chain { _ in .singleton }
    XCTAssertEqual(
      Self.length(of: try container.resolve(Node<Int>.self, name: Name(0))), Self.depth)
  }

  func testAFailureAtTheEndOfADeepChainHasTheWholePath() throws {
    for scope in [AnyScope.transient, .singleton, .weak] {
      let container = try chain { _ in scope }
      container.unregister(Node<Int>.self, name: Name(Self.depth - 1))
      let outcome = try onSmallStack {
        Result { _ = try container.resolve(Node<Int>.self, name: Name(0)) }
      }
      guard case .failure(ResolutionError.noRegistrationFound(let context)) = outcome else {
        return XCTFail("\(outcome)")
      }
      XCTAssertEqual(
        context.path.map(\.description), (0..<Self.depth).map { "Node<Int> named \($0)" })
    }
  }

  func testACycleBehindADeepChainIsReportedWithTheWholePath() throws {
    for scope in [AnyScope.transient, .singleton, .weak] {
      let container = try chain { _ in scope }
      try container.register(Node<Int>.self, name: Name(Self.depth - 1), scope: scope) {
        Node(try $0.resolve(Node<Int>.self, name: Name(Self.depth - 2)))
      }
      let outcome = try onSmallStack {
        Result { _ = try container.resolve(Node<Int>.self, name: Name(0)) }
      }
      guard case .failure(ResolutionError.circularDependencyDetected(let context)) = outcome else {
        return XCTFail("\(outcome)")
      }
      XCTAssertEqual(
        context.path.map(\.description),
        (0..<Self.depth).map { "Node<Int> named \($0)" }
          + ["Node<Int> named \(Self.depth - 2)"])
    }
  }

  func testATransientAtDepthIsNotRememberedForItsSiblings() throws {
    let container = try chain { _ in .transient }
    try container.register(Node<Int>.self, name: Name(Self.depth / 2)) { resolver in
      for _ in 0..<3 {
        _ = try resolver.resolve(Node<Int>.self, name: Name(Self.depth / 2 + 1))
      }
      return Node(try resolver.resolve(Node<Int>.self, name: Name(Self.depth / 2 + 1)))
    }
    try assertResolves(container)
  }

  /// The action of the shared instance asks for the transient that asked for it. That ends, as the
  /// instance exists by then; past the depth at which transients are recorded it was taken for a
  /// cycle.
  func testATransientThatASharedInstanceNeedsInItsTurnIsNoCycle() throws {
    let container = try chain { _ in .transient }
    let (asks, shared) = (Name(Self.depth - 1), Name("shared"))
    try container.register(Node<Int>.self, name: asks) { resolver in
      _ = try resolver.resolve(Node<Int>.self, name: shared)
      return Node()
    }
    try container.register(Node<Int>.self, name: shared, scope: .unchecked(.singleton)) { _ in
      Node()
    }
    .afterInit { resolver, _ in _ = try resolver.resolve(Node<Int>.self, name: asks) }
    try assertResolves(container)
  }

  func testARecursionWithArgumentsThatEndsResolvesOnASmallStack() throws {
    let container = Container()
    try container.register(Int.self) { (resolver, number: Int) in
      number == 0 ? 0 : try resolver.resolve(Int.self, arguments: number - 1) + 1
    }
    let sum = try onSmallStack { try container.resolve(Int.self, arguments: 100) }
    XCTAssertEqual(sum, 100)
  }
}
