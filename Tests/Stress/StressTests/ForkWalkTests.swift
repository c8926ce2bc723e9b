// SPDX-License-Identifier: MIT

import Corinth
import TestSupport
import XCTest

/// Walks over the registrations of a fork find all of them, while other threads resolve from it.
///
/// A walk used to look through the fork's own table and then its base's: a key that a resolve
/// brought into the fork in between was in neither. `validate()` passed a broken fork,
/// `removeAll(where:)` left keys, `detach()` lost them.
class ForkWalkTests: StressTestCase {
  private struct Plugin: Sendable {
    let number: Int
  }

  private struct Missing: Sendable {}

  private struct Broken: Sendable {
    init(_: Missing) {}
  }

  private let plugins = 12
  private let rounds = StressSize.scaled(1500, sanitized: 150)

  func testTheListIsComplete() throws {
    let plugins = plugins
    try walk { fork in fork.registrations.count { $0.key.product == Plugin.self } == plugins }
  }

  func testADetachedForkOfAForkHasAllRegistrations() throws {
    let plugins = plugins
    try walk { fork in
      let copy = fork.fork()
      copy.detach()
      return try copy.resolveAll(Plugin.self).count == plugins
    }
  }

  func testRemovingByAConditionLeavesNone() throws {
    try walk { fork in
      fork.removeAll { $0.key.product == Plugin.self }
      return try fork.resolveAll(Plugin.self).isEmpty
    }
  }

  func testRemovingAllHidesTheBaseFromForksOfTheForkToo() throws {
    try walk { fork in
      let before = fork.fork()
      fork.removeAll()
      return try fork.resolveAll(Plugin.self).isEmpty && !before.resolveAll(Plugin.self).isEmpty
    }
  }

  func testValidationFindsWhatIsMissing() throws {
    try walk { fork in (try? fork.validate()) == nil }
  }

  func testFreezingRefusesAnInvalidRegistration() throws {
    try walk { fork in (try? fork.freeze()) == nil }
  }

  /// Makes forks of one base, and calls `isRight` with each while two threads resolve all its keys.
  private func walk(_ isRight: (Container) throws -> Bool) throws {
    let plugins = plugins
    let base = Container()
    for number in 0..<plugins {
      try base.register(Plugin.self, name: Name(number), scope: .singleton) { _ in
        Plugin(number: number)
      }
    }
    try base.register(Broken.self) { Broken(try $0.resolve()) }
    try base.wire(Broken.self, name: "wired", using: Broken.init)
    // A transient that is eager contradicts itself.
    try base.register(Missing.self, name: "eager") { _ in Missing() }.eager()

    let current = Guarded<Container>()
    let isOver = Flag()
    let threads = (0..<2).map { index in
      JoinableThread {
        while !isOver.isSet {
          guard let fork = current.value else { continue }
          for number in 0..<plugins {
            let name = Name((number * 5 + index * 3) % plugins)
            _ = try fork.resolveIfRegistered(Plugin.self, name: name)
          }
          _ = try? fork.resolve(Broken.self)
          _ = try? fork.resolve(Broken.self, name: "wired")
          _ = try? fork.resolve(Missing.self, name: "eager")
        }
      }
    }
    defer {
      isOver.isSet = true
      for thread in threads { XCTAssertNoThrow(try thread.join().get()) }
    }
    var wrong = 0
    for _ in 0..<rounds {
      let fork = base.fork()
      current.value = fork
      if try !isRight(fork) { wrong += 1 }
    }
    XCTAssertEqual(wrong, 0, "of \(rounds)")
  }
}
