// SPDX-License-Identifier: MIT

import Foundation
import SwiftInjectionsDialect
import TestSupport
import XCTest

private final class Part {
  /// Only touched in blocks, of which one runs at a time.
  var injections = 0
  weak var other: Part?
}

// SAFETY: the assembly has no variables.
private final class Crossing: Assembly, @unchecked Sendable {
  let counts = Counts()
  let meetings = AtomicCounter()
  let both = Barrier(2)

  /// Lets the first two blocks go on together.
  func meet() {
    if meetings.add() <= 2 { both.wait() }
  }

  var left: Part {
    return define(withKey: "left", scope: .Singleton) { definition in
      let left = definition *~> self.counts.make(Part())
      left.injections += 1
      self.meet()
      left.other = self.right
      return left
    }
  }

  /// Needs the left one before it is made.
  var right: Part {
    return define(withKey: "right", scope: .Singleton) { definition in
      self.meet()
      let left = self.left
      let right = definition *~> self.counts.make(Part())
      right.injections += 1
      right.other = left
      return right
    }
  }

  var counted: Part {
    return define(withKey: "counted", scope: .Singleton) { definition in
      let part = definition *~> self.counts.make(Part())
      // Another block in between would be lost.
      let before = part.injections
      for _ in 0..<20 { sched_yield() }
      part.injections = before + 1
      return part
    }
  }
}

final class SingletonThreadTests: XCTestCase {
  func testItIsMadeOnceWhateverTheNumberOfThreads() throws {
    let assembly = Crossing()
    let parts = try onThreads(8) { _ in ObjectIdentifier(assembly.counted) }
    XCTAssertEqual(Set(parts).count, 1)
    XCTAssertEqual(assembly.counts.inits.value, 1)
  }

  func testItsBlocksRunOneAtATime() throws {
    let assembly = Crossing()
    try onThreads(8) { _ in
      for _ in 0..<100 { _ = assembly.counted }
    }
    XCTAssertEqual(assembly.counted.injections, 801)
  }

  func testTwoThatNeedEachOtherAreMadeByTwoThreadsAtOnce() throws {
    for _ in 0..<20 {
      let assembly = Crossing()
      let parts = try onThreads(2) { index in
        ObjectIdentifier(index == 0 ? assembly.left : assembly.right)
      }
      XCTAssertEqual(assembly.counts.inits.value, 2)
      let (left, right) = (assembly.left, assembly.right)
      XCTAssertEqual(parts, [ObjectIdentifier(left), ObjectIdentifier(right)])
      XCTAssertIdentical(left.other, right)
      XCTAssertIdentical(right.other, left)
    }
  }

  func testTwoThatAreMadeAreInjectedByTwoThreadsAtOnce() throws {
    let assembly = Crossing()
    assembly.meetings.add(2)
    let (left, right) = (assembly.left, assembly.right)
    assembly.meetings.add(-assembly.meetings.value)
    try onThreads(2) { index in _ = index == 0 ? assembly.left : assembly.right }
    XCTAssertEqual(assembly.counts.inits.value, 2)
    XCTAssertIdentical(left.other, right)
    XCTAssertIdentical(right.other, left)
  }
}
