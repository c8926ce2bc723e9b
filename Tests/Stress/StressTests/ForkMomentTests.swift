// SPDX-License-Identifier: MIT

import Corinth
import TestSupport
import XCTest

/// A fork that is made while its base and the base's ancestors are written has the registrations of
/// one moment, and so has a walk.
///
/// A fork of a child was torn: it entered the lists of the child and of its parent one after the
/// other. One in 16 had a new registration of the one beside an old one of the other.
class ForkMomentTests: StressTestCase {
  private struct First: Sendable {
    let number: Int
  }

  private struct Second: Sendable {
    let number: Int
  }

  private let rounds = StressSize.scaled(4000, sanitized: 400)

  func testAForkOfOneContainer() throws { try fork(isTree: false) { $0.fork() } }

  func testAForkOfAChild() throws { try fork(isTree: true) { $0.fork() } }

  func testAForkOfAForkOfAChild() throws { try fork(isTree: true) { $0.fork().fork() } }

  func testADetachedForkOfAFork() throws {
    try fork(isTree: true) { container in
      let fork = container.fork().fork()
      fork.detach()
      return fork
    }
  }

  func testAForkOfAChildOfAFork() throws {
    try fork(isTree: true) { Container(parent: $0.fork()).fork() }
  }

  /// A writer registers the first type and then the second, again and again, each with the number
  /// of the round.
  private func fork(isTree: Bool, _ fork: @escaping @Sendable (Container) -> Container) throws {
    let parent = Container()
    let child = isTree ? Container(parent: parent) : parent
    @Sendable func write(_ number: Int) throws {
      try parent.register(First.self) { _ in First(number: number) }
      // Now and then removed in between: a fork may lack it, but not find an older one.
      if number % 3 == 0 { child.unregister(Second.self) }
      try child.register(Second.self, scope: .singleton) { _ in Second(number: number) }
    }
    try write(0)
    let held = Guarded<[Container]>([])
    try besideAWriter(readers: 2, rounds: rounds) {
      try write($0)
    } read: { index in
      let fork = fork(child)
      if index == 1 { sched_yield() }
      let first = try fork.resolve(First.self).number
      guard let second = try fork.resolveIfRegistered(Second.self)?.number else { return }
      XCTAssertTrue((second...second + 1).contains(first), "\(first) beside \(second)")
      if index == 0 { held.value = [fork] }
    }
    held.value = nil
  }

  func testAWalkOverOneContainer() throws {
    let container = Container()
    try walk(container, container) { $0.registrations.count }
  }

  func testAWalkOverAFork() throws {
    let container = Container()
    try walk(container, container) { $0.fork().registrations.count }
  }

  func testAWalkOverAChildAndItsParent() throws {
    let parent = Container()
    try walk(parent, Container(parent: parent)) { $0.registrations(includingParents: true).count }
  }

  /// One registration moves from key to key, and from container to container: it is at its new
  /// place before it goes at its former one.
  private func walk(
    _ even: Container, _ odd: Container, _ count: (Container) -> Int
  ) throws {
    let keys = 8
    try even.register(First.self, name: Name(0)) { _ in First(number: 0) }
    let isOver = Flag()
    let writer = JoinableThread {
      var number = 0
      while !isOver.isSet {
        let (former, new) = number % 2 == 0 ? (even, odd) : (odd, even)
        try new.register(First.self, name: Name((number + 1) % keys)) { _ in First(number: 0) }
        former.unregister(First.self, name: Name(number % keys))
        number += 1
      }
    }
    defer {
      isOver.isSet = true
      XCTAssertNoThrow(try writer.join().get())
    }
    for _ in 0..<rounds {
      let count = count(odd)
      XCTAssertTrue((1...2).contains(count), "\(count) registrations")
    }
  }
}
