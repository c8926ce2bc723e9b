// SPDX-License-Identifier: MIT

import Corinth
import TestSupport
import XCTest

/// A fork reads its base at one moment, whatever happens to the base later, and the base keeps no
/// more than that takes.
final class ForkVersionTests: XCTestCase {
  func testRandomProgramsAgreeWithAModelThatCopies() throws {
    try skipUnderThreadSanitizer()
    for seed in 1...UInt64(StressSize.scaled(1000)) {
      var program = ForkProgram(seed: seed)
      try program.run(steps: 80)
      let failures = testRun?.failureCount ?? 0
      program.dropForks()
      settleReclamation()
      XCTAssertEqual(program.factories.alive, program.neededFactories.count, "seed \(seed)")
      program.dropAll()
      settleReclamation()
      XCTAssertEqual(program.factories.alive, 0, "seed \(seed)")
      if failures > 0 || (testRun?.failureCount ?? 0) > 0 { return XCTFail("seed \(seed)") }
    }
  }

  /// Each override of a key used to leave a copy in each fork.
  func testOneForkBesideManyOverridesKeepsOneFactory() throws {
    try skipUnderThreadSanitizer()
    let factories = LifetimeTracker()
    let base = Container()
    func register(_ number: Int) throws {
      let factory = factories.make()
      try base.register(Int.self, scope: .singleton) { _ in
        withExtendedLifetime(factory) { number }
      }
    }
    try register(0)
    let fork = base.fork()
    for number in 1...100_000 { try register(number) }
    settleReclamation()
    XCTAssertEqual(factories.alive, 2)
    XCTAssertEqual(try fork.resolve(Int.self), 0)
    XCTAssertEqual(try base.resolve(Int.self), 100_000)
  }

  func testWhatIsKeptGoesWithTheLastForkThatNeedsIt() throws {
    let factories = LifetimeTracker()
    let base = Container()
    var forks: [Container] = []
    for number in 0..<10 {
      let factory = factories.make()
      try base.register(Int.self) { _ in withExtendedLifetime(factory) { number } }
      forks += [base.fork(), base.fork()]
    }
    settleReclamation()
    XCTAssertEqual(factories.alive, 10)
    // In the middle, at the end, and at the start.
    for (index, left) in [(10, 10), (10, 9), (16, 9), (16, 9), (0, 9), (0, 8)] {
      forks.remove(at: index)
      settleReclamation()
      XCTAssertEqual(factories.alive, left, "after fork \(index)")
    }
    for (fork, number) in zip(forks, [1, 1, 2, 2, 3, 3, 4, 4, 6, 6, 7, 7, 8, 8]) {
      XCTAssertEqual(try fork.resolve(Int.self), number)
    }
    forks = []
    settleReclamation()
    XCTAssertEqual(factories.alive, 1)
  }

  func testAForkThatHasRemovedAllHasItsBaseKeepNothing() throws {
    let factories = LifetimeTracker()
    let base = Container()
    let factory = Guarded(factories.make())
    try base.register(Int.self) { [tracked = factory.value] _ in
      withExtendedLifetime(tracked) { 1 }
    }
    factory.value = nil
    let fork = base.fork()
    var inner: Container? = fork.fork()
    fork.removeAll()
    try base.register(Int.self) { _ in 2 }
    // The inner one was made before, and still looks there.
    settleReclamation()
    XCTAssertEqual(factories.alive, 1)
    XCTAssertEqual(try inner?.resolve(Int.self), 1)
    inner = nil
    settleReclamation()
    XCTAssertEqual(factories.alive, 0)
    XCTAssertNil(try fork.resolveIfRegistered(Int.self))
  }

  func testAForkOfAForkKeepsWhatTheForkRemoves() throws {
    let base = Container()
    try base.register(Int.self) { _ in 1 }
    try base.register(String.self) { _ in "base" }
    let fork = base.fork()
    let before = fork.fork()
    fork.removeAll()
    base.removeAll()
    let after = fork.fork()
    try fork.register(Int.self) { _ in 2 }
    XCTAssertEqual(try before.resolve(Int.self), 1)
    XCTAssertEqual(try before.resolve(String.self), "base")
    XCTAssertNil(try after.resolveIfRegistered(Int.self))
    XCTAssertEqual(try fork.fork().resolve(Int.self), 2)
  }

  func testForkingAndDetachingKeepsAllRegistrations() throws {
    let base = Container()
    try base.register(Int.self) { _ in 1 }
    let copy = base.fork().fork()
    copy.detach()
    base.removeAll()
    XCTAssertEqual(try copy.resolve(Int.self), 1)
  }
}
