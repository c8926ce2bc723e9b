// SPDX-License-Identifier: MIT

import Corinth
import Foundation
import TestSupport

/// A tree of containers, products whose factories and disposers close some of these, and callers
/// that resolve and close.
final class ClosingWorld: Sendable {
  /// An instance, with the container that keeps it.
  final class Handle: Sendable {
    let product: Int
    let keeper: ObjectIdentifier
    let disposals = AtomicCounter()

    init(_ product: Int, in keeper: Container) {
      self.product = product
      self.keeper = ObjectIdentifier(keeper)
    }
  }

  /// One step of a factory, a disposer or a caller.
  enum Step: Sendable {
    /// Some microseconds.
    case pause(UInt32)
    case resolve(product: Int, container: Int)
    case close(container: Int, Way)
    case withScope(product: Int, container: Int, Way)
  }

  enum Way: Int, CaseIterable {
    case synchronous
    case asynchronous
    case shutdown
  }

  /// What a product is like.
  struct Product: Sendable {
    let isAsynchronous: Bool
    let isSingleton: Bool
    let factory: [Step]
    let hasAsynchronousDisposer: Bool
    let disposer: [Step]
  }

  /// A construction under way. One that closes a container is not waited for by that closing, nor
  /// is one that waits for it: these instances may go without disposal.
  struct Frame: Hashable {
    let product: Int
    let keeper: ObjectIdentifier
  }

  @TaskLocal static var frames: [Frame] = []
  @TaskLocal static var isDisposing = false

  let products: [Product]
  let containers: [Container]
  let scripts: [[Step]]
  let handles = Shared<[Handle]>([])
  let exempt = Shared<Set<Frame>>([])
  let problems = Shared<[String]>([])

  init(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let root = Container()
    var containers = [root]
    for _ in 0..<Int.random(in: 1...3, using: &random) {
      let parent = containers.randomElement(using: &random) ?? root
      containers.append(
        Int.random(in: 0..<4, using: &random) == 0
          ? Container(parent: parent) : parent.makeScope())
    }
    self.containers = containers
    let count = Int.random(in: 2...5, using: &random)
    var products: [Product] = []
    for product in 0..<count {
      func steps(_ most: Int) -> [Step] {
        (0..<Int.random(in: 1...most, using: &random)).map { _ in
          Step.random(
            above: product, of: count, containers: containers.count, using: &random)
        }
      }
      products.append(
        Product(
          isAsynchronous: .random(using: &random), isSingleton: .random(using: &random),
          factory: steps(3), hasAsynchronousDisposer: .random(using: &random),
          disposer: steps(3)))
    }
    self.products = products
    scripts = (0..<Int.random(in: 3...8, using: &random)).map { _ in
      (0..<Int.random(in: 1...3, using: &random)).map { _ in
        Step.random(above: -1, of: count, containers: containers.count, using: &random)
      }
    }
    for index in products.indices { try register(index) }
  }
}

extension ClosingWorld.Step {
  /// - Parameter product: only those with a greater number are resolved, so that there is no cycle.
  static func random(
    above product: Int, of products: Int, containers: Int, using random: inout SeededGenerator
  ) -> Self {
    let container = Int.random(in: 0..<containers, using: &random)
    let way = ClosingWorld.Way.allCases.randomElement(using: &random) ?? .synchronous
    guard product + 1 < products else {
      return Bool.random(using: &random)
        ? .pause(.random(in: 0..<200, using: &random)) : .close(container: container, way)
    }
    let resolved = Int.random(in: product + 1..<products, using: &random)
    switch Int.random(in: 0..<10, using: &random) {
    case 0..<2: return .pause(.random(in: 0..<200, using: &random))
    case 2..<6: return .resolve(product: resolved, container: container)
    case 6..<7: return .withScope(product: resolved, container: container, way)
    default: return .close(container: container, way)
    }
  }
}
