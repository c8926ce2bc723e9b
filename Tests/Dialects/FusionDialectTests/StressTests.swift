// SPDX-License-Identifier: MIT

import FusionDialect
import TestSupport
import XCTest

private final class Holder: Containerized {
  let container: Container
  @Inject var tracked: Tracked
  @Inject("own") var own: Tracked

  init(_ container: Container) {
    self.container = container
  }
}

final class StressTests: FusionTestCase {
  func testThreadsThatResolveOneSingletonBuildItOnce() throws {
    for _ in 0..<StressSize.scaled(200) {
      let container = Container()
      let tracker = LifetimeTracker()
      container.bind(.singleton, value: tracker.make())
      let serials = try onThreads(8) { _ in container.resolveAssert(Tracked.self).serial }
      XCTAssertEqual(serials, Array(repeating: 1, count: 8))
      XCTAssertEqual(tracker.created, 1)
    }
  }

  func testThreadsBindResolveInjectAndUnbindInOneContainer() throws {
    let tracker = LifetimeTracker()
    let rounds = StressSize.scaled(2000)
    do {
      let parent = Container()
      let container = Container(parent: parent)
      // What is unbound in the child is always there in its parent.
      parent.bind(.singleton, value: tracker.make())
      container.bind(.singleton, id: "own", value: tracker.make())
      let bound = AtomicCounter()
      try onThreads(8) { thread in
        let holder = Holder(container)
        for round in 0..<rounds {
          switch (thread + round) % 8 {
          case 0:
            container.bind(.singleton, id: round % 4, value: tracker.make())
            bound.add()
          case 1: container.unbind(type: Tracked.self, id: round % 4)
          case 2: container.bind(.transient, value: tracker.make())
          case 3: container.unbind(type: Tracked.self)
          case 4: XCTAssertGreaterThan(holder.tracked.serial, 0)
          case 5: XCTAssertLessThanOrEqual(holder.own.serial, tracker.created)
          case 6: _ = container.resolve(Tracked.self, id: round % 4)
          default:
            container.bind(to: [Tracked].self) { [$0.resolveAssert(Tracked.self)] }
            XCTAssertEqual(container.resolve([Tracked].self)?.count, 1)
          }
        }
      }
      XCTAssertEqual(bound.value, 8 * rounds / 8)
      XCTAssertTrue(
        container.resolve(Tracked.self, id: "own")
          === container.resolve(Tracked.self, id: "own"))
    }
    settleReclamation()
    XCTAssertGreaterThan(tracker.created, 2)
    XCTAssertEqual(tracker.alive, 0)
  }

  func testMainIsReplacedWhileOthersUseIt() throws {
    let tracker = LifetimeTracker()
    @Sendable func made() -> Container {
      let container = Container()
      container.bind(.singleton, value: tracker.make())
      return container
    }
    Container.main = made()
    let rounds = StressSize.scaled(1000)
    try onThreads(8) { thread in
      struct Reader { @Inject var tracked: Tracked }
      let reader = Reader()
      for _ in 0..<rounds {
        if thread < 2 {
          Container.main = made()
        } else {
          XCTAssertGreaterThan(reader.tracked.serial, 0)
          XCTAssertNotNil(Container.resolve(Tracked.self))
        }
      }
    }
    Container.main = Container()
    settleReclamation()
    XCTAssertGreaterThan(tracker.created, 0)
    XCTAssertEqual(tracker.alive, 0)
  }
}
