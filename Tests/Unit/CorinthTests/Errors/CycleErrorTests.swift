// SPDX-License-Identifier: MIT

import Corinth
import TestSupport
import XCTest

private final class Parent {}
private final class Child {}

final class CycleErrorTests: XCTestCase {
  private func assertCycle(
    _ golden: String, line: UInt = #line, _ resolve: () throws -> Any
  ) {
    XCTAssertThrowsError(try resolve(), line: line) { error in
      guard case ResolutionError.circularDependencyDetected(let context) = error else {
        return XCTFail("\(error)", line: line)
      }
      XCTAssertNil(context.underlyingError, line: line)
      assertGolden(golden, "\(error)", line: line)
    }
  }

  private func family(_ scope: AnyScope) throws -> Container {
    let container = Container()
    try container.register(Parent.self, scope: scope) { resolver in
      _ = try resolver.resolve(Child.self, name: "first")
      return Parent()
    }
    try container.register(Child.self, name: "first", scope: scope) { resolver in
      _ = try resolver.resolve(Parent.self)
      return Child()
    }
    return container
  }

  func testACycleIsShownAsAPathThatEndsWhereItBegan() throws {
    for scope in [AnyScope.transient, .singleton, .weak] {
      let container = try family(scope)
      assertCycle("cycle") { try container.resolve(Parent.self) }
    }
  }

  func testTheWayToACycleIsAPartOfThePath() throws {
    for scope in [AnyScope.transient, .singleton, .weak] {
      let container = try family(scope)
      try container.register(String.self) { "\(try $0.resolve(Parent.self))" }
      assertCycle("cycle-entered-from-outside") { try container.resolve(String.self) }
    }
  }

  func testACycleOfOneIsShownTwice() throws {
    for scope in [AnyScope.transient, .singleton, .weak] {
      let container = Container()
      try container.register(Parent.self, scope: scope) { try $0.resolve(Parent.self) }
      assertCycle("cycle-of-one") { try container.resolve(Parent.self) }
    }
  }

  func testAnEndlessRecursionWithArgumentsIsShownOnce() throws {
    let container = Container()
    try container.register(Parent.self) { (resolver, generation: Int) in
      try resolver.resolve(Parent.self, arguments: generation + 1)
    }
    assertCycle("cycle-with-arguments") { try container.resolve(Parent.self, arguments: 0) }
  }

  func testADecoratorThatResolvesWhatItWraps() throws {
    for scope in [AnyScope.transient, .singleton, .weak] {
      let container = Container()
      try container.register(
        Parent.self, scope: scope, file: "App/Family.swift", line: 2
      ) { _ in Parent() }
      try container.decorate(Parent.self) { _, resolver in try resolver.resolve(Parent.self) }
      assertCycle("cycle-of-decorator") { try container.resolve(Parent.self) }
      container.recordDependencies()
      XCTAssertThrowsError(try container.resolve(Parent.self))
      XCTAssertThrowsError(try container.validate()) {
        XCTAssertTrue("\($0)".contains("a decorator of it resolves it"), "\($0)")
      }
    }
  }

  func testADecoratorOfAnAsynchronousProductThatResolvesWhatItWraps() async throws {
    let container = Container()
    try container.registerAsync(
      Parent.self, file: "App/Family.swift", line: 2
    ) { _ in Parent() }
    try container.decorate(Parent.self) { _, resolver in try resolver.resolve(Parent.self) }
    do {
      _ = try await container.resolveAsync(Parent.self)
      XCTFail("no error")
    } catch { assertCycle("cycle-of-decorator") { throw error } }
  }

  func testADecoratorThatClosesALongerCycleIsToldOfProviders() throws {
    let container = Container()
    try container.register(Parent.self) { _ in Parent() }
    try container.register(Child.self) { resolver in
      _ = try resolver.resolve(Parent.self)
      return Child()
    }
    try container.decorate(Parent.self) { parent, resolver in
      _ = try resolver.resolve(Child.self)
      return parent
    }
    XCTAssertThrowsError(try container.resolve(Parent.self)) {
      XCTAssertTrue("\($0)".contains("hold a provider"), "\($0)")
    }
  }
}
