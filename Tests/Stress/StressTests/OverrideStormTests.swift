// SPDX-License-Identifier: MIT

import Corinth
import TestSupport
import XCTest

/// While one thread overrides a key again and again, what others resolve belongs to a registration
/// that was current at some moment of their call, and what was replaced goes away.
class OverrideStormTests: ContainerTestCase {
  func testSingletons() throws { try storm(scopes: [.singleton]) }

  func testTransients() throws { try storm(scopes: [.transient]) }

  func testWeakInstances() throws { try storm(scopes: [.weak]) }

  func testAllScopesInTurn() throws { try storm(scopes: allScopes) }

  /// Long enough for what each override might leave behind, hundreds of bytes, to come to more than
  /// what a thread that is kept waiting in a section delays.
  func testMemoryStaysFlat() throws {
    try XCTSkipIf(isSanitized, "sanitizers keep freed memory")
    let overrides = StressSize.scaled(20_000)
    try storm(scopes: allScopes, overrides: overrides / 5)
    settleReclamation()
    try assertMemoryInUse(growsByAtMost: (256 << 10) + 8 * overrides) {
      try storm(scopes: allScopes, overrides: overrides)
      settleReclamation()
    }
  }

  private let allScopes: [AnyScope] = [.singleton, .transient, .weak]

  private func storm(
    scopes: [AnyScope], overrides: Int = StressSize.scaled(20_000, sanitized: 1500)
  ) throws {
    let container = makeContainer()
    let instances = LifetimeTracker()
    let factories = LifetimeTracker()
    let generations = Generations()
    @Sendable func register(_ generation: Int) throws {
      let capture = factories.make()
      try container.register(
        Instance.self, name: "key", scope: scopes[generation % scopes.count]
      ) { _ in
        withExtendedLifetime(capture) { Instance(instances, generation: generation) }
      }
    }

    try generations.advance(register)
    let provider = try container.provider(for: Instance.self, name: "key")
    try besideAWriter(readers: 6, rounds: overrides) { _ in
      try generations.advance(register)
    } read: { index in
      try generations.check {
        switch index % 3 {
        case 0: try container.resolve(Instance.self, name: "key").generation
        case 1: try provider().generation
        default: try container.withResolved(Instance.self, name: "key") { $0.generation }
        }
      }
    }
    settleReclamation()
    XCTAssertEqual(factories.alive, 1, "replaced registrations are left")
    XCTAssertLessThanOrEqual(instances.alive, 1, "instances of replaced registrations are left")
    container.removeAll()
    assertNoneLeft(factories)
    assertNoneLeft(instances)
  }
}
