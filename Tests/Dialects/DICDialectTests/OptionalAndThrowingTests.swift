// SPDX-License-Identifier: MIT

import DICDialect
import TestSupport
import XCTest

final class OptionalAndThrowingTests: XCTestCase {
  @PerTest private var container = DependencyInjectionContainer()

  func testAFailableInitializerServesTheOptionalAndTheTypeItself() throws {
    container.register(Even(4))
    XCTAssertEqual(container.load(Even?.self), Even(4))
    XCTAssertEqual(container.load(Even.self), Even(4))
    XCTAssertEqual(container.loadOrNil(Even.self), Even(4))
    XCTAssertEqual(try container.loadOrThrow(Even.self), Even(4))
  }

  func testAFailableInitializerThatFailsIsNil() {
    container.register(Even(3))
    XCTAssertNil(container.load(Even?.self))
    XCTAssertNil(container.loadOrNil(Even.self))
    XCTAssertThrowsError(try container.loadOrThrow(Even.self))
    XCTAssertNil(try container.loadOrThrow(Even?.self))
  }

  func testLoadingAnOptionalTellsNilFromMissing() {
    container.register(Even(3))
    XCTAssertEqual(container.loadOrNil(Even?.self).map { $0 == nil }, true)
    XCTAssertEqual(container.loadOrNil(String?.self).map { $0 == nil }, nil)
  }

  func testATypeDoesNotServeItsOptional() {
    container.register(1)
    container.registerSingleton("a")
    container.registerThrowable { 2.5 }
    XCTAssertEqual(container.loadOrNil(Int?.self).map { $0 == nil }, nil)
    XCTAssertEqual(container.loadOrNil(String?.self).map { $0 == nil }, nil)
    XCTAssertEqual(container.loadOrNil(Double?.self).map { $0 == nil }, nil)
    XCTAssertThrowsError(try container.loadOrThrow(Int?.self))
  }

  func testSingletonsOfOptionalsServeTheTypeItself() {
    container.registerSingleton(Even(4))
    XCTAssertEqual(container.load(Even.self), Even(4))
    XCTAssertEqual(container.load(Even?.self), Even(4))
  }

  func testAThrowingBuilderThatSucceedsIsLoadedByAll() throws {
    container.registerThrowable { try Example1(value: XCTUnwrap(1)) }
    XCTAssertEqual(container.load(Example1.self).value, 1)
    XCTAssertEqual(container.loadOrNil(Example1.self)?.value, 1)
    XCTAssertEqual(try container.loadOrThrow(Example1.self).value, 1)
  }

  func testTheErrorOfABuilderComesOutAsItIs() {
    container.registerThrowable { try refused(Int.self) }
    container.registerThrowable(try refused(String.self, reason: "other"))
    XCTAssertThrowsError(try container.loadOrThrow(Int.self)) {
      XCTAssertEqual($0 as? Refusal, Refusal())
    }
    XCTAssertThrowsError(try container.loadOrThrow(String.self)) {
      XCTAssertEqual($0 as? Refusal, Refusal(reason: "other"))
    }
    XCTAssertNil(container.loadOrNil(Int.self))
    XCTAssertNil(container.loadOrNil(String.self))
  }

  func testTheErrorOfANestedBuilderComesOutAsItIs() {
    container.registerThrowable { try refused(Int.self) }
    container.registerThrowable { [unowned container] in
      "\(try container.loadOrThrow(Int.self))"
    }
    container.registerThrowable { [unowned container] in
      try container.loadOrThrow(Double.self) + 1
    }
    container.registerThrowable({ [unowned container] in
      Float(try container.loadOrThrow(Int8.self))
    })
    XCTAssertThrowsError(try container.loadOrThrow(String.self)) {
      XCTAssertEqual($0 as? Refusal, Refusal())
    }
    XCTAssertThrowsError(try container.loadOrThrow(Float.self)) {
      XCTAssertTrue($0 is DependencyInjectionContainer.InjectionLoadError, "\($0)")
    }
  }

  func testAnOptionalWhoseBuilderThrowsIsNil() {
    container.registerThrowable({ try refused() }, as: Even?.self)
    XCTAssertNil(container.load(Even?.self))
    XCTAssertEqual(container.loadOrNil(Even?.self).map { $0 == nil }, true)
    XCTAssertNil(container.loadOrNil(Even.self))
    for load in [
      { try self.container.loadOrThrow(Even?.self) as Any? },
      { try self.container.loadOrThrow(Even.self) },
    ] {
      XCTAssertThrowsError(try load()) { XCTAssertEqual($0 as? Refusal, Refusal()) }
    }
  }

  /// It was `.some(nil)`, as if a builder had made an optional that is `nil`.
  func testAnOptionalOfAnOptionalWhoseBuilderThrowsIsTheOuterNil() {
    container.registerThrowable({ try refused() }, as: Even??.self)
    if case .some(.some) = container.loadOrNil(Even??.self) { XCTFail("the inner one") }
    XCTAssertTrue(container.load(Even??.self) == nil)
  }

  func testAnImmutableContainerTreatsSuchAnOptionalAlike() {
    let container = DICBuilder().registerThrowable({ try refused() }, as: Even?.self).build()
    XCTAssertNil(container.load(Even?.self))
    XCTAssertEqual(container.loadOrNil(Even?.self).map { $0 == nil }, true)
    XCTAssertNil(container.loadOrNil(Even.self))
  }
}
