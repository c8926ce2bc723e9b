// SPDX-License-Identifier: MIT

import Corinth
import TestSupport
import XCTest

/// A test of a container's end, with singletons that note their disposal.
class ShutdownTestCase: AsyncTestCase {
  typealias NodeA = CompanionOf<A>
  typealias NodeB = CompanionOf<B>
  typealias NodeC = CompanionOf<C>
  let tracker = LifetimeTracker()
  let log = EventLog()

  @discardableResult
  func add<Tag>(
    _ tag: Tag.Type, needing dependency: (@Sendable (Resolver) throws -> Void)? = nil
  ) throws -> Registration<CompanionOf<Tag>> {
    try container.register(CompanionOf<Tag>.self, scope: .singleton) { [tracker] resolver in
      try dependency?(resolver)
      return CompanionOf(tracker)
    }.onDispose { [log] _ in log.add("\(tag)") }
  }

  func failures(_ body: () async throws -> Void) async -> [DisposalFailure] {
    do { try await body() } catch CloseError.disposalFailed(let failures) {
      return failures
    } catch {
      XCTFail("\(error)")
    }
    return []
  }
}
