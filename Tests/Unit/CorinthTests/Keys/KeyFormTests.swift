// SPDX-License-Identifier: MIT

import Corinth
import TestSupport
import XCTest

/// Keys wherever a type and a name are accepted.
final class KeyFormTests: ContainerTestCase {
  private final class Pool: Sendable {
    let label: String
    init(_ label: String = "default") { self.label = label }
  }

  private final class Log: Sendable {}

  private struct Mailer: Sendable {
    let pool: Pool
    let log: Log?
  }

  @MainActor private final class Screen {
    let title = "screen"
    init() {}
  }

  private enum App {
    static let pool: ServiceKey<Pool> = ServiceKey(scope: .singleton) { _ in Pool() }
    static let mailer: ServiceKey<Mailer> = ServiceKey(using: Mailer.init)
    static let slow: AsyncServiceKey<Pool> = AsyncServiceKey(scope: .singleton) { _ in
      await Task.yield()
      return Pool("slow")
    }
    static let slower: AsyncServiceKey<[Pool]> = AsyncServiceKey {
      [try await $0.resolveAsync(App.slow), try await $0.resolveAsync(App.pool)]
    }
    static let screen: AsyncServiceKey<Screen> = AsyncServiceKey { @MainActor _ in Screen() }
    static let first: ServiceKey<Lazy<Pool>> = ServiceKey {
      try $0.provider(for: App.second).lazy
    }
    static let second: ServiceKey<Pool> = ServiceKey(scope: .singleton) {
      _ = try $0.resolve(App.first)
      return Pool("second")
    }
    static let circle: ServiceKey<Int> = ServiceKey { try $0.resolve(App.circle) + 1 }
  }

  private final class Client {
    @Injected(App.pool, from: .current) var pool: Pool
  }

  // MARK: - Asynchronous keys

  func testAnAsynchronousKeyIsResolvedByTasks() async throws {
    let pool = try await container.resolveAsync(App.slow)
    XCTAssertEqual(pool.label, "slow")
    let other = try await container.resolveAsync(App.slow)
    XCTAssert(other === pool)
    let labels = try await container.resolveAsync(App.slower).map(\.label)
    XCTAssertEqual(labels, ["slow", "default"])
    let title = try await container.resolveAsync(App.screen).title
    XCTAssertEqual(title, "screen")
  }

  func testAnAsynchronousKeyIsReplaced() async throws {
    let fork = try container.fork { try $0.registerAsync(App.slow) { _ in Pool("fake") } }
    let labels = try await fork.resolveAsync(App.slower).map(\.label)
    XCTAssertEqual(labels, ["fake", "default"])
    XCTAssert(fork.contains(App.slow))
    XCTAssertFalse(container.contains(App.slow))
  }

  func testManyTasksGetOneInstanceOfADefault() async throws {
    for _ in 1...20 {
      let container = Container()
      try await withThrowingTaskGroup(of: Pool.self) { group in
        for _ in 1...8 { group.addTask { try await container.resolveAsync(App.slow) } }
        var pools: [Pool] = []
        for try await pool in group { pools.append(pool) }
        XCTAssertEqual(Set(pools.map(ObjectIdentifier.init)).count, 1)
      }
    }
  }

  // MARK: - Other forms

  func testAProviderResolvesAKeyAtEveryCall() async throws {
    let provider = try container.provider(for: App.pool)
    XCTAssertEqual(try provider().label, "default")
    try container.register(App.pool) { _ in Pool("mine") }
    XCTAssertEqual(try provider().label, "mine")
    container.unregister(App.pool)
    XCTAssertEqual(try provider().label, "default")
    let slow = try await container.provider(for: App.slow).callAsync()
    XCTAssertEqual(slow.label, "slow")
  }

  func testALazyValueBreaksACircleOfKeys() throws {
    let first = try container.resolve(App.first)
    XCTAssertEqual(try first.value.label, "second")
    XCTAssertThrowsError(try container.resolve(App.circle)) { error in
      XCTAssert(error.is(.circularDependencyDetected), "\(error)")
      XCTAssert("\(error)".contains("Int declared at CorinthTests/KeyFormTests"), "\(error)")
    }
  }

  func testALazyValueOfAKeyIsResolvedAtTheFirstUse() async throws {
    let pool = try container.provider(for: App.pool).lazy
    let slow = try container.provider(for: App.slow).lazy
    XCTAssertEqual(container.registrations.filter(\.isBuilt).count, 0)
    try container.register(App.pool) { _ in Pool("mine") }
    XCTAssertEqual(try pool.value.label, "mine")
    container.unregister(App.pool)
    XCTAssertEqual(try pool.value.label, "mine", "kept")
    let label = try await slow.valueAsync.label
    XCTAssertEqual(label, "slow")
    try container.register(value: 7)
    XCTAssertEqual(try container.provider(for: Int.self).lazy.value, 7, "of a type too")
  }

  func testAPropertyResolvesAKey() throws {
    let fork = try container.fork { try $0.register(App.pool) { _ in Pool("fake") } }
    XCTAssertEqual(fork.withCurrent { Client().pool.label }, "fake")
    XCTAssertEqual(container.withCurrent { Client().pool.label }, "default")
  }

  func testADecoratorOfAKeyWrapsNoOtherInstanceOfTheType() async throws {
    try container.register(Pool.self) { _ in Pool("of the type") }
    let decoration = try container.decorate(App.pool) { pool, _ in Pool("[\(pool.label)]") }
    XCTAssertEqual(try container.resolve(App.pool).label, "[default]")
    XCTAssertEqual(try container.resolve(Pool.self).label, "of the type")
    let slow = try await container.resolveAsync(App.slow)
    XCTAssertEqual(slow.label, "slow")
    try container.register(App.pool) { _ in Pool("mine") }
    XCTAssertEqual(try container.resolve(App.pool).label, "[mine]")
    XCTAssert(decoration.remove())
    XCTAssertEqual(try container.resolve(App.pool).label, "mine")
  }

  // MARK: - Initializers

  func testAnInitializersParametersAreResolvedByTheirTypes() throws {
    try container.register(Pool.self) { _ in Pool("of the type") }
    let mailer = try container.resolve(App.mailer)
    XCTAssertEqual(mailer.pool.label, "of the type")
    XCTAssertNil(mailer.log)
    XCTAssertEqual(
      container.registrations.last?.dependencies?.map(\.description),
      ["Pool", "Log"])
  }

  func testAnInitializerMayHaveAnyNumberOfParameters() throws {
    try container.register(value: 1)
    try container.register(value: "a")
    let keys: [ServiceKey<String>] = [
      ServiceKey(using: { (a: Int) in "\(a)" }),
      ServiceKey(using: { (a: Int, b: String) in "\(a)\(b)" }),
      ServiceKey(using: { (a: Int, b: String, c: Int, d: String, e: Int) in "\(a)\(b)\(c)\(d)\(e)" }
      ),
    ]
    XCTAssertEqual(try keys.map { try container.resolve($0) }, ["1", "1a", "1a1a1"])
  }

  // MARK: - Validation

  func testValidationFindsWhatAnUnusedDefaultNeeds() throws {
    XCTAssertThrowsError(try container.validate(keys: [App.mailer, App.pool])) { error in
      guard case RegistrationError.validationFailed(let report) = error else {
        return XCTFail("\(error)")
      }
      XCTAssertEqual(report.findings.map(\.kind), [.missing])
      XCTAssertEqual(report.findings.first?.path.first, App.mailer.key)
    }
    try container.register(Pool.self) { _ in Pool() }
    XCTAssert(try container.validate(keys: [App.mailer, App.pool]).findings.isEmpty)
  }

  func testValidationByBuildingReachesTheDefaultsOfDefaults() async throws {
    let missing = ServiceKey<Log> { try $0.resolve(Log.self) }
    let user = ServiceKey<[Log]> { [try $0.resolve(missing)] }
    _ = try container.validate(keys: [user])
    do {
      _ = try await container.validate(building: true)
      XCTFail("the missing type must be found")
    } catch RegistrationError.validationFailed(let report) {
      XCTAssert("\(report)".contains("Nothing is registered for Log."), "\(report)")
    }
  }
}
