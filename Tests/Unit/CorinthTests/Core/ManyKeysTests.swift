// SPDX-License-Identifier: MIT

import Corinth
import TestSupport
import XCTest

final class ManyKeysTests: XCTestCase {
  private func fill(_ container: Container, _ count: Int) throws {
    for index in 0..<count {
      switch index % 3 {
      case 0: try container.register(Int.self, name: Name(index)) { _ in index }
      case 1:
        try container.register(Int.self, name: "text \(index)", scope: .singleton) { _ in index }
      default:
        try container.register(Int.self, name: Name(index)) { (_, addend: Int) in index + addend }
      }
    }
  }

  private func resolve(_ index: Int, from container: Container) throws -> Int {
    switch index % 3 {
    case 0: try container.resolve(Int.self, name: Name(index))
    case 1: try container.resolve(Int.self, name: "text \(index)")
    default: try container.resolve(Int.self, name: Name(index), arguments: 0)
    }
  }

  private func assertAllFound(_ container: Container, _ count: Int) throws {
    for _ in 0..<2 {
      for index in 0..<count {
        XCTAssertEqual(try resolve(index, from: container), index)
      }
    }
    for index in count..<count + 100 {
      XCTAssertThrowsError(try resolve(index, from: container))
    }
    XCTAssertThrowsError(try container.resolve(Int.self))
  }

  func testTenThousandKeysAreAllFound() throws {
    let container = Container()
    try fill(container, 10_000)
    try assertAllFound(container, 10_000)
  }

  func testKeysWhoseFingerprintsCollideAreAllFound() throws {
    for bits: UInt32 in [1, 4, 8] {
      let container = Container(fingerprintBits: bits)
      try fill(container, 2_000)
      try assertAllFound(container, 2_000)
    }
  }

  func testKeysRegisteredWhileTheRegistryGrowsStayFound() throws {
    let container = Container()
    for index in 0..<1_000 {
      try container.register(Int.self, name: Name(index)) { _ in index }
      XCTAssertEqual(try container.resolve(Int.self, name: Name(index)), index)
      XCTAssertEqual(try container.resolve(Int.self, name: Name(index / 2)), index / 2)
    }
  }

  func testAnErrorAmongManyKeysListsFewNearMisses() throws {
    let container = Container()
    for index in 0..<10_000 {
      try container.register(Int.self, name: Name(index)) { _ in index }
    }
    XCTAssertThrowsError(try container.resolve(Int.self)) { error in
      let lines = "\(error)".split(separator: "\n")
      XCTAssertEqual(lines.count, 7)
      XCTAssertTrue(lines.last?.contains("and more") == true, "\(error)")
    }
  }

  func testManyOverridesOfOneKeyKeepNothing() throws {
    let container = Container()
    let tracker = LifetimeTracker()
    for serial in 1...1_000 {
      try container.register(Tracked.self) { _ in tracker.make() }.as(.singleton)
      XCTAssertEqual(try container.resolve(Tracked.self).serial, serial)
    }
    XCTAssertEqual(tracker.alive, 1)
    // Threads of other tests may have retired something that they have not looked at since.
    settleReclamation()
    let counts = Reclamation.counts
    XCTAssertEqual(counts.retired, counts.destroyed)
  }
}
