// SPDX-License-Identifier: MIT

import Corinth
import TestSupport
import XCTest

private protocol Storage: AnyObject, Sendable { var serial: Int { get } }
private final class Disk: Tracked, Storage, @unchecked Sendable {}

final class ForwardingTests: ContainerTestCase {
  private let tracker = LifetimeTracker()

  @discardableResult
  private func registerDisk(
    name: Name? = nil, scope: AnyScope = .transient, onDuplicate: DuplicatePolicy? = nil
  ) throws -> Registration<Disk> {
    try container.register(Disk.self, name: name, scope: scope, onDuplicate: onDuplicate) {
      [tracker] _ in Disk(tracker)
    }
  }

  // MARK: - The same instance

  func testASharedInstanceIsTheSameUnderBothTypes() throws {
    for scope in [
      AnyScope.singleton, .weak, .cached(for: .seconds(3600)),
    ] {
      try registerDisk(scope: scope).implements((any Storage).self)
      let storage = try container.resolve((any Storage).self)
      XCTAssertTrue(try container.resolve(Disk.self) === storage, "\(scope)")
      XCTAssertTrue(try container.resolve((any Storage).self) === storage, "\(scope)")
      let lent = try container.withResolved((any Storage).self) { $0 === storage }
      XCTAssertTrue(lent, "\(scope)")
      XCTAssertTrue(try container.provider(for: (any Storage).self)() === storage, "\(scope)")
    }
  }

  func testACustomStorageIsTheSameUnderBothTypes() throws {
    try registerDisk().as(KeptProduct()).implements((any Storage).self)
    let storage = try container.resolve((any Storage).self)
    XCTAssertTrue(try container.resolve(Disk.self) === storage)
  }

  func testAGraphInstanceIsTheSameUnderBothTypesWithinAResolution() throws {
    try registerDisk(scope: .graph).implements((any Storage).self)
    try container.register(Bool.self) {
      try $0.resolve((any Storage).self) === $0.resolve(Disk.self)
    }
    XCTAssertTrue(try container.resolve(Bool.self))
    XCTAssertFalse(
      try container.resolve((any Storage).self) === container.resolve((any Storage).self))
  }

  func testAScopedInstanceIsTheSameUnderBothTypesWithinAScope() throws {
    try registerDisk(scope: .scoped).implements((any Storage).self)
    try container.syncWithScope { scope in
      XCTAssertTrue(try scope.resolve((any Storage).self) === scope.resolve(Disk.self))
    }
    XCTAssertEqual(tracker.left, 0)
  }

  func testATransientIsBuiltForEachResolve() throws {
    try registerDisk().implements((any Storage).self)
    XCTAssertEqual(try container.resolve((any Storage).self).serial, 1)
    XCTAssertEqual(try container.resolve((any Storage).self).serial, 2)
    XCTAssertEqual(tracker.left, 0)
  }

  func testAnAliasKeepsNoInstance() throws {
    try registerDisk(scope: .weak).implements((any Storage).self)
    _ = try container.resolve((any Storage).self)
    XCTAssertEqual(tracker.left, 0)
    try registerDisk(scope: .singleton)
    _ = try container.resolve((any Storage).self)
    container.release(Disk.self)
    XCTAssertEqual(tracker.left, 0)
  }

  func testTheDefaultScopeIsNotTheAliass() throws {
    let container = Container(defaultScope: .singleton)
    let tracker = tracker
    try container.register(Disk.self, scope: .transient) { _ in Disk(tracker) }
    try container.forward((any Storage).self, to: Disk.self)
    XCTAssertEqual(try container.resolve((any Storage).self).serial, 1)
    XCTAssertEqual(try container.resolve((any Storage).self).serial, 2)
  }

  func testASuperclassAndAnOptionalAndAnyAreServed() throws {
    try registerDisk(scope: .singleton).implements(Tracked.self).implements(Any.self)
      .implements(Disk?.self)
    let disk = try container.resolve(Disk.self)
    XCTAssertTrue(try container.resolve(Tracked.self) === disk)
    XCTAssertTrue(try container.resolve(Any.self) as? Disk === disk)
    let wrapped = try container.resolve(Disk?.self)
    XCTAssertTrue(wrapped === disk)
  }

  // MARK: - Names and arguments

  func testNames() throws {
    try registerDisk(name: "a", scope: .singleton).implements((any Storage).self)
    try registerDisk(name: "b", scope: .singleton)
    try container.forward((any Storage).self, name: "alias", to: Disk.self, targetName: "b")
    XCTAssertFalse(container.contains((any Storage).self))
    XCTAssertTrue(
      try container.resolve((any Storage).self, name: "a")
        === container.resolve(Disk.self, name: "a"))
    XCTAssertTrue(
      try container.resolve((any Storage).self, name: "alias")
        === container.resolve(Disk.self, name: "b"))
  }

  func testOneTypeUnderAnotherName() throws {
    try registerDisk(name: "a", scope: .singleton)
    try container.forward(Disk.self, to: Disk.self, targetName: "a")
    XCTAssertTrue(try container.resolve(Disk.self) === container.resolve(Disk.self, name: "a"))
  }

  func testArguments() throws {
    try container.register((any Shape).self, name: "square") { (_, side: Int) in
      Square(side: side)
    }
    try container.register(Square.self, scope: .singleton) { (_, side: Int, times: Int) in
      Square(side: side * times)
    }.implements((any Shape).self)
    try container.forward(
      Square.self, name: "alias", to: (any Shape).self, targetName: "square", arguments: Int.self)
    XCTAssertEqual(try container.resolve((any Shape).self, arguments: 2, 3).area, 36)
    XCTAssertEqual(try container.resolve(Square.self, name: "alias", arguments: 5).area, 25)
    XCTAssertTrue(container.contains((any Shape).self, arguments: Int.self, Int.self))
    XCTAssertThrowsError(try container.resolve((any Shape).self))
    XCTAssertTrue(container.unregister((any Shape).self, arguments: Int.self, Int.self))
    XCTAssertFalse(container.contains((any Shape).self, arguments: Int.self, Int.self))
  }

  func testOneInstancePerValueUnderBothTypes() throws {
    try container.register(Disk.self, scope: .singleton) { [tracker] (_, _: Int) in Disk(tracker) }
      .implements((any Storage).self)
    let one = try container.resolve((any Storage).self, arguments: 1)
    XCTAssertTrue(try container.resolve(Disk.self, arguments: 1) === one)
    XCTAssertFalse(try container.resolve((any Storage).self, arguments: 2) === one)
  }

  // MARK: - Asynchronous targets

  func testAnAsynchronousTarget() async throws {
    try container.registerAsync(Disk.self, scope: .singleton) { [tracker] _ in
      await Task.yield()
      return Disk(tracker)
    }.implements((any Storage).self)
    XCTAssertThrowsError(try container.resolve((any Storage).self)) { error in
      guard case ResolutionError.asyncResolutionRequired(let context) = error else {
        return XCTFail("\(error)")
      }
      XCTAssertEqual(context.key.description, "Disk")
    }
    let storage = try await container.resolveAsync((any Storage).self)
    let disk = try await container.resolveAsync(Disk.self)
    XCTAssertTrue(storage === disk)
    XCTAssertTrue(try container.resolve((any Storage).self) === disk, "ready by now")
  }
}
