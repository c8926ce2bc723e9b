// SPDX-License-Identifier: MIT

import Corinth
import Foundation
import TestSupport
import XCTest

/// Faults that early references once had, each with its story.
///
/// `Store`'s action asks for `Catalog` and `Index`; the factories of both need `Store`, and
/// `Catalog`'s action `Index`. `Index`'s factory also needs a connection, which fails once.
final class EarlyReferenceDefectTests: StressTestCase {
  private final class Store: Part, @unchecked Sendable {}
  private final class Catalog: Part, @unchecked Sendable {}
  private final class Index: Part, @unchecked Sendable {}

  private let tracker = LifetimeTracker()
  private let rounds = StressSize.scaled(5, sanitized: 2)
  /// More often than this a factory runs only if constructions fail each other for ever.
  private static let runsAtMost = 12

  /// What happens in one container.
  private struct Course: Sendable {
    /// `Store` has its instance, and its action has begun.
    let isStoreUp = Gate()
    /// `Catalog`'s factory is about to ask for `Store`.
    let isCatalogBegun = Gate()
    let isConnected = Flag()
    let runs = AtomicCounter()

    /// - Returns: whether the connection fails.
    func connectionFails() -> Bool {
      defer { isConnected.isSet = true }
      return !isConnected.isSet
    }

    /// For `Store`'s first action: long enough for `Catalog`'s factory to wait for `Store`.
    func waitForCatalog() throws {
      if isConnected.isSet { return }
      isStoreUp.open()
      isCatalogBegun.wait()
      Thread.sleep(forTimeInterval: 0.02)
    }

    func begin(limit: Int) throws {
      // So that a test that fails comes to an end.
      if runs.add() > limit { throw Endless() }
    }
  }

  private struct Endless: Error {}

  /// The caller of `Index` may get the error of the connection, or an instance; so may the one of
  /// `Catalog`, if it came to build `Index`. Only one of them gets the error, and none another one.
  private static func check(
    _ results: [Result<Void, any Error>], _ course: Course, line: UInt = #line
  ) {
    let errors = results.compactMap { result -> (any Error)? in
      if case .failure(let error) = result { error } else { nil }
    }
    XCTAssertLessThanOrEqual(errors.count, 1, "\(errors)", line: line)
    for error in errors {
      let cause = (error as? ResolutionError)?.underlyingError
      XCTAssertTrue(cause is Refused, "\(error)", line: line)
    }
    XCTAssertLessThanOrEqual(course.runs.value, runsAtMost, line: line)
  }

  /// `Catalog` got `Store` early, and `Index` fails. `Store` is dropped for want of it, and with it
  /// `Catalog`. But `Catalog`'s action still ran, and gave itself as an early reference to those
  /// that were built again, which were dropped with it in their turn, while their actions gave
  /// themselves to the next ones: factories ran for ever. Later the action got a cycle error
  /// instead, which was the error of the innocent caller.
  func testConstructionsThatDependOnOneThatFailedComeToAnEnd() throws {
    for _ in 0..<rounds {
      let (course, limit, tracker) = (Course(), Self.runsAtMost, tracker)
      assertEnds {
        let container = Container(defaultScope: .singleton)
        try container.register(Store.self) { _ in
          try course.begin(limit: limit)
          return Store(tracker)
        }.afterInit { resolver, store in
          try course.waitForCatalog()
          store.note(try resolver.resolve(Catalog.self))
          store.note(try resolver.resolve(Index.self))
        }
        try container.register(Catalog.self) { resolver in
          try course.begin(limit: limit)
          course.isCatalogBegun.open()
          return Catalog(tracker).noting(try resolver.resolve(Store.self))
        }.afterInit { $1.note(try $0.resolve(Index.self)) }
        try container.register(Index.self) { resolver in
          try course.begin(limit: limit)
          let index = Index(tracker).noting(try resolver.resolve(Store.self))
          if course.connectionFails() { throw Refused() }
          return index
        }
        let results = try onThreads(2) { caller in
          if caller == 1 { course.isStoreUp.wait() }
          return Result {
            if caller == 0 {
              _ = try container.resolve(Index.self)
            } else {
              _ = try container.resolve(Catalog.self)
            }
          }
        }
        Self.check(results, course)
        let store = try container.resolve(Store.self)
        let (catalog, index) = (
          try container.resolve(Catalog.self), try container.resolve(Index.self)
        )
        XCTAssertEqual(store.found.suffix(2), [catalog.serial, index.serial])
        XCTAssertEqual(catalog.found, [store.serial, index.serial])
        XCTAssertEqual(index.found, [store.serial])
      }
    }
    assertNoneLeft(tracker)
  }

  /// The same in tasks.
  func testAsynchronousConstructionsThatDependOnOneThatFailedComeToAnEnd() throws {
    for _ in 0..<rounds {
      let (course, limit, tracker) = (Course(), Self.runsAtMost, tracker)
      assertEndsAsync {
        let container = Container(defaultScope: .singleton)
        let isStoreUp = AsyncGate()
        let isCatalogBegun = AsyncGate()
        try container.registerAsync(Store.self) { _ in
          try course.begin(limit: limit)
          return Store(tracker)
        }.afterInit { resolver, store in
          if !course.isConnected.isSet {
            isStoreUp.open()
            await isCatalogBegun.wait()
            try await Task.sleep(for: .milliseconds(20))
          }
          store.note(try await resolver.resolveAsync(Catalog.self))
          store.note(try await resolver.resolveAsync(Index.self))
        }
        try container.registerAsync(Catalog.self) { resolver in
          try course.begin(limit: limit)
          isCatalogBegun.open()
          let store = try await resolver.resolveAsync(Store.self)
          return Catalog(tracker).noting(store)
        }.afterInit { resolver, catalog in
          catalog.note(try await resolver.resolveAsync(Index.self))
        }
        try container.registerAsync(Index.self) { resolver in
          try course.begin(limit: limit)
          let store = try await resolver.resolveAsync(Store.self)
          if course.connectionFails() { throw Refused() }
          return Index(tracker).noting(store)
        }
        let results = try await onTasks(2) { caller in
          if caller == 1 { await isStoreUp.wait() }
          return await outcome {
            if caller == 0 {
              _ = try await container.resolveAsync(Index.self)
            } else {
              _ = try await container.resolveAsync(Catalog.self)
            }
          }
        }
        Self.check(results, course)
        let store = try await container.resolveAsync(Store.self)
        let catalog = try await container.resolveAsync(Catalog.self)
        let index = try await container.resolveAsync(Index.self)
        XCTAssertEqual(store.found.suffix(2), [catalog.serial, index.serial])
        XCTAssertEqual(catalog.found, [store.serial, index.serial])
        XCTAssertEqual(index.found, [store.serial])
      }
    }
    assertNoneLeftInTasks(tracker)
  }

  /// `Catalog` got `Store` early. `Store`'s action fails, and leaves the thread alone that builds
  /// `Catalog`. `Catalog`'s action then asks for `Index`, whose factory waits for `Catalog`: a
  /// circle. `Catalog` gave itself as an early reference, and was dropped at its end because of
  /// `Store`, and `Index` with it: both callers built again and woke each other for ever. Without
  /// the early reference, the action got a cycle error that nobody had caused. Now `Catalog` gives
  /// up and is built again, and all but the caller of `Store` get an instance.
  func testTheCallerOfAConstructionThatDependsOnAFailedOneGetsAnInstance() throws {
    for _ in 0..<rounds {
      let tracker = tracker
      assertEnds {
        let container = Container(defaultScope: .singleton)
        let (hasStore, hasFailed, isIndexBegun) = (Gate(), Gate(), Gate())
        let (isRefused, isFirst) = (Flag(true), Flag(true))
        let builder = Shared<JoinableThread<Catalog>?>(nil)
        try container.register(Store.self) { _ in Store(tracker) }
          .afterInit { resolver, store in
            guard isRefused.isSet else { return store.note(try resolver.resolve(Catalog.self)) }
            isRefused.isSet = false
            builder.value = JoinableThread { try resolver.resolve(Catalog.self) }
            hasStore.wait()
            throw Refused()
          }
        try container.register(Catalog.self) { resolver in
          Catalog(tracker).noting(try resolver.resolve(Store.self))
        }.afterInit { resolver, catalog in
          if isFirst.isSet {
            isFirst.isSet = false
            hasStore.open()
            isIndexBegun.wait()
            hasFailed.wait()
            // Long enough for `Index`'s factory to wait for this.
            Thread.sleep(forTimeInterval: 0.02)
          }
          catalog.note(try resolver.resolve(Index.self))
        }
        try container.register(Index.self) { resolver in
          isIndexBegun.open()
          return Index(tracker).noting(try resolver.resolve(Catalog.self))
        }
        let failed = JoinableThread {
          defer { hasFailed.open() }
          _ = try container.resolve(Store.self)
        }
        hasStore.wait()
        let index = try container.resolve(Index.self)
        XCTAssertThrowsError(try failed.join().get()) { error in
          XCTAssertTrue((error as? ResolutionError)?.underlyingError is Refused, "\(error)")
        }
        let catalog = try XCTUnwrap(builder.value).join().get()
        builder.value = nil
        XCTAssertTrue(try container.resolve(Catalog.self) === catalog)
        XCTAssertEqual(catalog.found, [try container.resolve(Store.self).serial, index.serial])
        XCTAssertEqual(index.found, [catalog.serial])
      }
    }
    assertNoneLeft(tracker)
  }
}
