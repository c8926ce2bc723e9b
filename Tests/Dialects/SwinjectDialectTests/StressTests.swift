// SPDX-License-Identifier: MIT

import SwinjectDialect
import TestSupport
import XCTest

private final class Node: Tracked, @unchecked Sendable {
  // SAFETY: written by the thread that makes it, before others get it, or by one that waits for
  // that.
  weak var next: Node?
}

/// Not safe for threads, as a program's own storage may be.
private final class PlainStorage: InstanceStorage {
  var instance: Any?
  var completions = 0

  func graphResolutionCompleted() { completions += 1 }
}

final class StressTests: XCTestCase {
  private let rounds = StressSize.scaled(100)
  private let threads = 8
  /// A ring of services, each of which is completed with the next one.
  private func ring(
    of count: Int, in container: Container, scope: ObjectScope, _ tracker: LifetimeTracker
  ) {
    for number in 0..<count {
      container.register(Node.self, name: "\(number)") { _ in
        sched_yield()
        return Node(tracker)
      }.inObjectScope(scope).initCompleted { r, node in
        sched_yield()
        node.next = r.resolve(Node.self, name: "\((number + 1) % count)")
      }
    }
  }

  func testAServiceOfTheContainerIsMadeOnce() throws {
    for _ in 0..<rounds {
      let tracker = LifetimeTracker()
      let container = Container()
      container.register(Tracked.self) { _ in
        sched_yield()
        return tracker.make()
      }.inObjectScope(.container)
      let resolvers: [any Resolver & Sendable] = (0..<threads).map { index in
        switch index % 3 {
        case 0: container
        case 1: container.synchronize() as! Container
        default: Container(parent: container)
        }
      }
      let found = try onThreads(threads) { resolvers[$0].resolve(Tracked.self)! }
      XCTAssertEqual(Set(found.map { ObjectIdentifier($0) }).count, 1)
      XCTAssertEqual(tracker.created, 1)
    }
  }

  func testThreadsThatEnterARingAtDifferentPlacesMakeEachServiceOnce() throws {
    for size in [2, 3, 6] {
      for _ in 0..<rounds {
        let tracker = LifetimeTracker()
        let container = Container()
        ring(of: size, in: container, scope: .container, tracker)
        let found = try onThreads(threads) {
          container.resolve(Node.self, name: "\($0 % size)")!
        }
        XCTAssertEqual(tracker.created, size)
        for (index, node) in found.enumerated() {
          XCTAssertIdentical(
            node.next, container.resolve(Node.self, name: "\((index % size + 1) % size)"))
        }
      }
    }
  }

  /// The completion of "b" needs "c", whose factory needs "a", whose factory needs "b": the last
  /// one to wait closes the cycle, and only the one that wants "b" can go on.
  func testThreeThreadsInOneCycleMakeEachServiceOnce() throws {
    for _ in 0..<rounds {
      let tracker = LifetimeTracker()
      let container = Container()
      let all = Barrier(3)
      let first = (0..<3).map { _ in AtomicCounter() }
      container.register(Node.self, name: "a") { r in
        if first[0].add() == 1 { all.wait() }
        let node = Node(tracker)
        node.next = r.resolve(Node.self, name: "b")
        return node
      }.inObjectScope(.container)
      container.register(Node.self, name: "b") { _ in Node(tracker) }
        .inObjectScope(.container)
        .initCompleted { r, node in
          if first[1].add() == 1 { all.wait() }
          node.next = r.resolve(Node.self, name: "c")
        }
      container.register(Node.self, name: "c") { r in
        if first[2].add() == 1 { all.wait() }
        let node = Node(tracker)
        node.next = r.resolve(Node.self, name: "a")
        return node
      }.inObjectScope(.container)
      let found = try onThreads(3) { container.resolve(Node.self, name: ["a", "b", "c"][$0])! }
      XCTAssertEqual(tracker.created, 3)
      XCTAssertIdentical(found[0].next, found[1])
      XCTAssertIdentical(found[1].next, found[2])
      XCTAssertIdentical(found[2].next, found[0])
    }
  }

  func testACycleOfInitializerAndCompletionHasOneInstanceForAllThreads() throws {
    for _ in 0..<rounds {
      let tracker = LifetimeTracker()
      let container = Container()
      container.register(Mother.self) { r in
        let mother = Mother(tracker)
        sched_yield()
        mother.child = r.resolve(Child.self)
        return mother
      }.inObjectScope(.container)
      container.register(Child.self) { _ in Child() }.inObjectScope(.container)
        .initCompleted { r, child in
          sched_yield()
          child.mother = r.resolve(Mother.self)
        }
      try onThreads(threads) { index in
        if index % 2 == 0 {
          XCTAssertNotNil(container.resolve(Mother.self))
        } else {
          XCTAssertNotNil(container.resolve(Child.self))
        }
      }
      let mother = container.resolve(Mother.self)
      XCTAssertIdentical(mother?.child?.mother, mother)
      XCTAssertLessThanOrEqual(tracker.created, 2, "once more within itself, as on one thread")
      XCTAssertEqual(tracker.alive, 1)
    }
  }

  func testEachThreadHasAGraphOfItsOwn() throws {
    let tracker = LifetimeTracker()
    let container = Container()
    ring(of: 3, in: container, scope: .graph, tracker)
    container.register([Node].self) { r in
      let node = r.resolve(Node.self, name: "0")!
      return [node, node.next!, node.next!.next!]
    }
    let rounds = rounds
    let view = container.synchronize() as! Container
    let nodes = try onThreads(threads) { index in
      (0..<rounds).flatMap { _ in
        let nodes = (index % 2 == 0 ? container : view).resolve([Node].self)!
        XCTAssertIdentical(nodes[2].next, nodes[0])
        return nodes
      }
    }
    XCTAssertEqual(Set(nodes.joined().map { ObjectIdentifier($0) }).count, threads * rounds * 3)
    XCTAssertEqual(tracker.created, threads * rounds * 3)
  }

  func testThreadsInOneGraphShareItsObjects() throws {
    for _ in 0..<rounds {
      let tracker = LifetimeTracker()
      let container = Container()
      ring(of: 3, in: container, scope: .graph, tracker)
      container.register(Set<GraphIdentifier>.self) { r in [r.resolve(GraphIdentifier.self)!] }
      let graph = container.resolve(Set<GraphIdentifier>.self)!.first!
      let all = Barrier(threads)
      let found = try onThreads(threads) { index in
        container.withObjectGraph(graph) { container in
          let node = container.resolve(Node.self, name: "\(index % 3)")!
          XCTAssertNotNil(node.next, "it is complete")
          // None may leave before all have come.
          all.wait()
          return node
        }
      }
      XCTAssertEqual(Set(found.map { ObjectIdentifier($0) }).count, 3)
      XCTAssertEqual(tracker.created, 3)
    }
  }

  func testALazyServiceThatThreadsShareIsResolvedOnce() throws {
    for _ in 0..<rounds {
      let tracker = LifetimeTracker()
      let container = Container()
      container.register(Tracked.self) { _ in
        sched_yield()
        return tracker.make()
      }.inObjectScope(.transient)
      let lazy = Shared(value: container.resolve(Lazy<Tracked>.self)!)
      let found = try onThreads(threads) { _ in lazy.value.instance }
      XCTAssertEqual(Set(found.map { ObjectIdentifier($0) }).count, 1)
      XCTAssertEqual(tracker.created, 1)
    }
  }

  func testAStorageIsMadeOnceAndUsedByOneThreadAtATime() throws {
    for _ in 0..<rounds {
      let tracker = LifetimeTracker()
      let storages = AtomicCounter()
      let scope = ObjectScope(storageFactory: {
        sched_yield()
        storages.add()
        return PlainStorage()
      })
      let container = Container()
      ring(of: 2, in: container, scope: scope, tracker)
      try onThreads(threads) { index in
        XCTAssertNotNil(container.resolve(Node.self, name: "\(index % 2)"))
        if index == 0 { container.resetObjectScope(scope) }
        XCTAssertNotNil(container.resolve(Node.self, name: "\(index % 2)"))
      }
      XCTAssertEqual(storages.value, 2)
    }
  }

  func testAWeakServiceIsSharedAsLongAsOneThreadHasIt() throws {
    let tracker = LifetimeTracker()
    let container = Container()
    container.register(Tracked.self) { _ in tracker.make() }.inObjectScope(.weak)
    let (rounds, threads) = (rounds, threads)
    let all = Barrier(threads)
    let found = try onThreads(threads) { _ in
      (0..<rounds).map { _ in
        let instance = container.resolve(Tracked.self)!
        all.wait()
        let serial = instance.serial
        withExtendedLifetime(instance) { all.wait() }
        return serial
      }
    }
    for round in 0..<rounds { XCTAssertEqual(Set(found.map { $0[round] }).count, 1) }
    settleReclamation()
    XCTAssertEqual(tracker.alive, 0)
  }

  func testRegistrationsChangeWhileOthersResolve() throws {
    let tracker = LifetimeTracker()
    let rounds = rounds
    do {
      let container = Container()
      try onThreads(threads) { index in
        for _ in 0..<rounds {
          switch index {
          case 0:
            container.register(Tracked.self) { _ in tracker.make() }.inObjectScope(.container)
              .implements((any AnyObject & Sendable).self)
          case 1: container.resetObjectScope(.container)
          case 2: _ = container.description
          case 3: container.removeAll()
          default:
            _ = container.resolve(Tracked.self)
            _ = container.resolve((any AnyObject & Sendable).self)
            _ = container.resolve(Provider<Tracked>.self)
          }
        }
      }
    }
    settleReclamation()
    XCTAssertEqual(tracker.alive, 0)
  }

  func testContainersWhoseServicesNeedEachOtherDoNotDeadlock() throws {
    for _ in 0..<rounds {
      let tracker = LifetimeTracker()
      let (left, right) = (Container(), Container())
      for (own, other) in [(left, right), (right, left)] {
        own.register(Node.self) { _ in Node(tracker) }.inObjectScope(.container)
          .initCompleted { _, node in
            sched_yield()
            node.next = other.resolve(Node.self)
          }
      }
      try onThreads(threads) { index in
        XCTAssertNotNil((index % 2 == 0 ? left : right).resolve(Node.self)?.next)
      }
      XCTAssertEqual(tracker.created, 2)
      // The factories refer to the containers.
      left.removeAll()
      right.removeAll()
    }
  }
}

// SAFETY: what it has may be used from any thread, though its type does not say so.
private struct Shared<Value>: @unchecked Sendable {
  let value: Value
}
