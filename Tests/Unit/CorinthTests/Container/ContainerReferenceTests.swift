// SPDX-License-Identifier: MIT

import Corinth
import TestSupport
import XCTest

final class ContainerReferenceTests: ContainerTestCase {
  func testItIsLoadedReplacedAndExchanged() {
    let (first, second, third) = (Container(), Container(), Container())
    let reference = ContainerReference(first)
    XCTAssertIdentical(reference.load(), first)
    reference.store(second)
    XCTAssertIdentical(reference.load(), second)
    XCTAssertIdentical(reference.exchange(third), second)
    XCTAssertIdentical(reference.load(), third)
  }

  func testAFormerContainerIsReleased() {
    let reference = ContainerReference(Container())
    weak var former = reference.load()
    XCTAssertNotNil(former)
    _ = reference.exchange(Container())
    settleReclamation()
    XCTAssertNil(former)
    former = reference.load()
    reference.store(Container())
    settleReclamation()
    XCTAssertNil(former)
  }

  func testEightThreadsReadWhileOneReplaces() throws {
    @Sendable func numbered(_ number: Int) throws -> Container {
      let container = Container()
      try container.register(Int.self) { _ in number }
      return container
    }
    let reference = ContainerReference(try numbered(0))
    try onThreads(8) { index in
      var last = 0
      for round in 1...200 {
        if index == 0 {
          reference.store(try numbered(round))
        } else {
          let found = try reference.load().resolve(Int.self)
          XCTAssertGreaterThanOrEqual(found, last)
          last = found
        }
      }
    }
  }
}
