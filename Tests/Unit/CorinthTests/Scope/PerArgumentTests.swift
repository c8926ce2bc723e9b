// SPDX-License-Identifier: MIT

import Corinth
import TestSupport
import XCTest

/// Unequal values, all with one hash.
private struct Colliding: Hashable, Sendable {
  let value: Int
  func hash(into hasher: inout Hasher) {}
}

/// Equal to others with the same text, whatever its case.
private struct CaseInsensitive: Hashable, Sendable {
  let text: String
  static func == (left: Self, right: Self) -> Bool {
    left.text.lowercased() == right.text.lowercased()
  }
  func hash(into hasher: inout Hasher) { hasher.combine(text.lowercased()) }
}

/// One instance for each value of the arguments.
final class PerArgumentTests: ContainerTestCase {
  private let tracker = LifetimeTracker()
  private let kept: [AnyScope] = [.singleton, .weak, .scoped, .cached(for: .seconds(3600))]

  /// Asks a new scope below a new container in which `register` registers.
  private func inScope(
    _ register: (Container, LifetimeTracker) throws -> Void,
    _ body: (Container, LifetimeTracker) throws -> Void
  ) throws {
    let tracker = LifetimeTracker()
    let container = Container()
    try register(container, tracker)
    try container.syncWithScope { try body($0, tracker) }
    container.removeAll()
    XCTAssertEqual(tracker.left, 0)
  }

  func testOneInstanceForEachValue() throws {
    for scope in kept {
      try inScope { container, tracker in
        try container.register(Tracked.self, scope: scope) { (_, _: Int) in tracker.make() }
      } _: { asked, tracker in
        let instances = try (0..<50).map { try asked.resolve(Tracked.self, arguments: $0) }
        for (value, instance) in instances.enumerated() {
          XCTAssertTrue(
            try asked.resolve(Tracked.self, arguments: value) === instance, "\(scope)")
        }
        XCTAssertEqual(tracker.created, 50)
      }
    }
  }

  func testAGraphInstanceForEachValueWithinAResolution() throws {
    try container.register(Tracked.self, scope: .graph) { [tracker] (_, _: Int) in tracker.make() }
    try container.register([Tracked].self) { resolver in
      try [1, 2, 1, 2].map { try resolver.resolve(Tracked.self, arguments: $0) }
    }
    let serials = try container.resolve([Tracked].self).map(\.serial)
    XCTAssertEqual(serials, [1, 2, 1, 2])
    XCTAssertEqual(try container.resolve(Tracked.self, arguments: 1).serial, 3)
  }

  func testACustomStorageForEachValue() throws {
    try container.register(Tracked.self) { [tracker] (_, _: Int) in tracker.make() }
      .as(PerValue<Tracked>())
    let one = try container.resolve(Tracked.self, arguments: 1)
    XCTAssertTrue(try container.resolve(Tracked.self, arguments: 1) === one)
    XCTAssertFalse(try container.resolve(Tracked.self, arguments: 2) === one)
  }

  func testATransientIsBuiltForEachResolve() throws {
    try container.register(Tracked.self) { [tracker] (_, _: Int) in tracker.make() }
    XCTAssertFalse(
      try container.resolve(Tracked.self, arguments: 1)
        === container.resolve(Tracked.self, arguments: 1))
  }

  // MARK: - Equality

  func testUnequalValuesOfOneHashHaveInstancesOfTheirOwn() throws {
    for scope in kept + [.graph] {
      try inScope { container, tracker in
        try container.register(Tracked.self, scope: scope) { (_, _: Colliding) in
          tracker.make()
        }
        try container.register([Tracked].self) { resolver in
          try (0..<20).flatMap { value in
            try (0..<2).map { _ in
              try resolver.resolve(Tracked.self, arguments: Colliding(value: value))
            }
          }
        }
      } _: { asked, tracker in
        let instances = try asked.resolve([Tracked].self)
        for pair in 0..<20 {
          XCTAssertTrue(instances[2 * pair] === instances[2 * pair + 1], "\(scope)")
        }
        XCTAssertEqual(tracker.created, 20, "\(scope)")
      }
    }
  }

  func testEqualValuesShareAnInstanceHoweverTheyLook() throws {
    for scope in kept {
      try inScope { container, tracker in
        try container.register(Tracked.self, scope: scope) { (_, _: CaseInsensitive) in
          tracker.make()
        }
      } _: { asked, _ in
        let instance = try asked.resolve(
          Tracked.self, arguments: CaseInsensitive(text: "corinth"))
        XCTAssertTrue(
          try asked.resolve(Tracked.self, arguments: CaseInsensitive(text: "CORINTH"))
            === instance)
      }
    }
  }

  func testAllArgumentsCount() throws {
    for scope in kept {
      try inScope { container, tracker in
        try container.register(Tracked.self, scope: Scope(scope)) {
          (_, _: Int, _: String, _: [Int: Bool]) in tracker.make()
        }
      } _: { asked, tracker in
        var instances: [Tracked] = []
        for left in [1, 2] {
          for middle in ["1", "2"] {
            for right in [[1: true], [1: false]] {
              let instance = try asked.resolve(Tracked.self, arguments: left, middle, right)
              XCTAssertTrue(
                try asked.resolve(Tracked.self, arguments: left, middle, right) === instance)
              instances.append(instance)
            }
          }
        }
        XCTAssertEqual(tracker.created, 8)
      }
    }
  }

  /// As `AnyHashable`, 1 and 1.0 are equal: the types of the arguments tell the registrations
  /// apart.
  func testTypesAreApart() throws {
    try container.register(Tracked.self, scope: .singleton) { [tracker] (_, _: Int) in
      tracker.make()
    }
    try container.register(Tracked.self, scope: .singleton) { [tracker] (_, _: Double) in
      tracker.make()
    }
    XCTAssertFalse(
      try container.resolve(Tracked.self, arguments: 1)
        === container.resolve(Tracked.self, arguments: 1.0))
  }

  func testAnOptionalArgumentMayBeNone() throws {
    try container.register(Tracked.self, scope: .singleton) { [tracker] (_, _: Int?, _: Int) in
      tracker.make()
    }
    let none = try container.resolve(Tracked.self, arguments: Int?.none, 1)
    XCTAssertTrue(try container.resolve(Tracked.self, arguments: Int?.none, 1) === none)
    XCTAssertFalse(try container.resolve(Tracked.self, arguments: Int?.some(1), 1) === none)
  }

  func testNamesAreApart() throws {
    for name: Name in ["a", "b"] {
      try container.register(Tracked.self, name: name, scope: .singleton) {
        [tracker] (_, _: Int) in tracker.make()
      }
    }
    XCTAssertFalse(
      try container.resolve(Tracked.self, name: "a", arguments: 1)
        === container.resolve(Tracked.self, name: "b", arguments: 1))
  }

  // MARK: - Building

  func testTheFactoryGetsTheValue() throws {
    try container.register(String.self, scope: .singleton) { (_, count: Int, text: String) in
      String(repeating: text, count: count)
    }
    XCTAssertEqual(try container.resolve(String.self, arguments: 3, "ab"), "ababab")
    XCTAssertEqual(try container.resolve(String.self, arguments: 1, "x"), "x")
  }

  func testAFailureConcernsItsValueOnly() throws {
    let attempts = AtomicCounter()
    try container.register(Int.self, scope: .singleton) { (_, value: Int) in
      if value < 0, attempts.add() == 1 { throw FixtureError("negative") }
      return value
    }
    XCTAssertThrowsError(try container.resolve(Int.self, arguments: -1))
    XCTAssertEqual(try container.resolve(Int.self, arguments: 1), 1)
    XCTAssertEqual(try container.resolve(Int.self, arguments: -1), -1)
  }

  func testOneValueMayNeedAnother() throws {
    try container.register(Int.self, scope: .singleton) { (resolver, value: Int) in
      value < 2
        ? value
        : try resolver.resolve(Int.self, arguments: value - 1)
          + resolver.resolve(Int.self, arguments: value - 2)
    }
    XCTAssertEqual(try container.resolve(Int.self, arguments: 40), 102_334_155)
  }

  func testAValueThatNeedsItselfIsACycle() throws {
    try container.register(Int.self, scope: .singleton) { (resolver, value: Int) in
      try resolver.resolve(Int.self, arguments: (value + 1) % 3)
    }
    XCTAssertThrowsError(try container.resolve(Int.self, arguments: 0)) { error in
      guard case ResolutionError.circularDependencyDetected = error else {
        return XCTFail("\(error)")
      }
    }
  }
}

/// Keeps one product for each value of an `Int` argument.
private final class PerValue<Product: Sendable>: CustomStorage, @unchecked Sendable {
  // SAFETY: only touched with the lock held.
  private var products: [Int: Product] = [:]
  private let lock = NSLock()

  func get(for context: StorageContext) -> Product? {
    lock.withLock { (context.argument as? Int).flatMap { products[$0] } }
  }

  func set(_ product: Product, for context: StorageContext) {
    lock.withLock { if let value = context.argument as? Int { products[value] = product } }
  }

  func release() { lock.withLock { products = [:] } }
}
