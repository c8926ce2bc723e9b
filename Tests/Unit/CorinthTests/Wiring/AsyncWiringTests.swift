// SPDX-License-Identifier: MIT

import Corinth
import TestSupport
import XCTest

private final class Pool: Sendable {
  let host: String
  init(host: String, log: Log) async throws {
    await Task.yield()
    if host.isEmpty { throw FixtureError("no host") }
    self.host = host
  }
}

/// Its dependencies may be synchronous and asynchronous.
private final class Repository: Sendable {
  let pool: Pool
  let log: Log?
  init(pool: Pool, log: Log?) {
    self.pool = pool
    self.log = log
  }
}

@MainActor private final class Screen {
  let log: Log
  init(log: Log) { self.log = log }
}

private final class Both: Sendable {
  let isAsynchronous: Bool
  init(log: Log) { isAsynchronous = false }
  init(log: Log) async { isAsynchronous = true }
}

final class AsyncWiringTests: AsyncTestCase {
  override func setUp() {
    super.setUp()
    XCTAssertNoThrow(try container.register(Log.self) { _ in Log() }.as(.singleton))
    XCTAssertNoThrow(try container.register(String.self) { _ in "local" })
  }

  func testAnAsynchronousInitializerIsWired() async throws {
    try container.wireAsync(Pool.self, using: Pool.init).as(.singleton)
    let first = try await container.resolveAsync(Pool.self)
    let second = try await container.resolveAsync(Pool.self)
    XCTAssertEqual(first.host, "local")
    XCTAssertTrue(first === second)
  }

  func testASynchronousInitializerMayHaveAsynchronousDependencies() async throws {
    try container.wireAsync(Pool.self, using: Pool.init)
    try container.wireAsync(Repository.self, using: Repository.init)
    let repository = try await container.resolveAsync(Repository.self)
    XCTAssertEqual(repository.pool.host, "local")
    XCTAssertNotNil(repository.log)
  }

  func testAnOptionalParameterIsNilWhenNothingIsRegistered() async throws {
    container.unregister(Log.self)
    try container.registerAsync(Pool.self) { _ in try await Pool(host: "x", log: Log()) }
    try container.wireAsync(Repository.self, using: Repository.init)
    let repository = try await container.resolveAsync(Repository.self)
    XCTAssertNil(repository.log)
  }

  func testAnInitializerOfTheMainActorIsWired() async throws {
    try container.wireAsync(Screen.self, using: Screen.init)
    let screen = try await container.resolveAsync(Screen.self)
    let log = try container.resolve(Log.self)
    await MainActor.run { XCTAssertTrue(screen.log === log) }
  }

  func testEachRegisterPicksItsOwnOfTwoInitializers() async throws {
    try container.wire(Both.self, name: "plain", using: Both.init)
    try container.wireAsync(Both.self, using: Both.init)
    let plain = try container.resolve(Both.self, name: "plain")
    XCTAssertFalse(plain.isAsynchronous)
    _ = try await container.resolveAsync(Both.self)
  }

  func testTheInitializersErrorIsThrownWithItsPath() async throws {
    try container.register(String.self) { _ in "" }
    try container.wireAsync(Pool.self, using: Pool.init)
    try container.wireAsync(Repository.self, using: Repository.init)
    await assertThrows { [container] in
      try await container.resolveAsync(Repository.self)
    } _: { error in
      let error = error as? ResolutionError
      XCTAssertEqual(error?.underlyingError as? FixtureError, FixtureError("no host"))
      XCTAssertEqual(error?.path.map(\.description), ["Repository", "Pool"])
    }
  }

  func testDerivedParametersAreResolvedAsynchronously() async throws {
    struct Views: Sendable {
      let all: [Pool]
      let named: Named<Pool, Backup>
      let lazy: Lazy<Pool>
      let absent: Lazy<Double>?
    }
    try container.wireAsync(Pool.self, using: Pool.init).as(.singleton)
    try container.wireAsync(Pool.self, name: "backup", using: Pool.init).as(.singleton)
    try container.wireAsync(Views.self, using: Views.init)
    let views = try await container.resolveAsync(Views.self)
    XCTAssertEqual(views.all.count, 2)
    XCTAssertTrue(views.named.value === views.all[1])
    let value = try await views.lazy.valueAsync
    XCTAssertTrue(value === views.all[0])
    XCTAssertNil(views.absent)
  }

  func testArgumentsAreMixedIntoAsynchronousInitializers() async throws {
    struct User: Sendable, Equatable {
      let id: Int
      let host: String
      let note: String?
      init(id: Int, host: String, note: String?) async {
        (self.id, self.host, self.note) = (id, host, note)
      }
    }
    try container.wireAsync(
      User.self, arguments: Int.self, String?.self, using: User.init)
    let first = try await container.resolveAsync(User.self, arguments: 7, String?.none)
    let second = try await container.resolveAsync(User.self, arguments: 8, String?.some("a"))
    XCTAssertEqual([first.id, second.id], [7, 8])
    XCTAssertEqual([first.host, second.host], ["local", "local"])
    XCTAssertEqual([first.note, second.note], [nil, "a"])
  }
}
