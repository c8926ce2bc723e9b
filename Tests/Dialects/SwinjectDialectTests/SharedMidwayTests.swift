// SPDX-License-Identifier: MIT

import SwinjectDialect
import TestSupport
import XCTest

private final class Part: Sendable {}

/// A factory gives its graph to another thread while it runs. It holds no lock of the graph, as it
/// began when the graph was not shared: the other thread runs the factory too. Both found no
/// object, and both stored theirs.
final class SharedMidwayTests: XCTestCase {
  func testThreadsOfAGraphThatAFactoryHasSharedGetOneObject() throws {
    for _ in 0..<StressSize.scaled(500) {
      let container = Container()
      let returning = Barrier(2)
      let helper = Locked<JoinableThread<Part?>?>(nil)
      let isFirst = Locked(true)
      container.register(Part.self) { r in
        let first = isFirst.withLock { first in
          defer { first = false }
          return first
        }
        if first {
          let graph = r.resolve(GraphIdentifier.self)!
          let thread = JoinableThread {
            container.withObjectGraph(graph) { $0.resolve(Part.self) }
          }
          helper.withLock { $0 = thread }
        }
        returning.wait()
        return Part()
      }
      let own = container.resolve(Part.self)
      let other = try helper.withLock { $0 }!.join().get()
      guard own === other else { return XCTFail("two objects of one graph") }
    }
  }
}
