// SPDX-License-Identifier: MIT

import DICDialect
import TestSupport
import XCTest

/// A type may have one registration of each kind.
final class PrecedenceTests: XCTestCase {
  @PerTest private var container = DependencyInjectionContainer()

  func testASingletonComesBeforeBuildersWhateverTheOrder() throws {
    container.registerThrowable { 1 }
    container.registerSingleton(2)
    container.register(3)
    XCTAssertEqual(container.load(Int.self), 2)
    XCTAssertEqual(container.loadOrNil(Int.self), 2)
    XCTAssertEqual(try container.loadOrThrow(Int.self), 2)
  }

  func testAPlainBuilderComesBeforeAThrowingOneWhateverTheOrder() throws {
    container.register(3)
    container.registerThrowable { 1 }
    XCTAssertEqual(container.load(Int.self), 3)
    XCTAssertEqual(container.loadOrNil(Int.self), 3)
    XCTAssertEqual(try container.loadOrThrow(Int.self), 3)
  }

  /// The library makes no array of the registered elements, which Corinth's containers do.
  func testAnArrayIsRegisteredItselfOrMissing() {
    container.registerSingleton(1)
    XCTAssertNil(container.loadOrNil([Int].self))
    container.register([2, 3])
    XCTAssertEqual(container.loadOrNil([Int].self), [2, 3])
  }

  func testUnregisteringKeepsSingletons() {
    container.registerSingleton(1)
    container.register(2)
    container.register("plain")
    container.registerThrowable { 2.5 }
    container.unregisterDependencies()
    XCTAssertEqual(container.load(Int.self), 1)
    XCTAssertNil(container.loadOrNil(String.self))
    XCTAssertNil(container.loadOrNil(Double.self))
    container.register("again")
    container.unregisterDependencies(keepingCapacity: true)
    XCTAssertNil(container.loadOrNil(String.self))
  }

  func testAPlainNilHidesAThrowingBuilderFromLoadOrNilOnly() throws {
    container.register({ nil }, as: Int?.self)
    container.registerThrowable { 9 }
    XCTAssertNil(container.loadOrNil(Int.self))
    XCTAssertEqual(try container.loadOrThrow(Int.self), 9)
  }

  /// Such a singleton hid every builder, and `load` ended the program.
  func testASingletonOfNilHidesNoBuilder() throws {
    container.registerSingleton(nil, as: Int?.self)
    XCTAssertNil(container.loadOrNil(Int.self))
    container.registerThrowable { 9 }
    XCTAssertEqual(container.load(Int.self), 9)
    XCTAssertEqual(container.loadOrNil(Int.self), 9)
    XCTAssertEqual(try container.loadOrThrow(Int.self), 9)
    container.register({ 8 }, as: Int?.self)
    XCTAssertEqual(container.load(Int.self), 8)
    XCTAssertEqual(container.load(Int?.self), nil)
  }

  func testLoadOrThrowPassesEachNilOnItsWay() throws {
    container.registerSingleton(nil, as: Int?.self)
    container.register({ nil }, as: Int?.self)
    container.registerThrowable({ 9 }, as: Int?.self)
    XCTAssertEqual(try container.loadOrThrow(Int.self), 9)
    container.registerThrowable({ nil }, as: Int?.self)
    XCTAssertThrowsError(try container.loadOrThrow(Int.self)) { error in
      XCTAssertTrue(error is DependencyInjectionContainer.InjectionLoadError)
    }
  }

  func testARegistrationOfTheTypeItselfComesBeforeThatOfItsOptional() throws {
    container.register({ 1 }, as: Int?.self)
    container.register(2)
    XCTAssertEqual(container.load(Int.self), 2)
    XCTAssertEqual(container.load(Int?.self), 1)
  }
}
