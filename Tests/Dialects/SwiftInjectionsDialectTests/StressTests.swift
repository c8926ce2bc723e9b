// SPDX-License-Identifier: MIT

import SwiftInjectionsDialect
import TestSupport
import XCTest

private final class Node: Tracked, @unchecked Sendable {
  // SAFETY: written in blocks only, of which one runs at a time, and read when the threads have
  // ended.
  var injections = 0
  weak var next: Node?
}

private final class Page: Tracked, @unchecked Sendable {
  // SAFETY: each page belongs to one thread.
  var node: Node?
  var lines: [Line] = []
}

private final class Line: Tracked, @unchecked Sendable {
  // SAFETY: each line belongs to one thread.
  weak var page: Page?
}

// SAFETY: the assembly has no variables.
private final class Pages: Assembly, @unchecked Sendable {
  static let ring = 6
  let nodes = LifetimeTracker()
  let pages = LifetimeTracker()

  /// Singletons in a ring: threads that enter it at different places would wait for each other.
  func node(_ number: Int) -> Node {
    return define(withKey: "node \(number)", scope: .Singleton) { definition in
      let node = definition *~> Node(self.nodes)
      node.injections += 1
      node.next = self.node((number + 1) % Self.ring)
      return node
    }
  }

  var page: Page {
    return define { definition in
      let page = definition *~> Page(self.pages)
      page.lines = [self.line, self.line, self.prototype]
      return page
    }
  }

  func inject(_ page: Page, node number: Int) -> Page {
    return define { definition in
      let page = definition *~> page
      page.node = self.node(number)
      page.lines = [self.prototype]
      return page
    }
  }

  var line: Line {
    return define { definition in
      let line = definition *~> Line(self.pages)
      line.page = self.page
      return line
    }
  }

  var prototype: Line {
    return define(withScope: .Prototype) { definition in
      let line = definition *~> Line(self.pages)
      line.page = self.existingObjectByMatchingType()
      return line
    }
  }
}

final class StressTests: XCTestCase {
  func testEightThreadsUseOneAssembly() throws {
    let assembly = Pages()
    let rounds = StressSize.scaled(300)
    try onThreads(8) { index in
      for round in 0..<rounds {
        switch (index + round) % 4 {
        case 0: _ = assembly.node((index * 7 + round) % Pages.ring)
        case 1:
          let page = assembly.page
          XCTAssertIdentical(page.lines[0], page.lines[1])
          XCTAssertNotIdentical(page.lines[0], page.lines[2])
          for line in page.lines { XCTAssertIdentical(line.page, page) }
        case 2:
          let page = Page(assembly.pages)
          XCTAssertIdentical(assembly.inject(page, node: round % Pages.ring), page)
          XCTAssertIdentical(page.lines[0].page, page)
        default:
          XCTAssertNil(assembly.prototype.page)
        }
      }
    }
    settleReclamation()
    XCTAssertEqual(assembly.nodes.created, Pages.ring)
    XCTAssertEqual(assembly.pages.alive, 0)
    let nodes = (0..<Pages.ring).map { assembly.node($0) }
    XCTAssertEqual(assembly.nodes.created, Pages.ring)
    for (number, node) in nodes.enumerated() {
      XCTAssertGreaterThan(node.injections, 0)
      XCTAssertIdentical(node.next, nodes[(number + 1) % Pages.ring])
    }
  }

  func testAssembliesComeAndGoOnEightThreads() throws {
    let trackers = try onThreads(8) { index in
      var trackers: [LifetimeTracker] = []
      for round in 0..<StressSize.scaled(20) {
        let assembly = Pages()
        _ = assembly.node(round % Pages.ring)
        XCTAssertEqual(assembly.nodes.alive, Pages.ring)
        trackers.append(assembly.nodes)
      }
      return trackers
    }.flatMap { $0 }
    settleReclamation()
    XCTAssertEqual(trackers.map(\.alive), trackers.map { _ in 0 })
  }
}
