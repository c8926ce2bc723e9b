// SPDX-License-Identifier: MIT

import Corinth
import TestSupport
import XCTest

/// What is given to `register` with the factory.
final class RegistrationOptionsTests: ContainerTestCase {
  private let tracker = LifetimeTracker()
  private let log = EventLog()

  // MARK: - Each member

  func testASynchronousDisposerRuns() throws {
    try container.register(
      Tracked.self, scope: .singleton, with: .onDispose { [log] in log.add("end of \($0.serial)") }
    ) { [tracker] _ in tracker.make() }
    _ = try container.resolve(Tracked.self)
    try container.syncClose()
    XCTAssertEqual(log.entries, ["end of 1"])
  }

  func testAnAsynchronousDisposerRuns() async throws {
    try container.register(
      Tracked.self, scope: .singleton,
      with: .onDispose { [log] in
        await Task.yield()
        log.add("end of \($0.serial)")
      }
    ) { [tracker] _ in tracker.make() }
    _ = try container.resolve(Tracked.self)
    XCTAssertThrowsError(try container.syncClose())
    try await container.close()
    XCTAssertEqual(log.entries, ["end of 1"])
  }

  func testDisposersGetTheOutcomeOfTheirScope() async throws {
    try container.register(
      Tracked.self, name: "sync", scope: .scoped,
      with: .onDispose { [log] (_, outcome) in log.add("sync \(outcome.hasCompleted)") }
    ) { [tracker] _ in tracker.make() }
    try container.register(
      Tracked.self, name: "async", scope: .scoped,
      with: .onDispose { [log] (_, outcome) in
        await Task.yield()
        log.add("async \(outcome.hasCompleted)")
      }
    ) { [tracker] _ in tracker.make() }
    try await container.withScope { scope in
      _ = try scope.resolve(Tracked.self, name: "sync")
      _ = try scope.resolve(Tracked.self, name: "async")
    }
    XCTAssertEqual(log.entries, ["async true", "sync true"])
  }

  func testASynchronousActionRunsWithEachInstance() throws {
    try container.register(Int.self) { _ in 7 }
    try container.register(
      Tracked.self,
      with: .afterInit { [log] resolver, instance in
        log.add("\(instance.serial) with \(try resolver.resolve(Int.self))")
      }
    ) { [tracker] _ in tracker.make() }
    for _ in 0..<2 { _ = try container.resolve(Tracked.self) }
    XCTAssertEqual(log.entries, ["1 with 7", "2 with 7"])
  }

  func testAnAsynchronousActionMakesTheRegistrationAsynchronous() async throws {
    try container.register(
      Tracked.self, scope: .singleton,
      with: .afterInit { [log] _, instance in
        await Task.yield()
        log.add("began \(instance.serial)")
      }
    ) { [tracker] _ in tracker.make() }
    XCTAssertThrowsError(try container.resolve(Tracked.self)) {
      XCTAssertEqual($0 as? ResolutionError, .asyncResolutionRequired)
    }
    _ = try await container.resolveAsync(Tracked.self)
    XCTAssertEqual(log.entries, ["began 1"])
  }

  func testAnEagerInstanceIsBuiltByWarmUp() throws {
    try container.register(Tracked.self, scope: .singleton, with: .eager) {
      [tracker] _ in tracker.make()
    }
    XCTAssertEqual(tracker.created, 0)
    try container.syncWarmUp()
    XCTAssertEqual(tracker.created, 1)
  }

  func testAnInstanceStoresTheProductInThePlaceOfAScope() throws {
    try container.register(Tracked.self, scope: .singleton, with: .as(NoKeptProduct())) {
      [tracker] _ in tracker.make()
    }
    for serial in 1...2 { XCTAssertEqual(try container.resolve(Tracked.self).serial, serial) }
  }

  func testDeclaredDependenciesAreValidated() throws {
    try container.register(
      Tracked.self,
      with: .dependsOn(Int.self).dependsOn(keys: [RegistrationKey(product: Double.self)])
    ) { [tracker] _ in tracker.make() }
    XCTAssertThrowsError(try container.validate()) {
      let text = "\($0)"
      XCTAssertTrue(text.contains("Int") && text.contains("Double"), text)
    }
  }

  // MARK: - Order

  func testOptionsAddUpInTheirOrder() throws {
    let options = RegistrationOptions<Int>.onDispose { [log] _ in log.add("last to end") }
      .afterInit { [log] _, _ in log.add("first to begin") }
      .afterInit { [log] _, _ in log.add("second to begin") }
      .onDispose { [log] _ in log.add("first to end") }
      .eager
    try container.register(Int.self, scope: .singleton, with: options) { _ in 7 }
    try container.syncWarmUp()
    try container.syncClose()
    XCTAssertEqual(
      log.entries, ["first to begin", "second to begin", "first to end", "last to end"])
  }

  func testChainedModifiersComeAfterOptions() throws {
    try container.register(
      Int.self,
      with: .afterInit { [log] _, _ in log.add("option") }
    ) { _ in 7 }
    .afterInit { [log] _, _ in log.add("modifier") }
    _ = try container.resolve(Int.self)
    XCTAssertEqual(log.entries, ["option", "modifier"])
  }

  func testOneValueServesSeveralRegistrations() throws {
    let begin = RegistrationOptions<Int>.afterInit { [log] _, number in log.add("\(number)") }
    let beginAndAgain = begin.afterInit { [log] _, number in log.add("\(number) again") }
    try container.register(Int.self, with: begin) { _ in 1 }
    try container.register(Int.self, name: "again", with: beginAndAgain) { _ in 2 }
    _ = try container.resolve(Int.self)
    _ = try container.resolve(Int.self, name: "again")
    XCTAssertEqual(log.entries, ["1", "2", "2 again"])
  }

  // MARK: - What contradicts the scope

  func testWhatContradictsTheScopeIsThrownAtOnce() throws {
    func assertRefused(_ error: RegistrationError, _ register: () throws -> some Any) {
      XCTAssertThrowsError(try register()) { XCTAssertEqual($0 as? RegistrationError, error) }
    }
    assertRefused(.eagerRequiresSingleton) {
      try container.register(Int.self, with: .eager) { _ in 7 }
    }
    assertRefused(.eagerRequiresSingleton) {
      try container.register(Int.self, scope: .singleton, with: .eager) { (_, n: Int) in n }
    }
    assertRefused(.disposalRequiresOwner) {
      try container.register(Int.self, with: .onDispose { _ in }) { _ in 7 }
    }
    XCTAssertNil(try container.resolveIfRegistered(Int.self))
  }

  // MARK: - Each form that registers

  func testEachSynchronousFormTakesOptions() throws {
    let options = RegistrationOptions<Int>.onDispose { [log] in log.add("\($0)") }
    try container.register(Int.self, name: "1", scope: .singleton, with: options) { _ in 1 }
    try container.register(Int.self, scope: .singleton, with: options) { (_, n: Int) in n }
    try container.register(
      Int.self, name: "3", scope: .singleton, onDuplicate: .keep, with: options
    ) { _ in 3 }
    try container.register(Int.self, scope: .singleton, onDuplicate: .keep, with: options) {
      (_, text: String) in text.count
    }
    try container.register(value: 5, name: "5", with: options)
    try container.register(value: 6, as: Int.self, name: "6", with: options)
    try container.register(uncheckedValue: 7, name: "7", with: options)
    try container.contribute(to: Int.self, scope: .singleton, with: options) { _ in 8 }
    try container.contribute(to: Int.self, value: 9, with: options)
    try container.register(Int.self, name: "10") { _ in 0 }
    try container.register(
      Int.self, name: "10", scope: .singleton, onDuplicate: .require, with: options
    ) { _ in 10 }
    for name: Name in ["1", "3", "10"] { _ = try container.resolve(Int.self, name: name) }
    _ = try container.resolve(Int.self, arguments: 2)
    _ = try container.resolve(Int.self, arguments: "four")
    _ = try container.resolveAll(Int.self)
    try container.syncClose()
    XCTAssertEqual(log.entries.compactMap { Int($0) }.sorted(), Array(1...10))
  }

  func testEachAsynchronousFormTakesOptions() async throws {
    let options = RegistrationOptions<Int>.onDispose { [log] in log.add("\($0)") }
    try container.registerAsync(Int.self, name: "1", scope: .singleton, with: options) { _ in 1 }
    try container.registerAsync(Int.self, scope: .singleton, with: options) { (_, n: Int) in n }
    try container.registerAsync(
      Int.self, name: "3", scope: .singleton, onDuplicate: .keep, with: options
    ) {
      _ in 3
    }
    try container.registerAsync(Int.self, scope: .singleton, onDuplicate: .keep, with: options) {
      (_, text: String) in text.count
    }
    try container.contributeAsync(to: Int.self, scope: .singleton, with: options) { _ in 5 }
    try container.register(Int.self, name: "6") { _ in 0 }
    try container.registerAsync(
      Int.self, name: "6", scope: .singleton, onDuplicate: .require, with: options
    ) { _ in 6 }
    for name: Name in ["1", "3", "6"] {
      _ = try await container.resolveAsync(Int.self, name: name)
    }
    _ = try await container.resolveAsync(Int.self, arguments: 2)
    _ = try await container.resolveAsync(Int.self, arguments: "four")
    _ = try await container.resolveAllAsync(Int.self)
    try await container.close()
    XCTAssertEqual(log.entries.compactMap { Int($0) }.sorted(), Array(1...6))
  }

  func testEachWiredFormTakesOptions() async throws {
    let options = RegistrationOptions<WiredTo>.onDispose { [log] in log.add("\($0.number)") }
    try container.register(value: 1)
    try container.wire(WiredTo.self, scope: .singleton, with: options, using: WiredTo.init)
    try container.wire(
      WiredTo.self, arguments: Int.self, scope: .singleton, with: options, using: WiredTo.init)
    try container.wireAsync(
      WiredTo.self, name: "async", scope: .singleton, with: options, using: WiredTo.init)
    try container.wire(
      WiredTo.self, name: .element(), scope: .singleton, with: options, using: WiredTo.init)
    try container.wireAsync(
      WiredTo.self, name: .element(), scope: .singleton, with: options, using: WiredTo.init)
    _ = try container.resolve(WiredTo.self)
    _ = try container.resolve(WiredTo.self, arguments: 2)
    _ = try await container.resolveAllAsync(WiredTo.self)
    try await container.close()
    XCTAssertEqual(log.entries.sorted(), ["1", "1", "1", "1", "2"])
  }

  func testAFrozenContainersBuilderTakesOptions() async throws {
    let frozen = try ContainerBuilder()
      .configure { [log, tracker] in
        try $0.register(
          Tracked.self, scope: .singleton, with: .onDispose { log.add("\($0.serial)") }
        ) { _ in tracker.make() }
      }
      .build()
    _ = try frozen.resolve(Tracked.self)
    try await frozen.shutdown()
    XCTAssertEqual(log.entries, ["1"])
  }
}

private struct WiredTo: Sendable {
  let number: Int
}

extension ScopeOutcome {
  fileprivate var hasCompleted: Bool {
    if case .completed = self { true } else { false }
  }
}
