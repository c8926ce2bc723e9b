// SPDX-License-Identifier: MIT

import DICDialect
import TestSupport
import XCTest

final class StressTests: XCTestCase {
  func testThreadsRegisterLoadAndUnregisterInOneContainer() throws {
    let tracker = LifetimeTracker()
    let rounds = StressSize.scaled(200)
    do {
      let container = DependencyInjectionContainer()
      container.registerSingleton([tracker.make()])
      try onThreads(8) { thread in
        for round in 0..<rounds {
          switch (thread + round) % 8 {
          case 0: container.register(tracker.make())
          case 1: container.registerThrowable { tracker.make() }
          case 2: container.register({ tracker.make() }, as: Tracked?.self)
          case 3: container.unregisterDependencies()
          case 4: container.registerSingleton([tracker.make()])
          case 5: XCTAssertEqual(container.load([Tracked].self).count, 1)
          case 6: _ = container.loadOrNil(Tracked.self)
          default:
            let found = try? container.loadOrThrow(Tracked.self)
            if let found { XCTAssertGreaterThan(found.serial, 0) }
            for (_, build) in container.dependencies() { _ = build() }
          }
        }
      }
      settleReclamation()
      // The singleton that is there.
      XCTAssertEqual(tracker.alive, 1)
    }
    settleReclamation()
    XCTAssertGreaterThan(tracker.created, 8 * rounds / 8)
    XCTAssertEqual(tracker.alive, 0)
  }

  func testAThreadThatHasRegisteredASingletonLoadsOneOfThem() throws {
    let container = DependencyInjectionContainer()
    container.register("plain")
    try onThreads(8) { thread in
      for round in 0..<StressSize.scaled(1000) {
        container.registerSingleton("\(thread)")
        XCTAssertNotEqual(container.load(String.self), "plain", "\(round)")
        container.register("plain")
      }
    }
  }

  func testThreadsBuildContainersWhileOthersRegister() throws {
    let tracker = LifetimeTracker()
    do {
      let builder = DICBuilder()
      builder.registerSingleton(tracker.make())
      builder.register { 0 }
      try onThreads(8) { thread in
        for round in 0..<StressSize.scaled(100) {
          if thread < 4 {
            builder.register { round }
            builder.registerSingleton(tracker.make())
          } else {
            let container = builder.build()
            let (first, tracked) = (container.load(Int.self), container.load(Tracked.self))
            builder.register { -1 }
            XCTAssertEqual(container.load(Int.self), first)
            XCTAssertTrue(container.load(Tracked.self) === tracked)
          }
        }
      }
    }
    settleReclamation()
    XCTAssertGreaterThan(tracker.created, 1)
    XCTAssertEqual(tracker.alive, 0)
  }

  func testThreadsLoadFromOneImmutableContainer() throws {
    let tracker = LifetimeTracker()
    let container = DICBuilder().registerSingleton(tracker.make()).register([tracker.make()])
      .build()
    let rounds = StressSize.scaled(2000)
    try onThreads(8) { _ in
      for _ in 0..<rounds {
        XCTAssertEqual(container.load(Tracked.self).serial, 1)
        XCTAssertEqual(container.load([Tracked].self).count, 1)
      }
    }
    XCTAssertEqual(tracker.created, 1 + 8 * rounds)
    XCTAssertEqual(tracker.alive, 1)
  }

  /// The singleton was registered after it was looked for, and the builder removed before.
  func testASingletonThatTakesABuildersPlaceMeanwhileIsFound() throws {
    for _ in 0..<500 {
      let container = DependencyInjectionContainer()
      container.register { Example1(value: 1) }
      let found = try onThreads(2) { index -> Bool in
        if index == 0 {
          container.registerSingleton(Example1(value: 2))
          container.unregisterDependencies()
        }
        return container.loadOrNil(Example1.self) != nil
      }
      XCTAssertEqual(found, [true, true])
    }
  }
}
