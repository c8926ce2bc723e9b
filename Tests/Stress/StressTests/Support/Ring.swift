// SPDX-License-Identifier: MIT

import Corinth
import TestSupport

/// A singleton of a dependency ring; `Tag` tells the members apart.
final class Node<Tag>: Tracked, @unchecked Sendable {}
enum A {}
enum B {}
enum C {}

/// Singletons that depend on one another in a circle, until it is opened.
final class Ring: Sendable {
  let tracker = LifetimeTracker()
  private let isClosed = Flag(true)

  /// From here on members depend on nothing.
  func open() { isClosed.isSet = false }

  func close() { isClosed.isSet = true }

  /// Registers a singleton.
  ///
  /// - Parameters:
  ///   - meeting: where its factory waits for those of the other members.
  ///   - dependency: resolves the next member.
  func register<Tag>(
    _ tag: Tag.Type, in container: Container, _ meeting: Meeting? = nil,
    needing dependency: @escaping @Sendable (Resolver) throws -> Void
  ) throws {
    try container.register(Node<Tag>.self) { [isClosed, tracker] resolver in
      meeting?.wait()
      if isClosed.isSet { try dependency(resolver) }
      return Node(tracker)
    }.as(.singleton)
  }

  /// Registers `A -> B -> C -> A`.
  func registerThree(in container: Container, _ meeting: Meeting? = nil) throws {
    try register(A.self, in: container, meeting) { _ = try $0.resolve(Node<B>.self) }
    try register(B.self, in: container, meeting) { _ = try $0.resolve(Node<C>.self) }
    try register(C.self, in: container, meeting) { _ = try $0.resolve(Node<A>.self) }
  }

  /// Resolves one of three members.
  @Sendable static func resolve(_ index: Int, from container: Container) throws -> Tracked {
    switch index {
    case 0: try container.resolve(Node<A>.self)
    case 1: try container.resolve(Node<B>.self)
    default: try container.resolve(Node<C>.self)
    }
  }

  /// The way from one of `count` members back to itself.
  static func path(from index: Int, of count: Int) -> [any Any.Type] {
    let members: [any Any.Type] = [Node<A>.self, Node<B>.self, Node<C>.self]
    return (0...count).map { members[(index + $0) % count] }
  }
}

/// Where the factories of several singletons wait until all of them run; each first run only, so
/// that a thread which tries again finds nobody to wait for.
final class Meeting: Sendable {
  private let barrier: Barrier
  private let expected: AtomicCounter

  init(of count: Int) {
    barrier = Barrier(count)
    expected = AtomicCounter(count)
  }

  func wait() {
    if expected.add(-1) >= 0 { barrier.wait() }
  }
}
