// SPDX-License-Identifier: MIT

import Corinth
import Synchronization
import TestSupport
import XCTest

/// Random histories of threads that are all first to resolve a singleton, while its registration is
/// released, replaced or removed. Each factory call is accounted for.
class FirstInstanceStressTests: ContainerTestCase {
  private let threads = 4

  /// A registration of a history: what its factory has done.
  private final class Form: Sendable {
    let runs = Atomic<Int>(0)
    let failures: Int

    init(failing failures: Int) {
      self.failures = failures
    }
  }

  private final class Product: Tracked, @unchecked Sendable {
    let form: Form

    init(_ tracker: LifetimeTracker, of form: Form) {
      self.form = form
      super.init(tracker)
    }
  }

  private enum Change: CaseIterable {
    case none, release, replace, remove, registerBelow, fork
  }

  /// What a thread does in a history.
  private struct Part {
    var resolves: Int
    var isThroughChild: Bool
    var change: Change
    var isChangeFirst: Bool

    init(using generator: inout SeededGenerator) {
      resolves = Int.random(in: 1...3, using: &generator)
      isThroughChild = Int.random(in: 0..<4, using: &generator) == 0
      change = Change.allCases.randomElement(using: &generator) ?? .none
      isChangeFirst = Bool.random(using: &generator)
    }
  }

  func testEachRegistrationHasOneInstanceForEachTimeThatItIsReleased() throws {
    let first = UInt64.random(in: 0..<1_000_000_000)
    for seed in first..<first + UInt64(StressSize.scaled(2500, sanitized: 250)) {
      try runHistory(seed)
    }
  }

  private func runHistory(_ seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let tracker = LifetimeTracker()
    let parts = (0..<threads).map { _ in Part(using: &generator) }
    let names: [Name?] = [nil, "a name of more than fifteen bytes"]
    let name = names.randomElement(using: &generator) ?? nil
    let failures = Int.random(in: 0...2, using: &generator)
    let container = makeContainer()
    let child = Container(parent: container)
    let forms = Locked<[Form]>([])
    @Sendable func register(in container: Container, failing failures: Int) throws {
      let form = Form(failing: failures)
      forms.withLock { $0.append(form) }
      try container.register(Product.self, name: name, scope: .singleton) { _ in
        if form.runs.add(1, ordering: .relaxed).newValue <= failures { throw Refused() }
        return Product(tracker, of: form)
      }
    }
    try register(in: container, failing: failures)
    let found = try onThreads(threads) { index in
      let part = parts[index]
      var found: [Product] = []
      func change() throws {
        switch part.change {
        case .none: break
        case .release: container.release(Product.self, name: name)
        case .replace: try register(in: container, failing: 0)
        case .remove: container.unregister(Product.self, name: name)
        case .registerBelow: try register(in: child, failing: 0)
        case .fork:
          if let instance = try? container.fork().resolve(Product.self, name: name) {
            found.append(instance)
          }
        }
      }
      if part.isChangeFirst { try change() }
      for _ in 0..<part.resolves {
        let asked = part.isThroughChild ? child : container
        // Some fail: the factory does at first, and the registration may have been removed.
        if let instance = try? asked.resolve(Product.self, name: name) { found.append(instance) }
      }
      if !part.isChangeFirst { try change() }
      return found
    }.flatMap { $0 }
    let changes = parts.map(\.change)
    let copies = changes.filter { $0 == .release || $0 == .fork }.count
    for form in forms.withLock({ $0 }) {
      let instances = Set(found.filter { $0.form === form }.map(\.serial))
      let built = max(0, form.runs.load(ordering: .relaxed) - form.failures)
      XCTAssertLessThanOrEqual(built, 1 + copies, "seed \(seed)")
      XCTAssertLessThanOrEqual(instances.count, built, "seed \(seed)")
    }
    if changes.allSatisfy({ $0 == .none }), failures == 0 {
      XCTAssertEqual(tracker.created, 1, "seed \(seed)")
    }
  }
}
