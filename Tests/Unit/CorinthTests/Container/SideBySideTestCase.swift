// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import XCTest

@testable import Corinth

/// A test of disposers that might run at once, with parts whose disposers wait on a stage.
class SideBySideTestCase: AsyncTestCase {
  class Part: @unchecked Sendable {
    var keeps: [any Sendable]
    init(_ keeps: [any Sendable] = []) { self.keeps = keeps }
  }
  final class A: Part, @unchecked Sendable {}
  final class B: Part, @unchecked Sendable {}
  final class K: Part, @unchecked Sendable {}
  final class S: Part, @unchecked Sendable {}
  final class T: Part, @unchecked Sendable {}
  final class X: Part, @unchecked Sendable {}

  let stage = DisposalStage()

  func staged<Product>(_ name: String) -> RegistrationOptions<Product> {
    .onDispose { [stage] _ in await stage.dispose(name) }
  }

  func addX() throws {
    try container.register(X.self, scope: .singleton, with: staged("x")) { _ in X() }
  }

  /// Registers and builds what depends on K.
  func addA() throws {
    try container.register(A.self, scope: .singleton, with: staged("a")) {
      A([try $0.resolve(K.self)])
    }
    _ = try container.resolve(A.self)
  }

  /// Shuts down, and checks that what `first` is does not run beside `second`.
  func assertNotTogether(
    _ first: String, _ second: String, of ending: Container? = nil, begun: Int = 1,
    file: StaticString = #filePath, line: UInt = #line
  ) async throws {
    let container = ending ?? container
    let shutdown = Task {
      try await container.shutdown(timeLimit: .seconds(600), maximumConcurrency: 10)
    }
    let haveBegun = await stage.waitUntilBegun(begun)
    XCTAssert(haveBegun, file: file, line: line)
    for _ in 0..<50 { await Task.yield() }
    // A disposer that may begin has begun by then on an idle machine, which is where a fault is
    // seen.
    try await Task.sleep(for: .milliseconds(20))
    let running = await stage.running
    XCTAssertFalse(
      running.isSuperset(of: [first, second]), "\(running) run at once", file: file, line: line)
    await stage.letAllGo()
    try await shutdown.value
    let ended = await stage.ended
    XCTAssertEqual(Set(ended).count, ended.count, file: file, line: line)
    XCTAssert(Set(ended).isSuperset(of: [first, second]), "\(ended)", file: file, line: line)
  }
}
