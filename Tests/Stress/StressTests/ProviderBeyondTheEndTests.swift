// SPDX-License-Identifier: MIT

import Corinth
import Foundation
import TestSupport
import XCTest

/// Providers that resolve while their container ends without a closing. Each instance built is
/// reported once: by the end of the container, or by the construction.
final class ProviderBeyondTheEndTests: StressTestCase {
  private final class Plain: Sendable {}
  private final class WithAction: Sendable {}
  private struct Value: Sendable { let plain = Plain() }

  override func tearDown() {
    Container.onUndisposed = nil
    super.tearDown()
  }

  private static func spin(_ most: Int, _ random: inout SeededGenerator) {
    for _ in 0..<Int.random(in: 0..<most, using: &random) { sched_yield() }
  }

  private func register(
    in container: Container, scoped: Bool, _ built: AtomicCounter
  ) throws {
    try container.register(Plain.self, scope: scoped ? .scoped : .singleton) { _ in
      built.add()
      return Plain()
    }.onDispose { _ in }
    try container.register(Value.self, scope: scoped ? .scoped : .singleton) { _ in
      sched_yield()
      built.add()
      return Value()
    }.onDispose { _ in }
    try container.register(WithAction.self, scope: scoped ? .scoped : .singleton) { _ in
      built.add()
      return WithAction()
    }.afterInit { _, _ in sched_yield() }.onDispose { _ in }
  }

  private func run(
    scoped: Bool, _ make: (Container) throws -> Container, line: UInt = #line
  ) throws {
    let (built, reported) = (AtomicCounter(), AtomicCounter())
    Container.onUndisposed = { reported.add($0.instances.count) }
    let root = Container()
    if scoped { try register(in: root, scoped: true, built) }
    for round in 0..<StressSize.scaled(400, sanitized: 100) {
      var ending: Container? = try make(root)
      if let ending, !scoped { try register(in: ending, scoped: false, built) }
      let plain = try ending?.resolve(Provider<Plain>.self)
      let value = try ending?.resolve(Provider<Value>.self)
      let action = try ending?.resolve(Provider<WithAction>.self)
      let barrier = Barrier(3)
      let threads = (0..<2).map { thread in
        JoinableThread {
          var random = SeededGenerator(seed: UInt64(round * 2 + thread + 1))
          barrier.wait()
          Self.spin(4, &random)
          for step in 0..<3 {
            switch (step + thread + round) % 3 {
            case 0: _ = try? plain?()
            case 1: _ = try? value?()
            default: _ = try? action?()
            }
          }
        }
      }
      barrier.wait()
      var random = SeededGenerator(seed: UInt64(round + 1))
      Self.spin(8, &random)
      ending = nil
      for each in threads { _ = each.join() }
      settleReclamation()
      XCTAssertEqual(reported.value, built.value, "round \(round)", line: line)
      if reported.value != built.value { return }
    }
    XCTAssertGreaterThan(built.value, 0, line: line)
  }

  func testEachScopedInstanceIsReportedOnce() throws {
    try run(scoped: true) { $0.makeScope() }
  }

  func testEachSingletonIsReportedOnce() throws {
    try run(scoped: false) { Container(parent: $0) }
  }
}
