// SPDX-License-Identifier: MIT

import Corinth
import TestSupport
import XCTest

/// Random operations on a container and on a ``ReferenceContainer``, which must agree on each.
final class RandomizedOperationsTests: XCTestCase {
  private static let operations = 4_000
  private static let rounds = StressSize.scaled(5)

  func testAContainerDoesWhatTheModelDoes() throws {
    try skipUnderThreadSanitizer()
    for round in 0..<Self.rounds { try run(seed: UInt64(round), fingerprintBits: 64) }
  }

  func testAContainerWhoseFingerprintsCollideDoesWhatTheModelDoes() throws {
    try skipUnderThreadSanitizer()
    for round in 0..<Self.rounds { try run(seed: UInt64(round), fingerprintBits: 4) }
  }

  private func run(seed: UInt64, fingerprintBits: UInt32) throws {
    var random = SeededGenerator(seed: seed)
    var model = ReferenceContainer()
    let container = ContainerUnderTest(fingerprintBits: fingerprintBits)
    var registered: [(key: Int, serial: Int)] = []
    for step in 0..<Self.operations {
      let key = Int.random(in: 0..<ContainerUnderTest.keyCount, using: &random)
      let scopes = ContainerUnderTest.hasArgument(key) ? [.transient] : Self.scopes
      let scope = scopes.randomElement(using: &random) ?? .transient
      let expected: ReferenceContainer.Outcome
      let found: ReferenceContainer.Outcome
      let operation = Int.random(in: 0..<100, using: &random)
      switch operation {
      case 0..<20:
        let isOverridable = Int.random(in: 0..<10, using: &random) > 0
        expected = model.register(key, serial: step, scope: scope, isOverridable: isOverridable)
        found = try container.register(
          key, serial: step, scope: scope, isOverridable: isOverridable)
        if expected != .refused { registered.append((key, step)) }
      case 20..<30:
        expected = model.unregister(key)
        found = container.unregister(key)
      case 30..<40:
        guard let old = registered.suffix(100).randomElement(using: &random) else { continue }
        let scope = ContainerUnderTest.hasArgument(old.key) ? .transient : scope
        expected = model.chain(old.key, serial: old.serial, scope: scope)
        found = try container.chain(serial: old.serial, scope: scope)
      case 40..<50:
        expected = model.contains(key)
        found = container.contains(key)
      case 50:
        expected = model.removeAll()
        found = container.removeAll()
      default:
        expected = model.resolve(key)
        found = try container.resolve(key, way: operation)
      }
      guard found == expected else {
        return XCTFail(
          "seed \(seed), \(fingerprintBits) bits, step \(step), operation \(operation), "
            + "key \(key): \(found) instead of \(expected)")
      }
    }
  }

  private static let scopes: [AnyScope] = [.transient, .singleton, .weak]
}
