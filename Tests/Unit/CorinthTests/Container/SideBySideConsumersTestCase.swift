// SPDX-License-Identifier: MIT

import TestSupport
import XCTest

@testable import Corinth

/// A test of the shutdown of consumers, whose disposers wait on a stage.
class SideBySideConsumersTestCase: SideBySideTestCase {
  final class Consumer: Sendable {
    let number: Int
    let keeps: [any Sendable]
    init(_ number: Int, _ keeps: [any Sendable] = []) {
      (self.number, self.keeps) = (number, keeps)
    }
  }
  final class Pool: Sendable {}
  final class Cache: Sendable {}
  struct Repository: Sendable {}
  protocol Store: Sendable {}
  final class FileStore: Store {}
  // SAFETY: nobody sets the property.
  final class Job: @unchecked Sendable { @Injected var pool: Pool }

  func addConsumer(
    _ number: Int, in container: Container? = nil,
    _ resolve: @escaping @Sendable (Resolver) throws -> [any Sendable] = { _ in [] }
  ) throws {
    try (container ?? self.container).register(
      Consumer.self, name: Name(number), scope: .singleton, with: staged("\(number)")
    ) { Consumer(number, try resolve($0)) }
  }

  func addPool() throws {
    try container.register(Pool.self, scope: .singleton, with: staged("pool")) { _ in Pool() }
  }

  func build(_ numbers: Int..., in container: Container? = nil) throws {
    for number in numbers {
      _ = try (container ?? self.container).resolve(Consumer.self, name: Name(number))
    }
  }

  /// Shuts down, and checks which disposers run at once: each group begins when the one before has
  /// ended.
  func assertEnd(
    _ groups: [Set<String>], maximumConcurrency: Int = 10, of ending: Container? = nil,
    file: StaticString = #filePath, line: UInt = #line
  ) async throws {
    let container = ending ?? container
    let shutdown = Task {
      try await container.shutdown(
        timeLimit: .seconds(600), maximumConcurrency: maximumConcurrency)
    }
    var count = 0
    for group in groups {
      count += group.count
      let haveBegun = await stage.waitUntilBegun(count)
      XCTAssert(haveBegun, "\(group) has not begun", file: file, line: line)
      for _ in 0..<20 { await Task.yield() }
      let running = await stage.running
      XCTAssertEqual(running, group, file: file, line: line)
      for name in running { await stage.letGo(name) }
    }
    await stage.letAllGo()
    try await shutdown.value
    let ended = await stage.ended
    XCTAssertEqual(Set(ended), groups.reduce(into: []) { $0.formUnion($1) }, file: file, line: line)
  }
}
