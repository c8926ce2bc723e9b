// SPDX-License-Identifier: MIT

import Corinth
import CorinthTesting
import TestSupport
import Testing

/// What a container leaves undisposed in a closure, and what the failure says.
struct NothingUndisposedTests {
  private struct Failure: Error, CustomStringConvertible {
    let description = "body"
  }

  private let shop = Shop()
  private var container: Container { shop.container }

  init() {
    // What is let go of here is meant to be.
    Container.onUndisposed = nil
  }

  @Test func nothingFailsIfAllIsDisposedOf() async throws {
    let container = container
    let label = try await expectNothingUndisposed(in: container) {
      _ = try await container.withScope { try $0.resolve(Basket.self).serial }
      let label = try container.label
      try await container.release(Checkout.self, disposing: true)
      _ = try container.label
      try await container.shutdown()
      return label
    }
    #expect(label == "real")
    #expect(shop.disposals.value == 3)
  }

  @Test func synchronousCodeMayExpectIt() throws {
    let container = container
    let label = try expectNothingUndisposed(in: container) {
      defer { #expect(throws: Never.self) { try container.syncClose() } }
      return try container.label
    }
    #expect(label == "real")
    #expect(shop.disposals.value == 1)
  }

  @Test func whatIsDroppedFailsTheTest() async throws {
    let container = container
    let issues = try await issues {
      try await expectNothingUndisposed(in: container) {
        _ = try container.label
        container.release(Checkout.self)
        _ = try container.makeScope().resolve(Basket.self)
        try await Task.detached { _ = try container.fork().label }.value
        let child = Container(parent: container)
        try child.register(Int.self, scope: .singleton) { _ in 1 }.onDispose { _ in }
        _ = try child.resolve(Int.self)
      }
    }
    try #require(issues.count == 4)
    #expect(issues[0].hasPrefix("Checkout was released, and not disposed of."))
    #expect(
      issues[0].hasSuffix(
        "`try await container.release(..., disposing: true)` releases and disposes of it."))
    #expect(issues[1].hasPrefix("A request scope was dropped before it was closed"))
    #expect(issues[2].hasPrefix("A container was dropped before its shutdown"))
    #expect(issues[2].contains("Checkout"))
    #expect(issues[3].hasPrefix("A container was dropped before its shutdown"))
    #expect(issues[3].contains("Int"))
  }

  @Test func aContainerThatIsNotShutDownFailsTheTest() async throws {
    let container = container
    let issues = try await issues {
      try expectNothingUndisposed(in: container) { _ = try container.label }
    }
    try #require(issues.count == 1)
    #expect(
      issues[0].hasPrefix(
        """
        A container was not shut down in the closure: it has not disposed of Checkout.
          Checkout is registered at CorinthTestingTests/Shop.swift:
        """), "\(issues)")
    #expect(
      issues[0].hasSuffix(
        "\n  hint: end it with `try await container.shutdown()`, or a request scope with `close()`."
      ), "\(issues)")
    #expect(shop.disposals.value == 0)
    try await container.shutdown()
  }

  @Test func soDoesARequestScopeThatIsNotClosed() async throws {
    let scope = container.makeScope()
    let issues = try await issues {
      try expectNothingUndisposed(in: scope) { _ = try scope.resolve(Basket.self) }
    }
    #expect(issues.count == 1)
    #expect(issues.first?.contains("it has not disposed of Basket.") == true, "\(issues)")
    try await scope.close()
  }

  @Test func scopesThatAreStillOpenFailTheTest() async throws {
    let container = container
    let kept = Guarded<[Container]>()
    let issues = try await issues {
      try await expectNothingUndisposed(in: container) {
        kept.value = [container.makeScope(), Container(parent: container).makeScope()]
        // Which leaves them open.
        try await container.shutdown()
      }
    }
    #expect(
      issues == [
        """
        2 request scopes were still open at the end of the closure.
          hint: close each scope, or use `withScope`; wait for the tasks that have one.
        """
      ])
    for scope in kept.value ?? [] { try await scope.close() }
  }

  @Test func allIsReportedBesideTheErrorOfTheClosure() async throws {
    let container = container
    let issues = try await issues {
      try expectNothingUndisposed(in: container) {
        _ = try container.label
        container.release(Checkout.self)
        _ = try container.label
        throw Failure()
      }
    }
    try #require(issues.count == 3)
    #expect(issues[0].hasPrefix("Checkout was released"))
    #expect(issues[1].hasPrefix("A container was not shut down"))
    #expect(issues[2] == "body")
    try await container.shutdown()
  }

  @Test func theFailureIsWhereItIsExpected() async throws {
    let (container, found) = (container, Guarded<Testing.SourceLocation>())
    let line = #line + 2
    try withKnownIssue {
      try expectNothingUndisposed(in: container) { _ = try container.label }
    } matching: { issue in
      found.value = issue.sourceLocation
      return true
    }
    #expect(found.value?.line == line)
    try await container.shutdown()
  }

  @Test func whatIsDroppedAfterTheClosureDoesNotMatter() throws {
    let container = container
    let fork = expectNothingUndisposed(in: container) { container.fork() }
    _ = try fork.label
    fork.release(Checkout.self)
    _ = try container.label
    container.release(Checkout.self)
  }

  // MARK: - In a test with the trait

  @Test func aDropInAForkOfTheTestCountsOnce() async throws {
    let issues = try await issues(of: .container(container)) {
      let container = try #require(Container.current)
      let inner = container.fork()
      try expectNothingUndisposed(in: inner) {
        _ = try inner.label
        inner.release(Checkout.self)
        // Another one, which looks the same.
        _ = try container.label
        container.release(Checkout.self)
      }
    }
    #expect(issues.count == 2)
    #expect(issues.allSatisfy { $0.hasPrefix("Checkout was released") }, "\(issues)")
  }

  @Test func aDropElsewhereIsNotTakenForOneOfTheTest() async throws {
    let other = Shop().container
    let issues = try await issues(of: .container(container)) {
      let container = try #require(Container.current)
      try expectNothingUndisposed(in: other) {
        for each in [container, other] {
          _ = try each.label
          each.release(Checkout.self)
        }
      }
    }
    #expect(issues.count == 2)
  }

  @Test func itIsExpectedAlsoWhereTheTraitDoesNotCheck() async throws {
    let issues = try await issues(of: .container(container, checksDisposal: false)) {
      let container = try #require(Container.current)
      try expectNothingUndisposed(in: container) {
        _ = try container.label
        container.release(Checkout.self)
      }
    }
    #expect(issues.count == 1)
  }
}
