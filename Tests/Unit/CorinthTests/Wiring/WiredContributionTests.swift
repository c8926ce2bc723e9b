// SPDX-License-Identifier: MIT

import Corinth
import TestSupport
import XCTest

private struct Endpoint: Sendable, Equatable {
  let text: String
}

private final class Ping: Mail {
  let host: String
  let log: Log?

  init(endpoint: Endpoint, log: Log?) {
    host = endpoint.text
    self.log = log
  }

  init() {
    host = "none"
    log = nil
  }

  static func connect(to endpoint: Endpoint) async -> Ping { Ping(endpoint: endpoint, log: nil) }
}

final class WiredContributionTests: AsyncTestCase {
  private func hosts() throws -> [String] {
    try container.resolve([any Mail].self).map(\.host)
  }

  func testTheParametersOfAContributedInitializerAreResolvedByTheirTypes() throws {
    try container.register(value: Endpoint(text: "a"))
    try container.wire((any Mail).self, name: .element(), using: Ping.init(endpoint:log:))
      .as(.singleton)
    try container.wire((any Mail).self, name: .element(), using: { Ping() })
    XCTAssertEqual(try hosts(), ["a", "none"])
    let (first, second) =
      try (container.resolveAll((any Mail).self), container.resolveAll())
      as ([any Mail], [any Mail])
    XCTAssertTrue(first[0] === second[0])
    XCTAssertFalse(first[1] === second[1])
  }

  func testAMissingParameterOfAContributionIsFoundWithoutBuildingIt() throws {
    try container.wire(
      (any Mail).self, name: .element(file: "App/Mail.swift", line: 7),
      using: Ping.init(endpoint:log:), file: "App/Mail.swift", line: 7)
    XCTAssertThrowsError(try container.validate()) { error in
      assertGolden("contribution-lacks-parameter", "\(error)")
    }
    try container.register(value: Endpoint(text: "a"))
    XCTAssertEqual(try container.validate().unknown, [])
  }

  func testAContributedValueIsOneInstanceWhoseDependenciesAreKnown() throws {
    let contribution = try container.contribute(to: Log.self, value: Log(level: 1))
    try container.contribute(to: Log.self, name: "second", value: Log(level: 2))
    try container.contribute(to: Log.self, name: "second", value: Log(level: 3))
    XCTAssertEqual(try container.resolveAll(Log.self).map(\.level), [1, 3])
    XCTAssertTrue(
      try container.resolveAll(Log.self)[0] === container.resolveAll(Log.self)[0])
    XCTAssertEqual(try container.validate().unknown, [])
    container.unregister(contribution)
    XCTAssertEqual(try container.resolveAll(Log.self).map(\.level), [3])
  }

  func testAnAsynchronousInitializerIsContributed() async throws {
    try container.registerAsync(Endpoint.self) { _ in
      await Task.yield()
      return Endpoint(text: "a")
    }
    try container.wireAsync((any Mail).self, name: .element(), using: Ping.connect(to:))
    try container.wire((any Mail).self, name: .element(), using: { Ping() })
    let elements = try await container.resolveAllAsync((any Mail).self)
    XCTAssertEqual(elements.map(\.host), ["a", "none"])
    XCTAssertThrowsError(try hosts())
  }

  func testAContributedInitializerThatThrowsFailsTheCallWithItsPath() throws {
    struct Refused: Error {}
    let refuse: @Sendable () throws -> Ping = { throw Refused() }
    try container.wire((any Mail).self, name: .element("refused"), using: refuse)
    XCTAssertThrowsError(try hosts()) { error in
      XCTAssertTrue((error as? ResolutionError)?.underlyingError is Refused, "\(error)")
    }
  }

  func testAnExpressionHasNoDependencies() throws {
    try container.register(evaluating: Endpoint(text: "a"))
    XCTAssertEqual(try container.validate().unknown, [])
    XCTAssertEqual(try container.resolve(Endpoint.self), Endpoint(text: "a"))
  }
}
