// SPDX-License-Identifier: MIT

import Corinth
import TestSupport
import XCTest

final class CustomStorageTests: ContainerTestCase {
  private let tracker = LifetimeTracker()

  @discardableResult
  private func register(
    _ recorder: Recorder, name: Name? = nil
  ) throws -> Registration<Tracked> {
    try container.register(Tracked.self, name: name) { [tracker] _ in tracker.make() }
      .as(recorder)
  }

  private func assertCycle(line: UInt = #line, _ resolve: () throws -> Any?) {
    XCTAssertThrowsError(try resolve(), line: line) { error in
      guard case ResolutionError.circularDependencyDetected = error else {
        return XCTFail("\(error)", line: line)
      }
    }
  }

  // MARK: - Protocol

  func testACustomStorageIsAskedFirstAndGetsTheProduct() throws {
    let recorder = Recorder()
    try register(recorder)
    let built = try container.resolve(Tracked.self)
    XCTAssertEqual(recorder.names.first, "get")
    XCTAssertEqual(recorder.names.last, "set")
    XCTAssertEqual(recorder.names.filter { $0 == "set" }.count, 1)
    let calls = recorder.calls.count
    XCTAssertTrue(try container.resolve(Tracked.self) === built)
    XCTAssertEqual(recorder.names.dropFirst(calls), ["get"])
    XCTAssertEqual(tracker.created, 1)
  }

  func testTheContainerKeepsNothingItself() throws {
    try register(Recorder(keepsProducts: false))
    for serial in 1...3 {
      XCTAssertEqual(try container.resolve(Tracked.self).serial, serial)
      XCTAssertEqual(tracker.left, 0)
    }
  }

  /// The resolve that had begun an asynchronous construction used to ask the `CustomStorage` again,
  /// as its waiters do, and built for ever.
  func testAnAsynchronousResolveGetsWhatItHasBuiltFromAnInstanceThatKeepsNothing() async throws {
    try container.registerAsync(Tracked.self) { [tracker] _ in
      await Task.yield()
      return tracker.make()
    }.as(Recorder(keepsProducts: false))
    for serial in 1...3 {
      let built = try await container.resolveAsync(Tracked.self)
      XCTAssertEqual(built.serial, serial)
      XCTAssertEqual(tracker.created, serial)
    }
  }

  func testAnActionOfAnInstanceThatKeepsNothingRunsOnceForEachResolve() async throws {
    let journal = Journal()
    try container.registerAsync(Tracked.self) { [tracker] _ in tracker.make() }
      .as(Recorder(keepsProducts: false))
      .afterInit { _, tracked in journal.write("\(tracked.serial)") }
    for _ in 1...2 { _ = try await container.resolveAsync(Tracked.self) }
    XCTAssertEqual(journal.entries, ["1", "2"])
  }

  func testReleasingReachesIt() throws {
    let recorder = Recorder()
    try register(recorder)
    for end in [{ $0.release(Tracked.self) }, { $0.releaseAll() == 1 }]
      as [(Container) -> Bool]
    {
      let before = try container.resolve(Tracked.self).serial
      XCTAssertTrue(end(container))
      XCTAssertEqual(tracker.left, 0)
      XCTAssertEqual(try container.resolve(Tracked.self).serial, before + 1)
    }
  }

  func testACustomStorageMayServeAnEarlierProduct() throws {
    let recorder = Recorder()
    try register(recorder, name: "a")
    try register(recorder, name: "b")
    XCTAssertTrue(
      try container.resolve(Tracked.self, name: "a") === container.resolve(Tracked.self, name: "b"))
  }

  func testAFactoryThatThrowsSetsNothing() throws {
    let recorder = Recorder()
    try container.register(Tracked.self) { _ in throw FixtureError("no") }.as(recorder)
    XCTAssertThrowsError(try container.resolve(Tracked.self))
    XCTAssertFalse(recorder.names.contains("set"))
  }

  func testAnActionRunsBeforeTheProductIsKept() throws {
    let recorder = Recorder()
    try register(recorder).afterInit { _, _ in
      XCTAssertFalse(recorder.names.contains("set"))
    }
    _ = try container.resolve(Tracked.self)
    XCTAssertTrue(recorder.names.contains("set"))
  }

  // MARK: - Use from within

  func testAFactoryThatAsksForItselfIsACycle() throws {
    try container.register(Tracked.self) { try $0.resolve(Tracked.self) }.as(Recorder())
    assertCycle { try container.resolve(Tracked.self) }
  }

  /// The product is not kept yet, and nobody else is going to build it: waiting would never end.
  func testAnInstanceThatAsksForItsProductWhenItIsSetGetsAnError() throws {
    let container = container
    let errors = AtomicCounter()
    try register(
      Recorder { context in
        do { _ = try context.resolver.resolve(Tracked.self) } catch { errors.add() }
        do { _ = try container.resolve(Tracked.self) } catch { errors.add() }
      })
    _ = try container.resolve(Tracked.self)
    XCTAssertEqual(errors.value, 2)
    container.removeAll()
  }

  /// What goes away when another product takes its place may use the container.
  func testADeinitThatAsksForTheProductThatReplacesItDoesNotHang() throws {
    final class Nosy: Sendable {
      let body: @Sendable () -> Void
      init(_ body: @escaping @Sendable () -> Void) { self.body = body }
      deinit { body() }
    }
    let container = container
    let farewells = AtomicCounter()
    try container.register(Nosy.self) { _ in
      Nosy {
        _ = try? container.resolve(Nosy.self, name: "none")
        if farewells.add() == 1 { _ = try? container.resolve(Nosy.self) }
      }
    }.as(AlwaysNew())
    for _ in 0..<2 { _ = try container.resolve(Nosy.self) }
    container.removeAll()
    XCTAssertGreaterThan(farewells.value, 0)
  }

  /// Keeps the last product, and never serves it.
  private final class AlwaysNew<Product: Sendable>: CustomStorage, @unchecked Sendable {
    // SAFETY: products are built one at a time.
    private var last: Product?
    func get(for context: StorageContext) -> Product? { nil }
    func set(_ product: Product, for context: StorageContext) { last = product }
    func release() { last = nil }
  }
}
